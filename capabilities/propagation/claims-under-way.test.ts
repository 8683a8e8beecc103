// Does a policy wait for claims that are on their way, and for no others?
import { describe, expect, it } from "vitest";
import { ClaimsUnderWay } from "./claims-under-way.js";

/** A claim that ends when it is told to. */
function claim() {
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
  return { ended, end: () => end(), fail: () => fail(new Error("no answer")) };
}

describe("ClaimsUnderWay", () => {
  it("knows a claim from its start, and until the last one for that policy has ended", async () => {
    const claims = new ClaimsUnderWay();
    const [one, two] = [claim(), claim()];
    const running = [one, two].map(({ ended }) => claims.during("a", () => ended));
    expect([claims.has("a"), claims.has("b")]).toEqual([true, false]);
    one.end();
    await running[0];
    expect(claims.has("a")).toBe(true);
    two.end();
    await running[1];
    expect(claims.has("a")).toBe(false);
  });

  it("doubts for some seconds what ended in an error: it may have been accepted", async () => {
    let now = 0;
    const claims = new ClaimsUnderWay(() => now);
    const lost = claim();
    const running = claims.during("a", () => lost.ended);
    lost.fail();
    await expect(running).rejects.toThrow("no answer");
    expect(claims.has("a")).toBe(true);
    now = 5_000;
    expect(claims.has("a")).toBe(false);
  });
});
