// The generated schemas are structural, complete and up to date.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { KINDS } from "../../crds/kinds.js";
import { anyJson, dateTime, listByKey, object, quantity, withDefault, withRules } from "../../crds/schema.js";
import { generatedFiles } from "../gen-crds.js";
import { writeGenerated } from "../generated-files.js";
import { structuralSchema, type SchemaNode } from "./structural.js";

function fieldOf(schema: z.ZodType): SchemaNode | undefined {
  return structuralSchema(object({ field: schema })).properties?.["field"];
}

describe("structuralSchema", () => {
  it.each`
    given                                             | schema                                                     | result
    ${"a 32-bit integer"}                             | ${z.int32()}                                               | ${{ type: "integer", format: "int32" }}
    ${"an integer with a limit somebody meant"}       | ${z.int().min(1)}                                          | ${{ type: "integer", format: "int64", minimum: 1 }}
    ${"a time, whose pattern the API server refuses"} | ${dateTime()}                                              | ${{ type: "string", format: "date-time" }}
    ${"a text with a pattern"}                        | ${z.string().regex(/^a$/)}                                 | ${{ type: "string", pattern: "^a$" }}
    ${"an enumeration with a default"}                | ${withDefault(z.enum(["a", "b"]), "a")}                    | ${{ type: "string", enum: ["a", "b"], default: "a" }}
    ${"any JSON"}                                     | ${anyJson()}                                               | ${{ "x-kubernetes-preserve-unknown-fields": true }}
    ${"an object, whose unknown fields are pruned"}   | ${object({ a: z.string() })}                               | ${{ type: "object", properties: { a: { type: "string" } }, required: ["a"] }}
    ${"a map"}                                        | ${z.record(z.string(), z.int32())}                         | ${{ type: "object", additionalProperties: { type: "integer", format: "int32" } }}
    ${"a list merged by key"}                         | ${listByKey(object({ k: z.string() }), "k")}               | ${{ type: "array", items: { type: "object", properties: { k: { type: "string" } }, required: ["k"] }, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] }}
    ${"a CEL rule"}                                   | ${withRules(z.string(), [{ rule: "true", message: "m" }])} | ${{ type: "string", "x-kubernetes-validations": [{ rule: "true", message: "m" }] }}
  `("writes $given", ({ schema, result }) => {
    expect(fieldOf(schema)).toEqual(result);
  });

  it("writes a quantity as integer or string, without JavaScript's limits", () => {
    expect(fieldOf(quantity())).toEqual({
      anyOf: [{ type: "integer" }, { type: "string" }],
      pattern: expect.stringContaining("[KMGTPE]i"),
      "x-kubernetes-int-or-string": true,
    });
  });

  it.each`
    given               | schema
    ${"a union"}        | ${z.union([z.string(), z.boolean()])}
    ${"a tagged union"} | ${z.discriminatedUnion("t", [z.object({ t: z.literal("a") }), z.object({ t: z.literal("b") })])}
  `("refuses $given and says where it stands", ({ schema }) => {
    expect(() => fieldOf(schema)).toThrow(/^field .*CEL rule/);
  });

  it("leaves metadata to the API server", () => {
    for (const kind of KINDS) {
      expect(structuralSchema(kind.schema).properties?.["metadata"]).toEqual({ type: "object" });
    }
  });
});

describe("every kind", () => {
  it.each(KINDS)("describes every field of $kind", kind => {
    expect(undescribed(structuralSchema(kind.schema), "")).toEqual([]);
  });

  it("has its YAML and its reference page up to date", () => {
    expect(writeGenerated(generatedFiles(), true)).toEqual([]);
  });
});

function undescribed(node: SchemaNode, path: string): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, field]) => {
    const fieldPath = path ? `${path}.${name}` : name;
    const own = field.description || fieldPath === "metadata" ? [] : [fieldPath];
    return [...own, ...undescribed(field.items ?? field, fieldPath)];
  });
}
