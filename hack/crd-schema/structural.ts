// Turns what zod says about a kind into the structural schema that an API server accepts.
import { z } from "zod";

/** One node of an OpenAPI v3 schema. */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly additionalProperties?: SchemaNode | boolean;
  readonly [key: string]: unknown;
}

const UNSUPPORTED = ["oneOf", "allOf", "not", "$ref", "discriminator", "patternProperties", "propertyNames"];
const INT32 = { minimum: -2147483648, maximum: 2147483647 };

/**
 * The structural schema of one kind (KEP-1027): types everywhere, no unions but int-or-string, integers with a format
 * instead of JavaScript's limits.
 * @throws Error naming the place when the zod schema says something that no structural schema can say.
 */
export function structuralSchema(schema: z.ZodType): SchemaNode {
  const raw = z.toJSONSchema(schema, {
    target: "openapi-3.0",
    io: "input",
    reused: "inline",
    unrepresentable: "any",
  }) as SchemaNode;
  const { properties, ...rest } = structural(raw, "");
  return { ...rest, type: "object", properties: { ...properties, ...ROOT_FIELDS } };
}

const ROOT_FIELDS: Readonly<Record<string, SchemaNode>> = {
  apiVersion: { type: "string", description: "Group and version of this object's schema." },
  kind: { type: "string", description: "The kind of this object." },
  // An API server owns the schema of metadata and refuses anything but this.
  metadata: { type: "object" },
};

function structural(node: SchemaNode, path: string): SchemaNode {
  const bad = UNSUPPORTED.find(key => key in node);
  if (bad) throw new Error(`${path || "the schema"} uses ${bad}, which no structural schema allows; write a CEL rule`);
  if (node["x-kubernetes-int-or-string"]) return intOrString(node);
  if (node.anyOf) throw new Error(`${path} is a union, which no structural schema allows; write a CEL rule`);
  return children(scalars(node), path);
}

function intOrString(node: SchemaNode): SchemaNode {
  const pattern = node.anyOf?.map(choice => choice["pattern"]).find(found => found !== undefined);
  const anyOf = [{ type: "integer" }, { type: "string" }];
  return { ...node, anyOf, ...(pattern === undefined ? {} : { pattern }) };
}

function scalars(node: SchemaNode): SchemaNode {
  const { minimum, maximum, pattern, ...rest } = node;
  const kept = { ...rest, ...(pattern === undefined || node.format === "date-time" ? {} : { pattern }) };
  if (node.type !== "integer") return { ...kept, ...given({ minimum, maximum }) };
  const format = maximum === INT32.maximum ? "int32" : "int64";
  return { ...kept, format, ...given({ minimum: realLimit(minimum), maximum: realLimit(maximum) }) };
}

/** A limit somebody meant, not the edge of what JavaScript or int32 can hold. */
function realLimit(limit: number | undefined): number | undefined {
  const edges = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, INT32.minimum, INT32.maximum];
  return limit === undefined || edges.includes(limit) ? undefined : limit;
}

function given(limits: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(limits).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}

function children(node: SchemaNode, path: string): SchemaNode {
  const { properties, items, additionalProperties, ...rest } = node;
  return {
    ...rest,
    ...(items ? { items: structural(items, `${path}[]`) } : {}),
    ...(properties && Object.keys(properties).length > 0 ? { properties: fields(properties, path) } : {}),
    ...(isMap(node) ? { additionalProperties: structural(additionalProperties as SchemaNode, `${path}{}`) } : {}),
  };
}

function fields(properties: Readonly<Record<string, SchemaNode>>, path: string): Record<string, SchemaNode> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, structural(field, path ? `${path}.${name}` : name)]),
  );
}

/** A map has typed values and no properties; an object's `additionalProperties: {}` is zod's word for "passes through". */
function isMap(node: SchemaNode): boolean {
  const values = node.additionalProperties;
  return !node.properties && typeof values === "object" && Object.keys(values).length > 0;
}
