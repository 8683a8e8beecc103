// Is what was before remembered once, and of the object that is there?
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { newlySeen } from "./back.js";
import { forget, readBefore, remember, type Before } from "./record.js";

const KEY = "apps|Deployment|shop|web";
const of = (uid: string, restarts = 0): Before => ({
  key: KEY,
  uid,
  health: { uid, pods: [{ uid: "p1", ready: true, restarts }], settled: true },
});

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), "record-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

describe("readBefore", () => {
  it("knows what was first, whatever was remembered after an interruption", () => {
    const dir = directory();
    remember(dir, [of("u1")]);
    remember(dir, [of("u1", 3)]);
    expect(readBefore(dir).get(KEY)).toEqual(of("u1"));
  });

  it("knows an object that was made anew by how that one was", () => {
    const dir = directory();
    remember(dir, [of("u1")]);
    remember(dir, [of("u2", 1)]);
    remember(dir, [of("u2", 2)]);
    expect(readBefore(dir).get(KEY)).toEqual(of("u2", 1));
  });

  it("takes a line that a crash cut off for none, and loses none after it", () => {
    const dir = directory();
    remember(dir, [of("u1")]);
    appendFileSync(join(dir, ".state", "before.jsonl"), '{"key":"cut');
    remember(dir, [{ ...of("u3"), key: "other" }]);
    expect([...readBefore(dir).keys()]).toEqual([KEY, "other"]);
  });

  it("knows nothing after a rollback", () => {
    const dir = directory();
    remember(dir, [of("u1")]);
    forget(dir);
    expect(readBefore(dir).size).toBe(0);
  });
});

describe("newlySeen", () => {
  const seen = { key: KEY, cluster: "m1", uid: "u1", pods: ["p1"] };

  it.each`
    what                                             | known                         | one                                      | keys
    ${"what was never moved"}                        | ${new Map()}                  | ${seen}                                  | ${[KEY]}
    ${"nothing that is known"}                       | ${new Map([[KEY, of("u1")]])} | ${seen}                                  | ${[]}
    ${"what was made anew"}                          | ${new Map([[KEY, of("u0")]])} | ${seen}                                  | ${[KEY]}
    ${"nothing of a cluster that is not the plan's"} | ${new Map()}                  | ${{ ...seen, cluster: "m0", uid: "u9" }} | ${[]}
  `("remembers $what", ({ known, one, keys }: { known: Map<string, Before>; one: typeof seen; keys: string[] }) => {
    expect(newlySeen([one], "m1", known).map(({ key }) => key)).toEqual(keys);
  });
});
