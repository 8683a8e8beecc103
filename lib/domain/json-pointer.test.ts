// Does a pointer name the place that RFC 6901 says, and nothing inherited?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPointer, getAt, JsonPointerError, parsePointer } from "./json-pointer.js";

describe("parsePointer", () => {
  it.each`
    pointer        | tokens
    ${""}          | ${[]}
    ${"/"}         | ${[""]}
    ${"/a/b"}      | ${["a", "b"]}
    ${"/a~1b/c~0"} | ${["a/b", "c~"]}
    ${"/~01"}      | ${["~1"]}
    ${"/a//b"}     | ${["a", "", "b"]}
  `("splits $pointer", ({ pointer, tokens }: { pointer: string; tokens: string[] }) => {
    expect(parsePointer(pointer)).toEqual(tokens);
  });

  it.each`
    pointer            | advice
    ${"spec/replicas"} | ${'write "/spec/replicas"'}
    ${"/a~"}           | ${"written ~0"}
    ${"/a~2b"}         | ${"written ~0"}
  `("refuses $pointer and says what to write", ({ pointer, advice }: { pointer: string; advice: string }) => {
    expect(() => parsePointer(pointer)).toThrow(JsonPointerError);
    expect(() => parsePointer(pointer)).toThrow(advice);
  });

  it("is the inverse of formatPointer", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), tokens => {
        expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
      }),
    );
  });
});

describe("getAt", () => {
  const document = { a: [{ b: 1 }], "x/y": { "": 2 }, none: null };

  it.each`
    pointer          | value
    ${""}            | ${document}
    ${"/a/0/b"}      | ${1}
    ${"/x~1y/"}      | ${2}
    ${"/none"}       | ${null}
    ${"/none/x"}     | ${undefined}
    ${"/a/1"}        | ${undefined}
    ${"/a/00"}       | ${undefined}
    ${"/a/-"}        | ${undefined}
    ${"/a/length"}   | ${undefined}
    ${"/toString"}   | ${undefined}
    ${"/__proto__"}  | ${undefined}
    ${"/a/0/b/deep"} | ${undefined}
  `("finds $value at $pointer", ({ pointer, value }: { pointer: string; value: unknown }) => {
    expect(getAt(document, pointer)).toEqual(value);
  });
});
