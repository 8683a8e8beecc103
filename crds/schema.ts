// How a kind is described: zod for shape and type, and what the API server needs besides.
import { z } from "zod";
import { ObjectMetaSchema } from "./object.js";

/** The same type, read-only all the way down: what comes from the wire or a store is never changed in place. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/**
 * An object whose unknown fields pass through parsing untouched, but are invisible to the type: a newer server may send
 * more than we know, and a typo in our code should still not compile.
 */
export function object<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  return z.looseObject(shape) as unknown as z.ZodObject<Shape>;
}

/** Any JSON value; the API server keeps it as it is. */
export function anyJson() {
  return z.unknown().meta({ "x-kubernetes-preserve-unknown-fields": true });
}

/** A list the API server merges by one key of its items, so that two writers can each own an entry. */
export function listByKey<Item extends z.ZodType>(item: Item, key: string) {
  return z.array(item).meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [key] });
}

/** A Kubernetes quantity such as `500m`, `2Gi` or `3`. */
export function quantity() {
  return z
    .union([z.int(), z.string().regex(/^[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/)])
    .meta({ "x-kubernetes-int-or-string": true });
}

/** Quantities by resource name, as in `resources.requests`. */
export function resourceList() {
  return z.record(z.string(), quantity());
}

/** An RFC 3339 time. The API server checks the format; parsing it again on every read would be wasted. */
export function dateTime() {
  return z.string().meta({ format: "date-time" });
}

/** A default that the API server fills in. Parsing does not: readers write `?? value` and so serve stored old objects too. */
export function withDefault<Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) {
  return schema.meta({ default: value }).optional();
}

/** One CEL rule (KEP-2876). The message tells what to do. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
}

/** The same schema with CEL rules, which the API server checks even when no webhook answers. */
export function withRules<Schema extends z.ZodType>(schema: Schema, rules: readonly Rule[]): Schema {
  return schema.meta({ "x-kubernetes-validations": rules });
}

/** The fields every object starts with, and `spec`, `status`. */
export function kindShape<Shape extends z.ZodRawShape>(apiVersion: string, kind: string, shape: Shape) {
  return object({
    apiVersion: z.literal(apiVersion).describe("Group and version of this object's schema."),
    kind: z.literal(kind).describe("The kind of this object."),
    metadata: ObjectMetaSchema,
    ...shape,
  });
}
