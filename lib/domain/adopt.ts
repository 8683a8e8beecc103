// Which patch makes us the owner of what other tools had declared on a member object?
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { addFields, bodyFields, isFromApplier, withFields } from "./field-entries.js";
import { restrictFields } from "./field-select.js";
import { difference, NO_FIELDS, parseFields, union, type FieldNode } from "./field-tree.js";
import { getAt } from "./json-pointer.js";
import type { PatchOperation } from "./json-patch.js";
import { FIELD_MANAGER } from "./marks.js";
import { guardOperations } from "./patch-guard.js";
import { pruneClusterOwned, pruneServerChoices } from "./prune-kinds.js";

/**
 * The JSON patch that comes before the forced apply of an adoption under `Overwrite`, or `undefined` when no known
 * applier (kubectl, helm, Argo CD, Flux, Terraform, `before-first-apply`, Karmada) owns anything outside `metadata`. It
 * moves their fields into our entry, so that the apply removes what `manifest` lacks: containers, env, list items.
 * Values do not change, and nothing restarts. It leaves alone what one cluster's copy owns (addresses, bound volumes,
 * a Job's selector), and the replica count when `manifest` has none: owned by us alone it would fall back to 1.
 * Guarded as in releasePatch; throws for an object that was not read live. Source: design 6.
 */
export function adoptPatch(live: KubeObject, manifest: KubeObject): readonly PatchOperation[] | undefined {
  const entries = live.metadata.managedFields ?? [];
  const movable = movableFrom(live, manifest);
  const taken = entries.map(entry => (isFromApplier(entry) ? movable(entry) : NO_FIELDS));
  const left = entries.flatMap((entry, index) => remainder(entry, taken[index] ?? NO_FIELDS));
  const owner = { manager: FIELD_MANAGER, operation: "Apply", apiVersion: manifest.apiVersion };
  const value = addFields(left, owner, taken.reduce(union, NO_FIELDS));
  if (value === left) return undefined;
  return [...guardOperations(live), { op: "replace", path: "/metadata/managedFields", value }];
}

function movableFrom(live: KubeObject, manifest: KubeObject): (entry: ManagedFieldsEntry) => FieldNode {
  const portable = pruneServerChoices(pruneClusterOwned(live));
  const kept = getAt(manifest, "/spec/replicas") === undefined ? REPLICAS : NO_FIELDS;
  return entry => difference(restrictFields(bodyFields(entry), portable), kept);
}

const REPLICAS = parseFields({ "f:spec": { "f:replicas": {} } });

function remainder(entry: ManagedFieldsEntry, taken: FieldNode): readonly ManagedFieldsEntry[] {
  if (taken === NO_FIELDS) return [entry];
  const rest = withFields(entry, difference(parseFields(entry.fieldsV1), taken));
  return rest ? [rest] : [];
}
