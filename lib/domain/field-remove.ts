// What is left of an object when its owner gives up some fields?
import { isEmpty, NO_FIELDS, union, type FieldNode } from "./field-tree.js";
import { isRecord } from "./json-value.js";
import { itemMatcher } from "./field-select.js";

/** `given`: the fields that are given up · `kept`: those that somebody still owns. */
export interface Surrender {
  readonly given: FieldNode;
  readonly kept: FieldNode;
}

const NOBODY: Surrender = { given: NO_FIELDS, kept: NO_FIELDS };

/**
 * `value` as an API server leaves it when an apply does without fields that its manager owned: they go with all that is in
 * them, unless somebody else owns something there; a map or list that gets empty goes too. Source: KEP-555 and
 * sigs.k8s.io/structured-merge-diff, typed/remove.go. `undefined`: nothing is left.
 */
export function withoutFields(value: unknown, surrender: Surrender): unknown {
  if (isGone(surrender)) return undefined;
  if (surrender.given.children.size === 0) return value;
  if (Array.isArray(value)) return withoutItems(value, surrender);
  return isRecord(value) ? withoutKeys(value, surrender) : value;
}

function isGone({ given, kept }: Surrender): boolean {
  return given.own && isEmpty(kept);
}

function withoutKeys(record: Readonly<Record<string, unknown>>, surrender: Surrender): unknown {
  const entries = Object.entries(record).map(([key, value]) => [
    key,
    withoutFields(value, childOf(surrender, `f:${key}`)),
  ]);
  const left = entries.filter(([, value]) => value !== undefined);
  return left.length > 0 || entries.length === 0 ? Object.fromEntries(left) : undefined;
}

function withoutItems(items: readonly unknown[], surrender: Surrender): unknown {
  const left = items.flatMap((item, index) => withoutParts(item, index, surrender));
  return left.length > 0 || items.length === 0 ? left : undefined;
}

/** The keys by which an item is found stay as long as anything of it does. */
function withoutParts(item: unknown, index: number, { given, kept }: Surrender): readonly unknown[] {
  const rest = withoutFields(item, { given: partOf(given, item, index), kept: partOf(kept, item, index) });
  if (!isRecord(rest) || !isRecord(item)) return rest === undefined ? [] : [rest];
  const keys = new Set([...given.children.keys()].flatMap(element => itemMatcher(element).keys));
  return [
    Object.fromEntries(
      Object.entries(item).flatMap(([key, value]) => {
        if (key in rest) return [[key, rest[key]]];
        return keys.has(key) ? [[key, value]] : [];
      }),
    ),
  ];
}

function childOf({ given, kept }: Surrender, element: string): Surrender {
  const child = given.children.get(element);
  return child ? { given: child, kept: kept.children.get(element) ?? NO_FIELDS } : NOBODY;
}

/** What a set says about one item of a list; duplicates of one key share it. */
function partOf(node: FieldNode, item: unknown, index: number): FieldNode {
  return [...node.children]
    .filter(([element]) => itemMatcher(element).matches(item, index))
    .map(([, child]) => child)
    .reduce(union, NO_FIELDS);
}
