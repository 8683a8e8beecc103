// How is a list of managedFields entries changed without losing what it says about others?
import type { ManagedFieldsEntry } from "../../crds/object.js";
import { formatFields, isEmpty, NO_FIELDS, parseFields, union, withoutChild, type FieldNode } from "./field-tree.js";
import { FIELD_MANAGER } from "./marks.js";

/** Whether an entry is about what we wrote; what anyone wrote to `status` is left out of every account of ownership. */
export function isOurs({ manager, subresource }: ManagedFieldsEntry): boolean {
  return manager === FIELD_MANAGER && subresource !== "status";
}

// Tools that declare an object from a file. kubectl-rollout is none: it stamps pod templates, and taking its stamp away
// would restart every Pod. The two of Karmada wrote the object for an earlier control plane.
const APPLIERS = [
  /^kubectl(?!-rollout$)/,
  /^helm$/i,
  /^argocd/,
  /^(kustomize-controller|helm-controller|flux.*)$/,
  /^(terraform.*|hashicorp)$/i,
  /^before-first-apply$/,
  /^(karmada-controller-manager|karmada-agent)$/,
];

/** Whether an entry belongs to a tool that declares whole objects, and so gives them up when we take over. */
export function isFromApplier({ manager = "", subresource }: ManagedFieldsEntry): boolean {
  return subresource !== "status" && APPLIERS.some(name => name.test(manager));
}

/** An entry's fields that an owner can change hands over: neither `metadata` nor `status`. */
export function bodyFields(entry: ManagedFieldsEntry): FieldNode {
  return withoutChild(withoutChild(parseFields(entry.fieldsV1), "f:metadata"), "f:status");
}

/** The entry with other fields; `undefined` when none are left, since an entry without fields says nothing. */
export function withFields(entry: ManagedFieldsEntry, fields: FieldNode): ManagedFieldsEntry | undefined {
  return isEmpty(fields) ? undefined : { ...entry, fieldsType: "FieldsV1", fieldsV1: formatFields(fields) };
}

/** The union of the fields of some entries. */
export function allFields(entries: readonly ManagedFieldsEntry[]): FieldNode {
  return entries.map(entry => parseFields(entry.fieldsV1)).reduce(union, NO_FIELDS);
}

/** The list with `fields` added to the entry of the same owner as `owner`, or to a new entry at its end. */
export function addFields(
  entries: readonly ManagedFieldsEntry[],
  owner: ManagedFieldsEntry,
  fields: FieldNode,
): readonly ManagedFieldsEntry[] {
  if (isEmpty(fields)) return entries;
  const index = entries.findIndex(entry => ownerKey(entry) === ownerKey(owner));
  const old = entries[index];
  const entry = withFields(old ?? owner, old ? union(parseFields(old.fieldsV1), fields) : fields);
  if (!entry) return entries;
  return old ? entries.with(index, entry) : [...entries, entry];
}

// An API server keeps one entry per owner; for Apply, whatever version it was made in (managedfields, BuildManagerIdentifier).
function ownerKey({ manager, operation, subresource, apiVersion }: ManagedFieldsEntry): string {
  const version = operation === "Apply" ? "" : apiVersion;
  return JSON.stringify([manager, operation, subresource ?? "", version]);
}
