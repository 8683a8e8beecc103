// Is everything done once, in order, and never too much at a time?
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { mapLimited } from "./limited.js";

describe("mapLimited", () => {
  it("answers in the order of the items and never does more than it may at a time", async () => {
    let running = 0;
    let most = 0;
    const work = async (item: number): Promise<number> => {
      most = Math.max(most, ++running);
      for (let i = 0; i < item % 3; i++) await turn();
      running--;
      return item * 2;
    };
    const items = Array.from({ length: 50 }, (_, i) => i);

    expect(await mapLimited(items, work, 4)).toEqual(items.map(item => item * 2));
    expect(most).toBe(4);
  });

  it("does nothing for nothing, and passes a failure on", async () => {
    expect(await mapLimited([], () => Promise.reject(new Error("never")))).toEqual([]);
    await expect(mapLimited([1], () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  });
});
