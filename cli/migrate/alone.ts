// Does another command work on this plan's directory already?
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Problem } from "../problem.js";
import { STATE_DIRECTORY } from "./layout.js";

const FILE = "lock";

/**
 * Runs what writes, alone on the plan's directory: two at once would undo each other's steps, and forget what the other
 * still needs. The lock of a process that has died, whatever of, holds nobody up.
 * @throws Problem while another process works on it
 */
export async function alone<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const path = join(stateDirectory(dir), FILE);
  if (!take(path) && !(dropAbandoned(path) && take(path))) {
    const hint = `wait for it or end it; if no holdfast runs there, remove ${path}`;
    throw new Problem(`process ${ownerOf(path) ?? "unknown"} works on ${dir} already`, hint, EXIT.usage);
  }
  try {
    return await work();
  } finally {
    if (ownerOf(path) === process.pid) rmSync(path, { force: true });
  }
}

/** Where commands remember what they did; made when it is not there. Names of Pods are no business of Git. */
export function stateDirectory(dir: string): string {
  const state = join(dir, STATE_DIRECTORY);
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, ".gitignore"), "*\n");
  return state;
}

/** A link appears with its content or not at all: nobody ever reads half an owner. */
function take(path: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${process.pid}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Takes what a dead process has left out of the way; false while its owner lives. */
function dropAbandoned(path: string): boolean {
  const owner = ownerOf(path);
  if (owner !== undefined && isAlive(owner)) return false;
  rmSync(path, { force: true });
  return true;
}

function ownerOf(path: string): number | undefined {
  try {
    return Number(readFileSync(path, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is one, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
