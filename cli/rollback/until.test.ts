// Is it waited as long as something moves, and no longer?
import { describe, expect, it } from "vitest";
import { KubeError } from "../../lib/kube/errors.js";
import type { Progress } from "../output/progress.js";
import { untilDone } from "./until.js";

const silent: Progress = { start() {}, wait() {}, done() {}, fail() {}, count() {} };
const wait = { stillMs: 300, progress: silent, what: "things", hint: () => "" };

describe("untilDone", () => {
  it("asks only for what is still open, until nothing is", async () => {
    const asked: number[] = [];
    const left = await untilDone([1, 2, 3], {
      ...wait,
      open: pending => {
        asked.push(pending.length);
        return Promise.resolve(pending.slice(1));
      },
    });

    expect(left).toEqual([]);
    expect(asked).toEqual([3, 2, 1]);
  });

  it("gives up when nothing moves, and says what is open", async () => {
    expect(
      await untilDone([1, 2], { ...wait, open: pending => Promise.resolve(pending.filter(n => n === 2)) }),
    ).toEqual([2]);
  });

  it("takes a host that does not answer for one that has not moved", async () => {
    let calls = 0;
    const open = (): Promise<readonly number[]> =>
      ++calls < 3 ? Promise.reject(new KubeError(0, "", "no answer")) : Promise.resolve([]);
    expect(await untilDone([1], { ...wait, open })).toEqual([]);
  });

  it("passes a refusal on", async () => {
    const open = () => Promise.reject(new KubeError(403, "Forbidden", "no"));
    await expect(untilDone([1], { ...wait, open })).rejects.toThrow("no");
  });
});
