// How does a command line run, and what did it print?
import { spawn } from "node:child_process";

/** Where a line runs. */
export interface Shell {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

/** What came of it; `output` has both streams in the order in which they came. */
export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs one line as a person's shell would. @throws Error when it was interrupted or there is no shell. */
export function runLine(line: string, { cwd, env, signal }: Shell): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", line], { cwd, env, signal, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.on("error", reject);
    child.on("close", code => resolve({ code: code ?? 1, output }));
  });
}
