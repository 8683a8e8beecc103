// Are durations read as kubectl reads them?
import { describe, expect, it } from "vitest";
import { parseDuration } from "./duration.js";

describe("parseDuration", () => {
  it.each`
    text       | ms
    ${"60s"}   | ${60_000}
    ${"1m30s"} | ${90_000}
    ${"500ms"} | ${500}
    ${"1.5h"}  | ${5_400_000}
    ${"0s"}    | ${0}
  `("reads $text", ({ text, ms }: { text: string; ms: number }) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "60", "soon", "-5s", "5 s", "1d"])("refuses %j", text => {
    expect(() => parseDuration(text)).toThrow("write a duration such as 60s or 2m");
  });
});
