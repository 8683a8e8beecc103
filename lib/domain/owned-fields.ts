// Which fields of a template did people and their tools set?
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { resolvesIn, selectFields } from "./field-select.js";
import { formatFields, NO_FIELDS, parseFields, refineWholes, union, type FieldNode } from "./field-tree.js";
import { withoutHold } from "./hold.js";
import { isRecord } from "./json-value.js";
import { FIELD_MANAGER } from "./marks.js";
import { pruneServerChoices } from "./prune-kinds.js";
import { pruneForMember } from "./prune.js";

/** Field managers that act on the host's behalf: what they fill in is about the host. */
export const HOST_CONTROLLERS: ReadonlySet<string> = new Set([
  "kube-controller-manager",
  "kube-scheduler",
  "kube-apiserver",
  "kubelet",
  "cloud-controller-manager",
  "cluster-autoscaler",
  "openshift-controller-manager",
  // Distributions that run the controllers above in one process.
  "k3s",
  "kubelite",
  "karmada-controller-manager",
  "karmada-scheduler",
  "karmada-webhook",
  "karmada-agent",
]);

/**
 * The manifest that a template's authors wrote: the fields that managedFields give to people and tools, ready for a
 * member (see {@link pruneForMember}). What the host's API server, webhooks and controllers added stays on the host.
 * A template without a usable record is taken as a whole, less what servers usually allocate. Where the hold stands on an
 * ordinary host, the authors' own value travels. Source: design 1 and 6.
 */
export function ownedManifest(template: KubeObject): KubeObject {
  return withoutHold(template, pruned(template));
}

function pruned(template: KubeObject): KubeObject {
  const owned = ownedFields(template);
  if (!owned) return pruneForMember(pruneServerChoices(template));

  const { apiVersion, kind, metadata } = template;
  const selected = selectFields(template, owned);
  const body = isRecord(selected) ? selected : {};
  const { name, namespace } = metadata;
  const ownedMetadata = isRecord(body.metadata) ? body.metadata : {};
  return pruneForMember({ ...body, apiVersion, kind, metadata: { ...ownedMetadata, name, namespace } });
}

/**
 * The template with only the managedFields that {@link ownedManifest} needs, for stores that hold many: the result of
 * `ownedManifest` is the same before and after. Times are dropped, and so is everything controllers and we own.
 */
export function trimManagedFields(template: KubeObject): KubeObject {
  const { managedFields, ...metadata } = template.metadata;
  if (!managedFields) return template;

  const shape = fieldsOf(managedFields);
  const kept = managedFields.filter(isFromPeople).map(entry => ({
    ...entry,
    time: undefined,
    fieldsV1: formatFields(refineWholes(parseFields(entry.fieldsV1), shape)),
  }));
  return { ...template, metadata: kept.length > 0 ? { ...metadata, managedFields: kept } : metadata };
}

function ownedFields(template: KubeObject): FieldNode | undefined {
  const entries = template.metadata.managedFields ?? [];
  const people = entries.filter(isFromPeople);
  if (people.length === 0 || people.some(entry => isInOtherTerms(entry, template))) return undefined;
  return refineWholes(fieldsOf(people), fieldsOf(entries));
}

function fieldsOf(entries: readonly ManagedFieldsEntry[]): FieldNode {
  return entries.map(entry => parseFields(entry.fieldsV1)).reduce(union, NO_FIELDS);
}

// A scale counts whoever made it: a replica count that is left out of an apply falls back to 1 in the member.
function isFromPeople({ manager = "", subresource = "" }: ManagedFieldsEntry): boolean {
  if (manager === FIELD_MANAGER || subresource === "status") return false;
  return subresource === "scale" || !HOST_CONTROLLERS.has(manager);
}

// Paths of another API version may not exist in this one (autoscaling/v1 and v2): fields would be lost in silence.
// A scale is written in terms of the object's own version, whatever its entry says.
function isInOtherTerms(entry: ManagedFieldsEntry, template: KubeObject): boolean {
  return entry.apiVersion !== template.apiVersion && !resolvesIn(parseFields(entry.fieldsV1), template);
}
