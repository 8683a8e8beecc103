// How are differences shown by a program of the person's own choice, as kubectl does it?
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT, Problem } from "../problem.js";
import type { Difference } from "./text.js";

/** Command and arguments in KUBECTL_EXTERNAL_DIFF; of the arguments only plain ones, as kubectl takes them. */
export function externalDiff(env: NodeJS.ProcessEnv): readonly [string, ...string[]] | undefined {
  const [command, ...args] = (env["KUBECTL_EXTERNAL_DIFF"] ?? "").split(" ").filter(Boolean);
  return command === undefined ? undefined : [command, ...args.filter(arg => /^[a-zA-Z0-9-=]+$/.test(arg))];
}

/**
 * Gives the program two directories with a file per object, and returns what it printed. Only this user can read them, and
 * they are gone afterwards. @throws Problem when it cannot be run, or ends with more than 1
 */
export async function runExternal(
  [command, ...args]: readonly [string, ...string[]],
  differences: readonly Difference[],
): Promise<string> {
  const [live, merged] = ["LIVE-", "MERGED-"].map(name => mkdtempSync(join(tmpdir(), name)));
  if (live === undefined || merged === undefined) return "";
  try {
    for (const { name, before, after } of differences) {
      put(live, name, before);
      put(merged, name, after);
    }
    return await output(command, [...args, live, merged]);
  } finally {
    for (const directory of [live, merged]) rmSync(directory, { recursive: true, force: true });
  }
}

/** An object that is not there has no file. No directories in the directory: a plain `diff -u -N` looks into none. */
function put(directory: string, name: string, text: string): void {
  if (text !== "") writeFileSync(join(directory, name.replaceAll("/", ".")), text, { mode: 0o600 });
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const child = spawn(command, args, { stdio: ["inherit", "pipe", "inherit"] });
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    child.on("error", cause => {
      const hint = "unset KUBECTL_EXTERNAL_DIFF, or name a program that is there";
      reject(new Problem(`${command}: ${cause.message}`, hint, EXIT.usage, { cause }));
    });
    child.on("close", code => {
      if (code === 0 || code === 1) resolve(text);
      else reject(new Problem(`${command} ended with ${code ?? "a signal"}`, undefined, EXIT.usage));
    });
  });
}
