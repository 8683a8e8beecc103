// Is a wrong flag refused in words, before any cluster is started?
import { describe, expect, it } from "vitest";
import { phaseNames, PHASES, wholeNumber } from "./options.js";

describe("phaseNames", () => {
  it("takes all of them in their order", () => {
    expect(phaseNames(PHASES.join(","))).toEqual(PHASES);
  });

  it.each`
    text                              | words
    ${"burst,fly"}                    | ${"fly: no such phase"}
    ${""}                             | ${"(nothing): no such phase"}
    ${"update"}                       | ${"update needs a burst before it"}
    ${"burst,delete,flip"}            | ${"flip needs a burst before it"}
    ${"burst,delete-preserve,delete"} | ${"delete needs a burst before it"}
  `("refuses $text: $words", ({ text, words }) => {
    expect(() => phaseNames(text)).toThrow(words);
  });
});

describe("wholeNumber", () => {
  it.each(["0", "-1", "1.5", "1e3", "ten", ""])("refuses %s", text => {
    expect(() => wholeNumber(text)).toThrow("whole number");
  });

  it("takes digits", () => {
    expect(wholeNumber("1000")).toBe(1000);
  });
});
