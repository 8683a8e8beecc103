// Is this JSON value an object, and are two JSON values the same?
import { isDeepStrictEqual } from "node:util";

/** Whether `value` is a JSON object: not a list, not `null`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of an own key, or `undefined`; keys of the prototype (`constructor`, `__proto__`) are never found. */
export function ownValue(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Whether two JSON values are equal; the order of keys does not count, the order of list items does. */
export function sameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}

/** `record` without `keys`; `undefined` when nothing is left, because the API server drops empty maps too. */
export function withoutKeys<T>(
  record: Readonly<Record<string, T>> | undefined,
  drop: (key: string) => boolean,
): Readonly<Record<string, T>> | undefined {
  const kept = Object.entries(record ?? {}).filter(([key]) => !drop(key));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/**
 * A copy of `value` in which `update` has replaced what is at `path` (object keys only); nothing is added where there is
 * nothing. `undefined` from `update` takes the key out, and the objects around it that become empty by that.
 */
export function updateAt<T>(value: T, path: readonly string[], update: (found: unknown) => unknown): T {
  return (updated(value, path, update) ?? {}) as T;
}

function updated(value: unknown, path: readonly string[], update: (found: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return update(value);
  if (!isRecord(value) || !Object.hasOwn(value, key)) return value;

  const part = updated(value[key], rest, update);
  if (part === value[key]) return value;
  const others = Object.entries(value).map(([name, other]) => [name, name === key ? part : other] as const);
  const kept = others.filter(([, other]) => other !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
