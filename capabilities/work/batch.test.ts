// Do many who ask within a moment cost one request, and does nobody wait for ever?
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Batch } from "./batch.js";

function batch(answers: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>, limit = 100) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const requests: (readonly string[])[] = [];
  const answered: string[] = [];
  const run = (keys: readonly string[]) => {
    requests.push(keys);
    return answers(keys);
  };
  const all = new Batch<string>({ run, answered: key => answered.push(key), waitMs: 50, limit });
  return { all, requests, answered };
}

const echo = (keys: readonly string[]) => Promise.resolve(new Map(keys.map(key => [key, `${key}!`])));

describe("Batch", () => {
  it("asks once for all who ask within its time, and calls each of them", async () => {
    const { all, requests, answered } = batch(echo);
    expect([all.ask("a"), all.ask("b"), all.ask("a")]).toEqual([undefined, undefined, undefined]);

    await vi.advanceTimersByTimeAsync(50);

    expect({ requests, answered }).toEqual({ requests: [["a", "b"]], answered: ["a", "b"] });
    expect(all.ask("a")).toEqual({ value: "a!" });
  });

  it("splits what is too much for one request", async () => {
    const { all, requests } = batch(echo, 2);
    for (const key of ["a", "b", "c"]) all.ask(key);
    await vi.advanceTimersByTimeAsync(50);
    expect(requests).toEqual([["a", "b"], ["c"]]);
  });

  it("says what went wrong once, and asks anew after that", async () => {
    const refusals = [new Error("away")];
    const { all, requests } = batch(keys => (refusals[0] ? Promise.reject(refusals.splice(0)[0] ?? "") : echo(keys)));
    all.ask("a");
    await vi.advanceTimersByTimeAsync(50);

    expect(() => all.ask("a")).toThrow("away");
    expect(all.ask("a")).toBeUndefined();
    await vi.advanceTimersByTimeAsync(50);
    expect(all.ask("a")).toEqual({ value: "a!" });
    expect(requests).toHaveLength(2);
  });

  it("asks anew for a key that was forgotten, and knows one that has no answer", async () => {
    const { all, requests } = batch(() => Promise.resolve(new Map()));
    all.ask("a");
    await vi.advanceTimersByTimeAsync(50);
    expect(all.ask("a")).toEqual({ value: undefined });

    all.forget("a");
    expect(all.ask("a")).toBeUndefined();
    await vi.advanceTimersByTimeAsync(50);
    expect(requests).toHaveLength(2);
  });

  it("asks once, as soon as it can, for all who come while a request is under way", async () => {
    const gates: (() => void)[] = [];
    const { all, requests } = batch(
      keys => new Promise(resolve => gates.push(() => resolve(new Map(keys.map(k => [k, k]))))),
    );
    all.ask("a");
    await vi.advanceTimersByTimeAsync(50);
    all.ask("b");
    await vi.advanceTimersByTimeAsync(200);
    all.ask("c");
    await vi.advanceTimersByTimeAsync(10);
    expect(requests).toEqual([["a"]]);
    gates.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
    gates.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toEqual([["a"], ["b", "c"]]);
    expect(["a", "b", "c"].map(key => all.ask(key))).toEqual([{ value: "a" }, { value: "b" }, { value: "c" }]);
  });

  it("asks nothing once it is stopped", async () => {
    const { all, requests } = batch(echo);
    all.ask("a");
    all.stop();
    await vi.advanceTimersByTimeAsync(100);
    expect(requests).toEqual([]);
  });
});
