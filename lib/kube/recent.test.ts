// Does a set of recent ids keep the newest, and no more of them than it may?
import { describe, expect, it } from "vitest";
import { Recent } from "./recent.js";

describe("Recent", () => {
  it("forgets the oldest, and counts one that comes again as new", () => {
    const recent = new Recent(2);
    for (const id of ["a", "b", "a", "c"]) recent.add(id);
    expect(["a", "b", "c"].map(id => recent.has(id))).toEqual([true, false, true]);
  });
});
