// Which items of a list now and of the list before are the same item?
import type { FieldNode } from "./field-tree.js";
import { isRecord, sameJson } from "./json-value.js";

/** An item of a list now, before, or both; `element` is how FieldsV1 names it. */
export interface ItemPair {
  readonly now: unknown;
  readonly then: unknown;
  readonly element: string;
}

/**
 * Pairs the items as their owners tell them apart: by key (`k:`) or by value (`v:`), in the order of before, then those
 * that have come since. `undefined` for a list that nobody looks into, or in which two items have the same name.
 */
export function itemsById(
  now: readonly unknown[],
  before: readonly unknown[],
  fields: FieldNode,
): readonly ItemPair[] | undefined {
  const elements = [...fields.children.keys()];
  const nameOf = elements.some(e => e.startsWith("v:"))
    ? (item: unknown) => `v:${JSON.stringify(item)}`
    : byKey(elements);
  const [present, past] = [now, before].map(items => new Map(items.map(item => [nameOf?.(item), item]))) as [
    Map<string | undefined, unknown>,
    Map<string | undefined, unknown>,
  ];
  if (present.has(undefined) || past.has(undefined)) return undefined;
  if (present.size < now.length || past.size < before.length) return undefined;
  const names = [...new Set([...past.keys(), ...present.keys()])] as string[];
  return names.map(name => ({ now: present.get(name), then: past.get(name), element: elementFor(name, elements) }));
}

/** Reads an item's key by the fields that the first `k:` element names. */
function byKey(elements: readonly string[]): ((item: unknown) => string | undefined) | undefined {
  const first = elements.find(element => element.startsWith("k:"));
  const keys = Object.keys(keyIn(first));
  if (keys.length === 0) return undefined;
  return item => {
    if (!isRecord(item)) return undefined;
    return `k:${JSON.stringify(Object.fromEntries(keys.map(key => [key, item[key] ?? null])))}`;
  };
}

/** The owners' own spelling of a name: keys may stand in another order. */
function elementFor(name: string, elements: readonly string[]): string {
  if (elements.includes(name) || !name.startsWith("k:")) return name;
  const key = keyIn(name);
  return elements.find(element => element.startsWith("k:") && sameJson(keyIn(element), key)) ?? name;
}

function keyIn(element = "k:{}"): Readonly<Record<string, unknown>> {
  const key: unknown = JSON.parse(element.slice(2));
  return isRecord(key) ? key : {};
}
