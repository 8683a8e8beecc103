// Does a shortened text stay well-formed and as long as it may be?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { truncate, truncateBytes } from "./truncate.js";

const text = fc.string({ unit: "binary", maxLength: 60 });
const limit = fc.nat(80);

const wellFormed = (s: string): boolean => Buffer.from(s).toString() === s;

describe("truncate", () => {
  it("gives a well-formed beginning, at most one unit short", () => {
    fc.assert(
      fc.property(text, limit, (t, n) => {
        const short = truncate(t, n);
        expect(t.startsWith(short)).toBe(true);
        expect(wellFormed(short)).toBe(true);
        expect(short.length).toBeLessThanOrEqual(n);
        expect(short.length).toBeGreaterThanOrEqual(Math.min(t.length, n) - 1);
      }),
    );
  });
});

describe("truncateBytes", () => {
  it("gives a well-formed beginning, at most three bytes short", () => {
    fc.assert(
      fc.property(text, limit, (t, n) => {
        const short = truncateBytes(t, n);
        expect(t.startsWith(short)).toBe(true);
        expect(wellFormed(short)).toBe(true);
        expect(Buffer.byteLength(short)).toBeLessThanOrEqual(n);
        expect(Buffer.byteLength(short)).toBeGreaterThanOrEqual(Math.min(Buffer.byteLength(t), n) - 3);
      }),
    );
  });
});
