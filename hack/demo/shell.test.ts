// Does a line run as it is shown?
import { describe, expect, it } from "vitest";
import { runLine } from "./shell.js";

const shell = { cwd: "/", env: { PATH: process.env["PATH"], WORD: "hello" } };

describe("runLine", () => {
  it("runs a line as a shell does, with its environment", async () => {
    expect(await runLine('echo "$WORD" | tr a-z A-Z', shell)).toEqual({ code: 0, output: "HELLO\n" });
  });

  it("answers how a line ended and what it complained of", async () => {
    expect(await runLine("echo no >&2; exit 3", shell)).toEqual({ code: 3, output: "no\n" });
  });

  it("ends with who interrupts it", async () => {
    const signal = AbortSignal.timeout(50);
    await expect(runLine("exec sleep 30", { ...shell, signal })).rejects.toThrow(/abort/i);
  });
});
