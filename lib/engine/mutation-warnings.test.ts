// Does each answer say what was found about its own request, and no other?
import { describe, expect, it } from "vitest";
import { MutationWarnings } from "./mutation-warnings.js";

describe("MutationWarnings", () => {
  it("says each line once, in the answer to its request, after what is there", () => {
    const warnings = new MutationWarnings();
    warnings.tell("a", ["of a"]);
    warnings.tell("b", ["of b"]);
    warnings.tell("c", []);
    const answers = ["b", "a", "c", "a"].map(uid => ({ uid, warnings: ["before"] }));
    for (const answer of answers) warnings.complete(answer);
    expect(answers.map(answer => answer.warnings)).toEqual([
      ["before", "of b"],
      ["before", "of a"],
      ["before"],
      ["before"],
    ]);
    const bare: { uid: string; warnings?: string[] } = { uid: "d" };
    warnings.complete(bare);
    expect(bare).toEqual({ uid: "d" });
  });

  it("forgets the oldest of those that are never answered", () => {
    const warnings = new MutationWarnings();
    for (let i = 0; i <= 100; i++) warnings.tell(`${i}`, [`${i}`]);
    const answers = ["0", "1", "100"].map(uid => ({ uid, warnings: [] as string[] }));
    for (const answer of answers) warnings.complete(answer);
    expect(answers.map(answer => answer.warnings)).toEqual([[], ["1"], ["100"]]);
  });
});
