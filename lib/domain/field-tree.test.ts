// Do sets of fields follow the laws of sets, in the format that API servers write?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  difference,
  formatFields,
  intersection,
  isEmpty,
  parseFields,
  refineWholes,
  union,
  withoutChild,
} from "./field-tree.js";

const LABELS = { "f:metadata": { "f:labels": { ".": {}, "f:app": {} } } };
const IMAGE = { "f:spec": { "f:containers": { 'k:{"name":"c"}': { ".": {}, "f:name": {}, "f:image": {} } } } };

describe("sets of fields", () => {
  it("unite, part and meet", () => {
    const both = union(parseFields(LABELS), parseFields(IMAGE));

    expect(formatFields(both)).toEqual({ ...LABELS, ...IMAGE });
    expect(formatFields(difference(both, parseFields(LABELS)))).toEqual(IMAGE);
    expect(formatFields(intersection(both, parseFields(LABELS)))).toEqual(LABELS);
    expect(formatFields(withoutChild(both, "f:metadata"))).toEqual(IMAGE);
  });

  it.each([undefined, null, "text", [], {}])("read %o as no fields", raw => {
    expect(isEmpty(parseFields(raw))).toBe(true);
  });

  it("part without leaving a map that nobody owns", () => {
    const rest = difference(
      parseFields({ "f:spec": { "f:replicas": {} } }),
      parseFields({ "f:spec": { "f:replicas": {} } }),
    );

    expect(formatFields(rest)).toEqual({});
  });

  it("keep a whole value whole unless somebody looks into it", () => {
    const owner = parseFields({ "f:emptyDir": {}, "f:selector": {} });
    const other = parseFields({ "f:emptyDir": { "f:sizeLimit": {} } });

    expect(formatFields(refineWholes(owner, union(owner, other)))).toEqual({
      "f:emptyDir": { ".": {} },
      "f:selector": {},
    });
  });

  const element = fc.constantFrom("f:a", "f:b", 'k:{"name":"c"}', 'v:"x"', "i:0");
  const { fields } = fc.letrec<{ fields: Record<string, unknown> }>(tie => ({
    fields: fc
      .dictionary(
        fc.oneof({ weight: 4, arbitrary: element }, { weight: 1, arbitrary: fc.constant(".") }),
        fc.oneof({ depthSize: "small" }, fc.constant({}), tie("fields")),
        { maxKeys: 3 },
      )
      .map(raw => ("." in raw ? { ...raw, ".": {} } : raw)),
  }));
  const set = fields.map(raw => parseFields(raw));

  it("survive a round trip through their format", () => {
    fc.assert(
      fc.property(set, a => {
        expect(parseFields(formatFields(a))).toEqual(a);
      }),
    );
  });

  it("obey the laws of sets", () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(isEmpty(difference(a, a))).toBe(true);
        expect(isEmpty(intersection(difference(a, b), b))).toBe(true);
        expect(isEmpty(difference(a, union(a, b)))).toBe(true);
        expect(isEmpty(difference(union(difference(a, b), b), union(a, b)))).toBe(true);
      }),
    );
  });
});
