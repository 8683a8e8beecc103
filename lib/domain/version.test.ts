// Are versions compared by their numbers, whatever stands around them?
import { describe, expect, it } from "vitest";
import { isOlder, minorsApart, parseVersion } from "./version.js";

describe("parseVersion", () => {
  it.each`
    text               | numbers
    ${"v1.34.4"}       | ${[1, 34, 4]}
    ${"0.1.0-rc.1"}    | ${[0, 1, 0]}
    ${"v1.30.2+k3s1"}  | ${[1, 30, 2]}
    ${"1.30"}          | ${[1, 30, 0]}
    ${"v1.31-eks-abc"} | ${[1, 31, 0]}
  `("reads $text", ({ text, numbers }: { text: string; numbers: number[] }) => {
    expect(Object.values(parseVersion(text) ?? {})).toEqual(numbers);
  });

  it.each(["", "latest", "v1", "1.2.3.4", undefined])("takes %s for no version", text => {
    expect(parseVersion(text)).toBeUndefined();
  });
});

describe("isOlder", () => {
  it.each`
    a          | b          | answer
    ${"0.1.0"} | ${"0.1.1"} | ${true}
    ${"0.9.0"} | ${"0.10"}  | ${true}
    ${"0.9.9"} | ${"1.0.0"} | ${true}
    ${"0.1.0"} | ${"0.1.0"} | ${false}
    ${"1.0.0"} | ${"0.9.9"} | ${false}
    ${"?"}     | ${"0.9.9"} | ${false}
  `("says $answer of $a and $b", ({ a, b, answer }: { a: string; b: string; answer: boolean }) => {
    expect(isOlder(a, b)).toBe(answer);
  });
});

describe("minorsApart", () => {
  it.each`
    a          | b          | apart
    ${"0.1.0"} | ${"0.1.9"} | ${0}
    ${"0.1.0"} | ${"0.3.0"} | ${2}
    ${"0.3.0"} | ${"0.1.0"} | ${2}
    ${"0.3.0"} | ${"1.3.0"} | ${Infinity}
    ${"0.3.0"} | ${"?"}     | ${undefined}
  `("finds $apart between $a and $b", ({ a, b, apart }: { a: string; b: string; apart: number | undefined }) => {
    expect(minorsApart(a, b)).toBe(apart);
  });
});
