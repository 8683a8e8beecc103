// Do words go where they belong, in the form that fits the reader?
import { describe, expect, it } from "vitest";
import { voicesOf, type Voices, type Wishes } from "./output.js";

const TERMINAL = { isTTY: true };

function heard(say: (voices: Voices) => void, stderr: { isTTY?: boolean } = {}, wishes: Wishes = {}, env = {}) {
  const all = { stdout: "", stderr: "" };
  const streams = {
    stdout: { write: (text: string) => (all.stdout += text) },
    stderr: { write: (text: string) => (all.stderr += text), ...stderr },
  };
  say(voicesOf(streams, env, () => wishes));
  return all;
}

const words = ({ progress }: Voices): void => {
  progress.start("begins");
  progress.wait("waits");
  progress.done("went well");
  progress.fail("did not");
};

describe("voicesOf", () => {
  it("writes data to stdout, and everything else to stderr", () => {
    const say = ({ output }: Voices): void => {
      output.print("data");
      output.note("remark");
      output.warn("care");
    };
    expect(heard(say)).toEqual({ stdout: "data\n", stderr: "remark\nwarning: care\n" });
  });

  it("says nothing about progress where nobody watches", () => {
    expect(heard(words).stderr).toBe("");
  });

  it("tells progress in plain lines when it is asked to", () => {
    const plain = "begins\nwaits\nwent well\ndid not\n";
    expect(heard(words, {}, { progress: "plain" }).stderr).toBe(plain);
    expect(heard(words, TERMINAL, { progress: "plain" }).stderr).toBe(plain);
  });

  it("tells nothing, on a terminal either, when it is told to", () => {
    expect(heard(words, TERMINAL, { progress: "none" }).stderr).toBe("");
  });

  it("has symbols on a terminal, and no colours where NO_COLOR is set", () => {
    const env = { NO_COLOR: "1" };
    expect(heard(words, TERMINAL, {}, env).stderr).toBe("► begins\n◎ waits\n✔ went well\n✗ did not\n");
    expect(heard(words, TERMINAL, {}).stderr).toContain("\u001b[36m►");
    expect(heard(words, TERMINAL, { color: "always" }, env).stderr).toContain("\u001b[36m►");
    expect(heard(words, TERMINAL, { color: "never" }).stderr).not.toContain("\u001b");
  });

  it("takes the counting line off the terminal before it says something else", () => {
    const say = ({ output, progress }: Voices): void => {
      progress.count(1, 3, "moved");
      progress.count(2, 3, "moved");
      output.warn("care");
      progress.count(3, 3, "moved");
    };
    expect(heard(say, TERMINAL, { color: "never" }).stderr).toBe(
      "\r\u001b[K◎ 1/3 moved\r\u001b[K◎ 2/3 moved\r\u001b[Kwarning: care\n\r\u001b[K◎ 3/3 moved\n",
    );
  });

  it("counts in tenths where every count would be a line", () => {
    const say = ({ progress }: Voices): void => {
      for (let done = 1; done <= 200; done++) progress.count(done, 200, "moved");
    };
    const lines = heard(say, {}, { progress: "plain" }).stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe("200/200 moved");
  });
});
