// Which fields does an entry of managedFields name? The format FieldsV1 as a tree, with its set algebra.
import { isRecord } from "./json-value.js";

/**
 * One node of a set of fields. Children are keyed as FieldsV1 writes them: `f:name`, `k:{"name":"c"}`, `v:"x"`, `i:0`.
 * Source of the format: KEP-555 and sigs.k8s.io/structured-merge-diff, package fieldpath.
 */
export interface FieldNode {
  /** The field itself belongs to the set (`"."`, or a leaf). */
  readonly own: boolean;
  /** A leaf `{}`: the set speaks of the value as a whole, a scalar or an atomic list or map. */
  readonly whole: boolean;
  readonly children: ReadonlyMap<string, FieldNode>;
}

const NO_CHILDREN: ReadonlyMap<string, FieldNode> = new Map();

/** The set that holds nothing. */
export const NO_FIELDS: FieldNode = { own: false, whole: false, children: NO_CHILDREN };

/** Reads one `fieldsV1`; what is not an object counts as no fields. */
export function parseFields(fieldsV1: unknown): FieldNode {
  if (!isRecord(fieldsV1) || Object.keys(fieldsV1).length === 0) return NO_FIELDS;
  return parseNode(fieldsV1);
}

function parseNode(raw: unknown): FieldNode {
  const entries = isRecord(raw) ? Object.entries(raw) : [];
  if (entries.length === 0) return { own: true, whole: true, children: NO_CHILDREN };
  const children = new Map<string, FieldNode>();
  for (const [key, child] of entries) if (key !== ".") children.set(key, parseNode(child));
  return { own: entries.some(([key]) => key === "."), whole: false, children };
}

/** Writes a set as `fieldsV1`. A field that is owned without its content, and has none of its own, becomes `{".":{}}`. */
export function formatFields(node: FieldNode): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  if (node.own && !node.whole) raw["."] = {};
  for (const [key, child] of node.children) raw[key] = formatFields(child);
  return raw;
}

/** Whether a set names no field at all. */
export function isEmpty(node: FieldNode): boolean {
  return !node.own && [...node.children.values()].every(isEmpty);
}

/** The fields of either set. A value that one set names as a whole and the other looks into is not a whole. */
export function union(a: FieldNode, b: FieldNode): FieldNode {
  const children = new Map(a.children);
  for (const [key, child] of b.children) {
    const mine = children.get(key);
    children.set(key, mine ? union(mine, child) : child);
  }
  // An empty side says nothing about the shape; two that own the field must agree that it has no inside.
  const whole = children.size === 0 && (a.whole || b.whole);
  return { own: a.own || b.own, whole, children };
}

/** The fields of `a` that are not in `b`; nodes left without any field are gone. */
export function difference(a: FieldNode, b: FieldNode): FieldNode {
  const children = new Map<string, FieldNode>();
  for (const [key, child] of a.children) {
    const other = b.children.get(key);
    const rest = other ? difference(child, other) : child;
    if (!isEmpty(rest)) children.set(key, rest);
  }
  const own = a.own && !b.own;
  return { own, whole: own && a.whole, children };
}

/** `node` without the child `key` (such as `f:metadata`). */
export function withoutChild(node: FieldNode, key: string): FieldNode {
  const children = new Map(node.children);
  children.delete(key);
  return { ...node, children };
}

/**
 * Takes `whole` from the leaves of `node` that some other set, united in `shape`, looks into: an owner of `emptyDir: {}`
 * does not own the `sizeLimit` that somebody else put there. Without `shape` a leaf cannot tell `{}` from an atomic map.
 */
export function refineWholes(node: FieldNode, shape: FieldNode): FieldNode {
  if (node.whole) return shape.children.size > 0 ? { ...node, whole: false } : node;
  const children = new Map<string, FieldNode>();
  for (const [key, child] of node.children)
    children.set(key, refineWholes(child, shape.children.get(key) ?? NO_FIELDS));
  return { ...node, children };
}

/** The fields that are in both sets. */
export function intersection(a: FieldNode, b: FieldNode): FieldNode {
  return difference(a, difference(a, b));
}
