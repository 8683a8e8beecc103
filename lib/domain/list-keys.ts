// By which fields are the items of a list told apart?
import { isRecord } from "./json-value.js";

interface ListKey {
  /** Every item must have these. */
  readonly fields: readonly string[];
  /** Counts when it is there; servers fill it in with this value. */
  readonly defaulted?: readonly [string, string];
}

/** Keys of Kubernetes' own keyed lists, the most telling first: mounts have a name too, but it is not theirs alone. */
const LIST_KEYS: readonly ListKey[] = [
  { fields: ["mountPath"] },
  { fields: ["devicePath"] },
  { fields: ["containerPort"], defaulted: ["protocol", "TCP"] },
  { fields: ["name"] },
  { fields: ["port"], defaulted: ["protocol", "TCP"] },
  { fields: ["topologyKey", "whenUnsatisfiable"] },
  { fields: ["ip"] },
  { fields: ["uid"] },
];

/**
 * How to name the items of `items`, or `undefined` when they have no key: not all are objects with one of the key
 * fields, or two share it (then only their place tells them apart).
 */
export function itemKey(items: readonly unknown[]): ((item: unknown) => string | undefined) | undefined {
  return LIST_KEYS.map(keyReader).find(keyOf => {
    const keys = items.map(keyOf);
    return items.length > 0 && !keys.includes(undefined) && new Set(keys).size === items.length;
  });
}

function keyReader({ fields, defaulted }: ListKey): (item: unknown) => string | undefined {
  return item => {
    if (!isRecord(item) || !fields.every(field => isScalar(item[field]))) return undefined;
    const key = fields.map(field => item[field]);
    return JSON.stringify(defaulted ? [...key, item[defaulted[0]] ?? defaulted[1]] : key);
  };
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}
