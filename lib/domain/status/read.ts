// How do we read a status that somebody else wrote, without trusting a single field of it?

/** A JSON object whose fields nobody has checked yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

const INT32_MAX = 2 ** 31 - 1;
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** True for a JSON object; false for arrays, `null` and scalars. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object at `key`, or an empty one. */
export function recordAt(record: JsonRecord, key: string): JsonRecord {
  const value = record[key];
  return isRecord(value) ? value : {};
}

/** The objects in the list at `key`; anything else in it is left out. */
export function recordsAt(record: JsonRecord, key: string): readonly JsonRecord[] {
  const value: unknown = record[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The whole number at `key`, or undefined. */
export function integerAt(record: JsonRecord, key: string): number | undefined {
  const value = record[key];
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

/** The count at `key`: a whole number from 0 to the largest int32; 0 when absent or not a count. */
export function countAt(record: JsonRecord, key: string): number {
  return Math.min(INT32_MAX, Math.max(0, integerAt(record, key) ?? 0));
}

/** The non-empty text at `key`, or undefined. */
export function textAt(record: JsonRecord, key: string): string | undefined {
  const value = record[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The RFC 3339 time at `key` as the API server prints it (UTC, whole seconds), or undefined. */
export function timeAt(record: JsonRecord, key: string): string | undefined {
  const value = textAt(record, key);
  if (value === undefined || !RFC3339.test(value)) return undefined;
  const millis = Date.parse(value);
  return Number.isNaN(millis) ? undefined : new Date(millis).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** The condition of that type which is `True`, or undefined. */
export function trueCondition(status: JsonRecord, type: string): JsonRecord | undefined {
  return recordsAt(status, "conditions").find(condition => condition.type === type && condition.status === "True");
}

/** Sum of the counts at `key`, kept within int32: a status that overflows would be refused whole. */
export function sumAt(records: readonly JsonRecord[], key: string): number {
  return records.reduce((sum, record) => Math.min(INT32_MAX, sum + countAt(record, key)), 0);
}

/** The earliest of times printed by `timeAt` (they sort as text); undefined when there is none. */
export function earliest(times: readonly (string | undefined)[]): string | undefined {
  return times.filter(time => time !== undefined).sort()[0];
}

/** The latest of times printed by `timeAt`; undefined when there is none. */
export function latest(times: readonly (string | undefined)[]): string | undefined {
  return times
    .filter(time => time !== undefined)
    .sort()
    .at(-1);
}

/** Only the named fields of a record, and only those that are there and not `null`. */
export function pick(record: JsonRecord, keys: readonly string[]): JsonRecord {
  return Object.fromEntries(
    keys.map(key => [key, record[key]] as const).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** The record without fields that are undefined, so that absent means absent in JSON and in comparisons. */
export function defined(record: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
