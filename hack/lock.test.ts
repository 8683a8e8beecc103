// Does one process at a time hold a lock, also after another one died with it?
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTimeOf, withLock } from "./lock.mjs";

let dir: string;
let path: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "holdfast-lock-"));
  path = join(dir, "deep", "lock");
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Runs jobs that would overlap without a lock, and answers how many were inside at once. */
async function crowd(count: number): Promise<number> {
  let inside = 0;
  let most = 0;
  const job = async (): Promise<void> => {
    most = Math.max(most, ++inside);
    await sleep(5);
    inside--;
  };
  await Promise.all(Array.from({ length: count }, () => withLock(path, job)));
  return most;
}

function deadOwner(): string {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  return `${pid} 1 nobody\n`;
}

describe("withLock", () => {
  it("lets one job in at a time", async () => {
    expect(await crowd(4)).toBe(1);
  });

  it("answers what the job answers and leaves no file", async () => {
    expect(await withLock(path, async () => 42)).toBe(42);
    expect(existsSync(path)).toBe(false);
  });

  it("is given back when the job throws", async () => {
    const fails = withLock(path, () => Promise.reject(new Error("no luck")));
    await expect(fails).rejects.toThrow("no luck");
    expect(await withLock(path, async () => "next")).toBe("next");
  });

  it("is taken over from a dead owner, by one of those who wait", async () => {
    await withLock(path, async () => undefined);
    writeFileSync(path, deadOwner());
    expect(await crowd(3)).toBe(1);
  });

  it("is taken over from a pid that another process has now", async () => {
    await withLock(path, async () => undefined);
    writeFileSync(path, `${process.pid} 1 somebody-before\n`);
    expect(await withLock(path, async () => "mine")).toBe("mine");
  });

  it("waits for a living owner and says for whom", async () => {
    const owner = spawn("sleep", ["60"]);
    await withLock(path, async () => undefined);
    writeFileSync(path, `${owner.pid} ${startTimeOf(owner.pid ?? 0)} other\n`);
    const told: number[] = [];
    const waiting = withLock(
      path,
      async () => "late",
      pid => void told.push(pid),
    );
    await sleep(50);
    expect(told).toEqual([owner.pid]);
    owner.kill("SIGKILL");
    expect(await waiting).toBe("late");
  });
});

describe("startTimeOf", () => {
  it("is the same each time for a living process", () => {
    expect(startTimeOf(process.pid)).toMatch(/^\d+$/);
    expect(startTimeOf(process.pid)).toBe(startTimeOf(process.pid));
  });

  it("is nothing for a process that ended", () => {
    expect(startTimeOf(spawnSync(process.execPath, ["-e", ""]).pid)).toBeUndefined();
  });
});
