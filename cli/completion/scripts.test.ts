// Does a real shell complete with the script?
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { COMPLETE, scriptFor, SHELLS } from "./scripts.js";

/** A program that answers with its own words, so that it is seen what it was asked. */
function program(answer: string): string {
  const directory = mkdtempSync(join(tmpdir(), "holdfast-completion-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "holdfast");
  writeFileSync(file, `#!/bin/sh\n[ "$1" = ${COMPLETE} ] || exit 9\n${answer}\n`);
  chmodSync(file, 0o755);
  return file;
}

function inBash(line: string, answer: string): string[] {
  const file = program(answer);
  const text = `${line.replace("holdfast", file)}`;
  const script = `
${scriptFor("bash")}
compopt() { :; }
COMP_LINE=${JSON.stringify(text)} COMP_POINT=${text.length} COMP_WORDS=(${JSON.stringify(file)})
_holdfast
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trimEnd().split("\n");
}

describe("the script for bash", () => {
  it("passes the words up to the cursor on, an empty one too", () => {
    const answer = 'shift; printf "%s|" "$@"; printf "\\n:4\\n"';
    expect(inBash("holdfast get deploy ", answer)).toEqual(["get|deploy||"]);
  });

  it("takes what fits, without what it is", () => {
    const answer = 'printf "web\\tA shop\\nother\\n:4\\n"';
    expect(inBash("holdfast get deploy w", answer)).toEqual(["web"]);
  });

  it.each`
    line                      | value         | put
    ${"holdfast get -o=j"}    | ${"-o=json"}  | ${"json"}
    ${"holdfast get cr sys:"} | ${"sys:node"} | ${"node"}
    ${"holdfast get a/b=c"}   | ${"a/b=cd"}   | ${"cd"}
  `(
    "puts $put behind $line, where bash begins a new word",
    ({ line, value, put }: Record<"line" | "value" | "put", string>) => {
      expect(inBash(line, `printf '%s\\n:4\\n' '${value}'`)).toEqual([put]);
    },
  );
});

describe("scriptFor", () => {
  it.each(SHELLS)("calls the hidden command in %s", shell => {
    expect(scriptFor(shell)).toContain(` ${COMPLETE} `);
    expect(scriptFor(shell)).not.toContain('"}{');
  });
});
