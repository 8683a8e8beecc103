// Do two commands keep out of each other's way, and does a dead one hold nobody up?
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { alone, stateDirectory } from "./alone.js";

function directory() {
  const dir = mkdtempSync(join(tmpdir(), "holdfast-alone-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return { dir, lock: join(stateDirectory(dir), "lock") };
}

const nothing = (): Promise<string> => Promise.resolve("done");

describe("alone", () => {
  it("refuses while another process works there, and says which", async () => {
    const { dir, lock } = directory();
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    onTestFinished(() => void other.kill("SIGKILL"));
    writeFileSync(lock, `${other.pid}\n`);
    await expect(alone(dir, nothing)).rejects.toMatchObject({
      message: `process ${other.pid} works on ${dir} already`,
      exitCode: 2,
      hint: expect.stringContaining(lock),
    });
    expect(existsSync(lock)).toBe(true);
  });

  it.each([
    ["of a process that has died", String(execFileSync(process.execPath, ["-p", "process.pid"]))],
    ["that says nothing", ""],
  ])("takes over a lock %s", async (_, owner) => {
    const { dir, lock } = directory();
    writeFileSync(lock, owner);
    expect(await alone(dir, nothing)).toBe("done");
    expect(existsSync(lock)).toBe(false);
  });

  it("refuses a second one at the same time, and lets the next one in when the first has failed", async () => {
    const { dir } = directory();
    let fail: (why: Error) => void = () => undefined;
    const first = alone(dir, () => new Promise<string>((_, reject) => (fail = reject)));
    await expect(alone(dir, nothing)).rejects.toThrow("works on");
    fail(new Error("stopped"));
    await expect(first).rejects.toThrow("stopped");
    expect(await alone(dir, nothing)).toBe("done");
  });
});
