// Do ages read as kubectl writes them?
import { describe, expect, it } from "vitest";
import { ageOf } from "./age.js";

const NOW = new Date("2026-03-01T00:00:00Z");
const ago = (seconds: number): string => new Date(NOW.getTime() - seconds * 1_000).toISOString();
const [M, H, D, Y] = [60, 3_600, 86_400, 365 * 86_400];

describe("ageOf", () => {
  it.each`
    seconds          | age
    ${0}             | ${"0s"}
    ${-3}            | ${"0s"}
    ${119}           | ${"119s"}
    ${2 * M}         | ${"2m"}
    ${2 * M + 5}     | ${"2m5s"}
    ${10 * M + 5}    | ${"10m"}
    ${3 * H - 1}     | ${"179m"}
    ${3 * H + 4 * M} | ${"3h4m"}
    ${8 * H + 4 * M} | ${"8h"}
    ${47 * H}        | ${"47h"}
    ${3 * D + 4 * H} | ${"3d4h"}
    ${3 * D}         | ${"3d"}
    ${8 * D + 4 * H} | ${"8d"}
    ${2 * Y + 3 * D} | ${"2y3d"}
    ${9 * Y + 3 * D} | ${"9y"}
  `("of $seconds seconds is $age", ({ seconds, age }: { seconds: number; age: string }) => {
    expect(ageOf(ago(seconds), NOW)).toBe(age);
  });

  it.each([undefined, "yesterday"])("is not known for %s", timestamp => {
    expect(ageOf(timestamp, NOW)).toBe("<unknown>");
  });
});
