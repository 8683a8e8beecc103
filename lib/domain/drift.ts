// Does a member object still say what its manifest says?
import { createHash } from "node:crypto";
import { isRecord, ownValue, sameJson } from "./json-value.js";
import { itemKey } from "./list-keys.js";

/**
 * The part of `live` that has the fields of `shape`. Of a list whose items have a key (name, containerPort, mountPath…)
 * the items that `shape` names stay, in `live`'s order; of any other list all items stay, so that a longer list shows.
 * `project(x, x)` equals `x`.
 */
export function project(live: unknown, shape: unknown): unknown {
  if (Array.isArray(live) && Array.isArray(shape)) return projectList(live, shape);
  if (!isRecord(live) || !isRecord(shape)) return live;
  const kept = Object.entries(live).filter(([key]) => Object.hasOwn(shape, key));
  return Object.fromEntries(kept.map(([key, value]) => [key, project(value, shape[key])]));
}

function projectList(live: readonly unknown[], shape: readonly unknown[]): readonly unknown[] {
  const keyOf = itemKey(shape);
  if (!keyOf) return live.map((item, index) => (index < shape.length ? project(item, shape[index]) : item));
  const wanted = new Map(shape.map(item => [keyOf(item), item]));
  return live.filter(item => wanted.has(keyOf(item))).map(item => project(item, wanted.get(keyOf(item))));
}

/**
 * Whether every field of `manifest` has the same value in `live`. Keyed lists may be longer and in another order in
 * `live`; other lists must be equal in length. May answer `false` for values that mean the same and are written in
 * another way (`1000m` and `1`, an empty list and none); never `true` for values that differ.
 */
export function covers(live: unknown, manifest: unknown): boolean {
  if (manifest === undefined || manifest === null) return live === undefined || live === null;
  if (Array.isArray(manifest)) return Array.isArray(live) && coversList(live, manifest);
  if (!isRecord(manifest)) return sameJson(live, manifest);
  return isRecord(live) && Object.entries(manifest).every(([key, value]) => covers(ownValue(live, key), value));
}

function coversList(live: readonly unknown[], manifest: readonly unknown[]): boolean {
  const keyOf = itemKey(manifest);
  if (!keyOf) return live.length === manifest.length && manifest.every((item, index) => covers(live[index], item));
  const found = new Map<string | undefined, unknown[]>();
  for (const item of live) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item]);
  return manifest.every(item => {
    const same = found.get(keyOf(item)) ?? [];
    // Two live items under one key: which of them counts is not for us to say.
    return same.length === 1 && covers(same[0], item);
  });
}

/** 16 characters that stand for a JSON value; the order of object keys does not count, absent and `undefined` are one. */
export function stableHash(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("base64url").slice(0, 16);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).filter(key => value[key] !== undefined);
  return `{${keys
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(",")}}`;
}
