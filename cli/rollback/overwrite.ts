// Which patch undoes what others have changed in an object since it was taken over?
import type { KubeObject } from "../../crds/object.js";
import { HOST_CONTROLLERS } from "../../lib/domain/owned-fields.js";
import { allFields } from "../../lib/domain/field-entries.js";
import type { FieldNode } from "../../lib/domain/field-tree.js";
import type { PatchOperation } from "../../lib/domain/json-patch.js";
import { formatPointer, parsePointer } from "../../lib/domain/json-pointer.js";
import { isRecord, ownValue, sameJson } from "../../lib/domain/json-value.js";
import { guardOperations } from "../../lib/domain/patch-guard.js";

/** Annotations by which controllers count; nobody changes them by hand. */
export const COUNTERS: readonly string[] = [
  "deployment.kubernetes.io/revision",
  "deprecated.daemonset.template.generation",
];

/**
 * Of what others have changed (`changedByOthers` of a Restoration), what people and their tools have: counters, and what
 * only controllers such as an autoscaler own, stay as they are in any case.
 */
export function byPeople(live: KubeObject, pointers: readonly string[]): readonly string[] {
  const entries = (live.metadata.managedFields ?? []).filter(({ subresource }) => subresource !== "status");
  const isController = ({ manager = "" }: { readonly manager?: string }) => HOST_CONTROLLERS.has(manager);
  const controllers = allFields(entries.filter(isController));
  const people = allFields(entries.filter(entry => !isController(entry)));
  return pointers.filter(pointer => {
    const tokens = parsePointer(pointer);
    if (tokens[1] === "annotations" && COUNTERS.includes(tokens[2] ?? "")) return false;
    return owns(people, tokens) || !owns(controllers, tokens);
  });
}

/** Whether anything at or below a place is owned. */
function owns(fields: FieldNode, tokens: readonly string[]): boolean {
  let node = fields;
  for (const token of tokens) {
    if (node.whole) return true;
    const next = [`f:${token}`, `k:${token}`, `v:${token}`].flatMap(element => node.children.get(element) ?? [])[0];
    if (!next) return false;
    node = next;
  }
  return true;
}

/**
 * Gives the places the values that they had in `before`. Pointers are those of a Restoration: an item of a list is named by
 * its key, or by its value, as JSON. Guarded by uid and resourceVersion; `undefined` when nothing differs.
 */
export function overwritePatch(
  live: KubeObject,
  before: KubeObject,
  pointers: readonly string[],
): readonly PatchOperation[] | undefined {
  const operations = pointers.flatMap(pointer => operationFor(live, before, parsePointer(pointer)));
  // From the end of a list to its beginning: what is removed must not move what is still to be removed.
  const inOrder = operations.filter(({ op }) => op !== "remove");
  const removals = operations.filter(({ op }) => op === "remove").sort(byPlaceFromTheEnd);
  return operations.length > 0 ? [...guardOperations(live), ...inOrder, ...removals] : undefined;
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly parent: unknown;
  readonly value: unknown;
}

function operationFor(live: KubeObject, before: KubeObject, tokens: readonly string[]): PatchOperation[] {
  const [now, then] = [placeOf(live, tokens), placeOf(before, tokens)];
  if (sameJson(now?.value, then?.value)) return [];
  if (then?.value === undefined) return now ? [{ op: "remove", path: formatPointer(now.path) }] : [];
  if (now && now.value !== undefined) return [{ op: "replace", path: formatPointer(now.path), value: then.value }];
  // Its parent may be gone as well: then the nearest place that both have is given back whole.
  return now
    ? [{ op: "add", path: formatPointer(now.path), value: then.value }]
    : operationFor(live, before, tokens.slice(0, -1));
}

/** Where the tokens lead; its value is `undefined` where only the parent is there. `undefined`: not even that. */
function placeOf(object: unknown, tokens: readonly string[]): Place | undefined {
  let place: Place = { path: [], parent: undefined, value: object };
  for (const token of tokens) {
    const next = step(place, token);
    if (!next) return undefined;
    place = next;
  }
  return place;
}

function step({ path, value }: Place, token: string): Place | undefined {
  if (isRecord(value)) return { path: [...path, token], parent: value, value: ownValue(value, token) };
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  const index = items.findIndex(item => isNamed(item, token));
  return index < 0
    ? { path: [...path, "-"], parent: value, value: undefined }
    : { path: [...path, index], parent: value, value: items[index] };
}

function isNamed(item: unknown, token: string): boolean {
  const name = parsed(token);
  if (!isRecord(name) || !isRecord(item)) return sameJson(item, name);
  return Object.entries(name).every(([key, value]) => sameJson(ownValue(item, key) ?? null, value));
}

function parsed(token: string): unknown {
  try {
    return JSON.parse(token) as unknown;
  } catch {
    return token;
  }
}

function byPlaceFromTheEnd(a: PatchOperation, b: PatchOperation): number {
  return b.path.localeCompare(a.path, "en", { numeric: true });
}
