// Does the patch make the one value of the other?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRecord } from "../../lib/domain/json-value.js";
import { mergePatchOf } from "./merge-patch.js";

/** RFC 7386, section 2. */
function applied(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applied(result[key], value);
  }
  return result;
}

const name = fc.constantFrom("a", "b", "c");
const leaf = fc.oneof(fc.string(), fc.integer(), fc.array(fc.integer()));
const map = <T>(values: fc.Arbitrary<T>) => fc.dictionary(name, values, { noNullPrototype: true });
const json = map(fc.oneof(leaf, map(fc.oneof(leaf, map(leaf)))));

describe("mergePatchOf", () => {
  it("leads from any value to any other", () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(applied(before, mergePatchOf(before, after) ?? {})).toEqual(after);
      }),
    );
  });

  it("is nothing where nothing differs", () => {
    fc.assert(
      fc.property(json, value => {
        expect(mergePatchOf(value, JSON.parse(JSON.stringify(value)))).toBeUndefined();
      }),
    );
  });

  it("names only what differs, and null for what goes", () => {
    expect(mergePatchOf({ a: { x: "1", y: "2" }, b: "3" }, { a: { x: "1", z: "4" }, b: "3" })).toEqual({
      a: { y: null, z: "4" },
    });
  });
});
