// Does the program speak to people as kubectl users expect?
import { describe, expect, it } from "vitest";
import { run } from "./program.js";

async function answerTo(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const said = { stdout: "", stderr: "" };
  const world = {
    env: {},
    stdout: { write: (text: string) => (said.stdout += text) },
    stderr: { write: (text: string) => (said.stderr += text) },
  };
  const code = await run(args, world);
  return { code, ...said };
}

describe("run", () => {
  it("shows its version as data", async () => {
    expect(await answerTo("version", "--client")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^holdfast v\d/) as unknown,
      stderr: "",
    });
  });

  it("says which version it is although there is no host to ask", async () => {
    const { code, stdout, stderr } = await answerTo("version", "--kubeconfig", "/no/such/file");

    expect(code).toBe(2);
    expect(stdout).toMatch(/^holdfast v\d/);
    expect(stderr).toContain("there is no such file");
  });

  it("groups its commands and documents its exit codes", async () => {
    const { code, stdout } = await answerTo("--help");

    expect(code).toBe(0);
    expect(stdout).toContain("Clusters:");
    expect(stdout).toContain(
      "Exit codes: 0 done, 1 failed, 2 wrong flags or input, 3 ran out of time,\n  4 ended, but something is not known to be done.",
    );
  });

  it.each(["join", "unjoin"])("shows an example in the help of %s", async command => {
    expect((await answerTo(command, "--help")).stdout).toContain(`  holdfast ${command} member1`);
  });

  it("suggests the command that was meant", async () => {
    const { code, stderr } = await answerTo("joni");

    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean join?");
  });

  it("ends in one line and a hint", async () => {
    const { code, stdout, stderr } = await answerTo("join", "Bad_Name", "--cluster-kubeconfig", "x");

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.trimEnd().split("\n")).toEqual([
      'error: NAME: "Bad_Name" is not a valid cluster name',
      expect.stringMatching(/^hint: /),
    ]);
  });

  it.each([
    ["-v=5", "join", "Bad_Name", "--cluster-kubeconfig", "x"],
    ["join", "Bad_Name", "--cluster-kubeconfig", "x", "-v", "5"],
  ])("shows where an error comes from with verbosity 5 (%s %s …)", async (...args) => {
    expect((await answerTo(...args)).stderr).toContain("    at ");
  });
});
