// What does a person see while a long command runs, and when it fails?
import { spawn } from "node:child_process";

/** A command, the words for it, and the sentence that helps when it fails. */
export interface Step {
  /** For people, as the start of a line: "building kwok". */
  readonly label: string;
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** What to do when the command is missing or fails; one sentence. */
  readonly hint?: string;
}

/** What one line of progress goes to. */
export type Say = (line: string) => void;

/** Progress is for people, answers are for programs: it goes to stderr. */
export function sayToStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

const FIRST_LINE_MS = 3_000;
const EVERY_MS = 10_000;

/**
 * Runs one command and answers its standard output. Says how long it has been running, after 3 s and then every 10 s.
 * @throws Error with the command's last words and the hint, when it is not there or does not end with 0.
 */
export async function runStep(step: Step, say: Say = sayToStderr): Promise<string> {
  const began = Date.now();
  const elapsed = (): string => `${Math.round((Date.now() - began) / 1000)} s`;
  let timer = setTimeout(function tick() {
    say(`${step.label} (${elapsed()})`);
    timer = setTimeout(tick, EVERY_MS);
  }, FIRST_LINE_MS);
  try {
    return await output(step);
  } catch (error) {
    const hint = step.hint ? `\n${step.hint}` : "";
    throw new Error(`${step.label} failed: ${error instanceof Error ? error.message : String(error)}${hint}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

function output(step: Step): Promise<string> {
  const [command = "", ...args] = step.argv;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: step.cwd, env: { ...process.env, ...step.env }, stdio: "pipe" });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.on("error", error => reject("code" in error && error.code === "ENOENT" ? missing(command) : error));
    child.on("close", code => (code === 0 ? resolve(out) : reject(new Error(lastWords(err || out, command, code)))));
    // A command that does not read its input closes the pipe; how it ends is what counts.
    child.stdin.on("error", () => undefined);
    child.stdin.end(step.input ?? "");
  });
}

function missing(command: string): Error {
  return new Error(`there is no ${command} on the PATH.`);
}

function lastWords(text: string, command: string, code: number | null): string {
  const lines = text.trim().split("\n").slice(-15).join("\n");
  return lines || `${command} ended with ${code ?? "a signal"}`;
}
