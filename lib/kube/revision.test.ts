// Are revisions compared as the numbers they are?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLater, laterOf } from "./revision.js";

describe("revisions", () => {
  it.each`
    a            | b            | later
    ${"10"}      | ${"9"}       | ${true}
    ${"9"}       | ${"10"}      | ${false}
    ${"10"}      | ${"10"}      | ${false}
    ${"1"}       | ${undefined} | ${true}
    ${undefined} | ${"1"}       | ${false}
  `("$a after $b: $later", ({ a, b, later }: { a: string; b: string; later: boolean }) => {
    expect(isLater(a, b)).toBe(later);
  });

  it("are compared as numbers of any size", () => {
    const big = fc.bigInt({ min: 1n, max: 2n ** 64n });
    fc.assert(
      fc.property(big, big, (a, b) => {
        expect(isLater(String(a), String(b))).toBe(a > b);
        expect(laterOf(String(a), String(b))).toBe(String(a > b ? a : b));
      }),
    );
  });
});
