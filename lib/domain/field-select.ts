// What does an object look like when only the fields of a set are left?
import { isEmpty, NO_FIELDS, union, type FieldNode } from "./field-tree.js";
import { isRecord, ownValue, sameJson } from "./json-value.js";

type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * The part of `value` that `node` names, or `undefined` when that is nothing. Keys and items keep the order they have in
 * `value`; items of keyed lists carry their key fields; a map or list that is owned itself stays, even when empty, and
 * one that is not owned appears only around something that is.
 */
export function selectFields(value: unknown, node: FieldNode): unknown {
  if (node.whole) return value;
  if (Array.isArray(value)) return selectItems(value, node);
  if (isRecord(value)) return selectRecord(value, node, []);
  return node.own ? value : undefined;
}

function selectRecord(record: JsonRecord, node: FieldNode, alwaysKeys: readonly string[]): JsonRecord | undefined {
  const selected: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    const child = node.children.get(`f:${key}`);
    const part = alwaysKeys.includes(key) ? value : child && selectFields(value, child);
    if (part !== undefined) selected[key] = part;
  }
  return node.own || Object.keys(selected).length > 0 ? selected : undefined;
}

function selectItems(items: readonly unknown[], node: FieldNode): readonly unknown[] | undefined {
  const matchers = [...node.children].map(([element, child]) => ({ child, ...itemMatcher(element) }));
  const selected = items.flatMap((item, index) => {
    const hits = matchers.filter(({ matches }) => matches(item, index));
    if (hits.length === 0) return [];
    const fields = hits.reduce((all, { child }) => union(all, child), NO_FIELDS);
    const part = selectItem(
      item,
      fields,
      hits.flatMap(({ keys }) => keys),
    );
    return part === undefined ? [] : [part];
  });
  return node.own || selected.length > 0 ? selected : undefined;
}

function selectItem(item: unknown, fields: FieldNode, keys: readonly string[]): unknown {
  return isRecord(item) && !fields.whole ? selectRecord(item, fields, keys) : selectFields(item, fields);
}

/** The part of the set that still names something in `value`. */
export function restrictFields(node: FieldNode, value: unknown): FieldNode {
  const children = new Map<string, FieldNode>();
  for (const [element, child] of node.children) {
    const parts = valuesAt(value, element).map(part => restrictFields(child, part));
    const rest = parts.reduce(union, NO_FIELDS);
    if (!isEmpty(rest)) children.set(element, rest);
  }
  return { own: node.own, whole: node.whole, children };
}

/** The part of the set that names something in `now`, less the leaves that had another value in `before`. */
export function unchangedFields(node: FieldNode, before: unknown, now: unknown): FieldNode {
  return unchanged(node, [before], [now]);
}

// Lists, because duplicates of one key are one element of the set.
function unchanged(node: FieldNode, before: readonly unknown[], now: readonly unknown[]): FieldNode {
  if (node.whole) return sameJson(before, now) ? node : NO_FIELDS;
  const children = new Map<string, FieldNode>();
  for (const [element, child] of node.children) {
    const [then, here] = [before, now].map(values => values.flatMap(value => valuesAt(value, element)));
    const rest = here?.length ? unchanged(child, then ?? [], here) : NO_FIELDS;
    if (!isEmpty(rest)) children.set(element, rest);
  }
  return { ...node, children };
}

/** Whether every field of the set names something in `value`. */
export function resolvesIn(node: FieldNode, value: unknown): boolean {
  return [...node.children].every(([element, child]) => {
    const parts = valuesAt(value, element);
    return parts.length > 0 && parts.some(part => resolvesIn(child, part));
  });
}

function valuesAt(value: unknown, element: string): readonly unknown[] {
  if (element.startsWith("f:")) {
    const part = isRecord(value) ? ownValue(value, element.slice(2)) : undefined;
    return part === undefined ? [] : [part];
  }
  if (!Array.isArray(value)) return [];
  const { matches } = itemMatcher(element);
  return value.filter((item, index) => matches(item, index));
}

/** Finds the item of a list that an element of a set means. */
export interface ItemMatcher {
  /** The fields by which the item is found; empty for sets and indexes. */
  readonly keys: readonly string[];
  matches(item: unknown, index: number): boolean;
}

const NO_ITEM: ItemMatcher = { keys: [], matches: () => false };

/** `k:{"port":80,"protocol":"TCP"}` by key fields, `v:"x"` by value (sets), `i:0` by place. */
export function itemMatcher(element: string): ItemMatcher {
  const text = element.slice(2);
  if (element.startsWith("i:")) return { keys: [], matches: (_item, index) => String(index) === text };
  const wanted = parseJson(text);
  if (element.startsWith("v:")) return { keys: [], matches: item => sameJson(item, wanted) };
  if (!element.startsWith("k:") || !isRecord(wanted)) return NO_ITEM;
  const keys = Object.keys(wanted);
  // A key that the item lacks has its default value, which only the schema knows (`protocol: TCP`).
  const isSo = (item: JsonRecord, key: string) => !(key in item) || sameJson(item[key], wanted[key]);
  const matches = (item: unknown) => isRecord(item) && keys.some(key => key in item) && keys.every(k => isSo(item, k));
  return { keys, matches };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
