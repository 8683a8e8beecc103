// Does a patch do what RFC 6902 says, leave its input alone, and say what does not fit?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyJsonPatch, JsonPatchError, type PatchOperation } from "./json-patch.js";
import { formatPointer, getAt } from "./json-pointer.js";

describe("applyJsonPatch", () => {
  it.each`
    what                                   | document                 | operation                                            | result
    ${"adds a field"}                      | ${{ a: {} }}             | ${{ op: "add", path: "/a/b", value: 1 }}             | ${{ a: { b: 1 } }}
    ${"adds a key with a slash"}           | ${{ a: {} }}             | ${{ op: "add", path: "/a/b~1c", value: 1 }}          | ${{ a: { "b/c": 1 } }}
    ${"overwrites with add"}               | ${{ a: 1 }}              | ${{ op: "add", path: "/a", value: 2 }}               | ${{ a: 2 }}
    ${"inserts into a list"}               | ${{ a: [1, 3] }}         | ${{ op: "add", path: "/a/1", value: 2 }}             | ${{ a: [1, 2, 3] }}
    ${"appends to a list"}                 | ${{ a: [1] }}            | ${{ op: "add", path: "/a/-", value: 2 }}             | ${{ a: [1, 2] }}
    ${"replaces by null"}                  | ${{ a: 1 }}              | ${{ op: "replace", path: "/a", value: null }}        | ${{ a: null }}
    ${"removes an item"}                   | ${{ a: [1, 2] }}         | ${{ op: "remove", path: "/a/0" }}                    | ${{ a: [2] }}
    ${"moves a field"}                     | ${{ a: 1 }}              | ${{ op: "move", path: "/b", from: "/a" }}            | ${{ b: 1 }}
    ${"copies a field into itself"}        | ${{ a: { b: 1 } }}       | ${{ op: "copy", path: "/a/c", from: "/a" }}          | ${{ a: { b: 1, c: { b: 1 } } }}
    ${"tests without a look at key order"} | ${{ a: { b: 1, c: 2 } }} | ${{ op: "test", path: "/a", value: { c: 2, b: 1 } }} | ${{ a: { b: 1, c: 2 } }}
  `("$what", ({ document, operation, result }: { document: unknown; operation: PatchOperation; result: unknown }) => {
    expect(applyJsonPatch(document, [operation])).toEqual(result);
  });

  it.each`
    why                            | operation                                         | message
    ${"nothing to replace"}        | ${{ op: "replace", path: "/b", value: 1 }}        | ${"there is no field /b; use add"}
    ${"an inherited field"}        | ${{ op: "replace", path: "/toString", value: 1 }} | ${"there is no field /toString"}
    ${"the prototype"}             | ${{ op: "add", path: "/__proto__", value: {} }}   | ${"__proto__"}
    ${"nothing to remove"}         | ${{ op: "remove", path: "/list/7" }}              | ${"there is no field /list/7"}
    ${"a parent that is absent"}   | ${{ op: "add", path: "/b/c", value: 1 }}          | ${"/b does not exist"}
    ${"a parent that is a scalar"} | ${{ op: "add", path: "/a/c", value: 1 }}          | ${"/a is neither an object nor a list"}
    ${"an index with a zero"}      | ${{ op: "add", path: "/list/01", value: 1 }}      | ${'"01" is no index'}
    ${"an index beyond the end"}   | ${{ op: "add", path: "/list/3", value: 1 }}       | ${"only 2 item(s)"}
    ${"a name for an index"}       | ${{ op: "add", path: "/list/x", value: 1 }}       | ${'"x" is no index'}
    ${"a failed test"}             | ${{ op: "test", path: "/a", value: 2 }}           | ${"another one than the test expects"}
    ${"a path without a slash"}    | ${{ op: "add", path: "b", value: 1 }}             | ${'write "/b"'}
    ${"an unknown operation"}      | ${{ op: "merge", path: "/a", value: 1 }}          | ${"none of add"}
    ${"a missing value"}           | ${{ op: "add", path: "/b" }}                      | ${"needs a value"}
    ${"a move into itself"}        | ${{ op: "move", path: "/map/x", from: "/map" }}   | ${"into itself"}
    ${"a move from nowhere"}       | ${{ op: "move", path: "/x", from: "/y" }}         | ${"there is no field /y"}
  `("refuses $why and names the path", ({ operation, message }: { operation: PatchOperation; message: string }) => {
    const apply = () =>
      applyJsonPatch({ a: 1, list: [1, 2], map: {} }, [{ op: "test", path: "/a", value: 1 }, operation]);

    expect(apply).toThrow(JsonPatchError);
    expect(apply).toThrow(message);
    expect(apply).toThrow(operation.path);
    expect(apply).toThrow(expect.objectContaining({ index: 1 }));
  });

  const segment = fc.constantFrom("a", "b", "0", "1", "-", "x/y", "~", "");
  const path = fc.array(segment, { maxLength: 3 }).map(formatPointer);
  const operation: fc.Arbitrary<PatchOperation> = fc.oneof(
    fc.record({ op: fc.constantFrom("add", "replace", "test"), path, value: fc.jsonValue() }),
    fc.record({ op: fc.constant("remove"), path }),
    fc.record({ op: fc.constantFrom("move", "copy"), path, from: path }),
  );
  const { json } = fc.letrec<{ json: unknown }>(tie => ({
    json: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(0, "s", null, true),
      fc.array(tie("json"), { maxLength: 2 }),
      fc.dictionary(segment, tie("json"), { maxKeys: 3 }),
    ),
  }));

  it("never changes its input, whether it succeeds or throws", () => {
    fc.assert(
      fc.property(json, fc.array(operation, { maxLength: 4 }), (document, operations) => {
        const before = structuredClone({ document, operations });
        try {
          applyJsonPatch(document, operations);
        } catch (error) {
          expect(error).toBeInstanceOf(JsonPatchError);
        }
        expect({ document, operations }).toEqual(before);
      }),
    );
  });

  it("puts what it adds where getAt finds it", () => {
    fc.assert(
      fc.property(json, path, fc.jsonValue(), (document, pointer, value) => {
        fc.pre(getAt(document, pointer) !== undefined && !/\/[01]$/.test(pointer));
        expect(getAt(applyJsonPatch(document, [{ op: "add", path: pointer, value }]), pointer)).toEqual(value);
      }),
    );
  });
});
