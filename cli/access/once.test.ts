// Is a way opened once, and not given up for ever when it could not be opened?
import { describe, expect, it } from "vitest";
import { once } from "./once.js";

const same = (name: string): string => name;

describe("once", () => {
  it("opens each name once, also for those who ask at the same time", async () => {
    const asked: string[] = [];
    const ways = once(same, name => {
      asked.push(name);
      return Promise.resolve(`way to ${name}`);
    });
    await Promise.all(["m1", "m1", "m2"].map(name => ways.get(name)));
    expect(await ways.get("m1")).toBe("way to m1");
    expect(asked).toEqual(["m1", "m2"]);
    expect(await ways.all()).toEqual(["way to m1", "way to m2"]);
  });

  it("tries again after a failure, and does not count it as open", async () => {
    let isUp = false;
    const ways = once(same, name => (isUp ? Promise.resolve(name) : Promise.reject(new Error("no answer"))));
    await expect(ways.get("m1")).rejects.toThrow("no answer");
    expect(await ways.all()).toEqual([]);
    isUp = true;
    expect(await ways.get("m1")).toBe("m1");
  });
});
