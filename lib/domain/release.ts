// Which patch takes every mark of ours off a member object, and leaves the rest as it was?
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { addFields, allFields, bodyFields, isFromApplier, isOurs } from "./field-entries.js";
import { restrictFields, unchangedFields } from "./field-select.js";
import { intersection, parseFields, union, type FieldNode } from "./field-tree.js";
import type { PatchOperation } from "./json-patch.js";
import { formatPointer } from "./json-pointer.js";
import { sameJson } from "./json-value.js";
import { guardOperations } from "./patch-guard.js";
import { FIELD_MANAGER, KARMADA_MEMBER_ANNOTATIONS, KARMADA_MEMBER_LABELS } from "./marks.js";

/** KubeFed's mark on a member object (spec/kubefed); federated objects take the same way out. */
const KUBEFED_MANAGED_LABEL = "kubefed.io/managed";

/**
 * The JSON patch that lets go of a member object, or `undefined` when it carries nothing of ours. It touches metadata
 * only: our labels, every key of Karmada's, and our managedFields. Guarded by uid and resourceVersion: a patch made from
 * a stale read changes nothing (422). `live` must come from the API server, with managedFields; throws otherwise.
 *
 * `before` is the object as adoption found it (AdoptionSnapshot): owners get back what adoption took from them, so that
 * their next apply can again drop a field. Without it, nobody gets our fields: a tool that was given fields it never
 * declared would remove them from the running object. Source: design 4, spec/karmada 1.4.
 */
export function releasePatch(live: KubeObject, before?: KubeObject): readonly PatchOperation[] | undefined {
  const operations = [
    ...removeKeys("labels", live.metadata.labels, [...KARMADA_MEMBER_LABELS, KUBEFED_MANAGED_LABEL]),
    ...removeKeys("annotations", live.metadata.annotations, KARMADA_MEMBER_ANNOTATIONS),
    ...releaseFields(live, before),
  ];
  return operations.length > 0 ? [...guardOperations(live), ...operations] : undefined;
}

// A map that only held our keys was made by us; the API server would not keep it empty either.
function removeKeys(
  field: "labels" | "annotations",
  map: Readonly<Record<string, string>> | undefined,
  keys: readonly string[],
): readonly PatchOperation[] {
  const found = Object.keys(map ?? {}).filter(key => keys.includes(key));
  if (found.length === 0) return [];
  if (found.length === Object.keys(map ?? {}).length) return [{ op: "remove", path: `/metadata/${field}` }];
  return found.map(key => ({ op: "remove", path: formatPointer(["metadata", field, key]) }));
}

function releaseFields(live: KubeObject, before: KubeObject | undefined): readonly PatchOperation[] {
  const entries = live.metadata.managedFields ?? [];
  const ours = entries.filter(isOurs);
  if (ours.every(isFarewell)) return [];

  const others = entries.filter(entry => !isOurs(entry));
  const given = before ? giveBack(others, { live, before, ours: allFields(ours) }) : others;
  const value = given.length > 0 ? given : [farewell(live.apiVersion)];
  return [{ op: "replace", path: "/metadata/managedFields", value }];
}

/** True when the object bears fields of ours that a release would take away: an adoption has begun, or has been done. */
export function bearsOurFields({ metadata }: KubeObject): boolean {
  return (metadata.managedFields ?? []).some(entry => isOurs(entry) && !isFarewell(entry));
}

interface Adoption {
  readonly live: KubeObject;
  readonly before: KubeObject;
  readonly ours: FieldNode;
}

function giveBack(entries: readonly ManagedFieldsEntry[], adoption: Adoption): readonly ManagedFieldsEntry[] {
  const { managedFields = [] } = adoption.before.metadata;
  const owners = managedFields.filter(entry => !isOurs(entry) && entry.subresource !== "status");
  return owners.reduce((list, owner) => addFields(list, owner, returnedTo(owner, adoption)), entries);
}

// Appliers gave up all they declared outside metadata (adoptPatch); from others, and in metadata, a forced apply took
// only what it changed. Who wrote with Update gets no field whose value is ours: kubectl's move from client to server side
// would conflict with it (tried).
function returnedTo(owner: ManagedFieldsEntry, { live, before, ours }: Adoption): FieldNode {
  const taken = intersection(parseFields(owner.fieldsV1), ours);
  const had = isFromApplier(owner) ? union(bodyFields(owner), taken) : taken;
  return owner.operation === "Apply" ? restrictFields(had, live) : unchangedFields(had, before, live);
}

const NO_LEAF = { "f:metadata": {} };

// An API server drops an entry without fields, and gives an object without entries to `before-first-apply`, with which
// the next server-side apply of anybody conflicts. `metadata` as such is a field that nobody else can want (tried).
function farewell(apiVersion: string): ManagedFieldsEntry {
  return { manager: FIELD_MANAGER, operation: "Apply", apiVersion, fieldsType: "FieldsV1", fieldsV1: NO_LEAF };
}

function isFarewell({ fieldsV1 }: ManagedFieldsEntry): boolean {
  return sameJson(fieldsV1, NO_LEAF);
}
