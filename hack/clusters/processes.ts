// Is a process still the one we started, and how does it start and end?
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startTimeOf } from "../lock.mjs";

/** All that is needed to start a process, today or again later. */
export interface ProcessSpec {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Output is appended here. */
  readonly log: string;
}

/** A running process: pids are given out again, a pid with its start time is not. */
export interface ProcessId {
  readonly pid: number;
  readonly startTime: string;
}

const POLL_MS = 20;

/**
 * Starts a process that outlives this one and hears nothing of its terminal. It gets only the environment of its
 * spec: a KUBECONFIG or proxy of the person who started it would change what it does.
 */
export function launch({ argv, env, cwd, log }: ProcessSpec): ProcessId {
  const [command = "", ...args] = argv;
  mkdirSync(dirname(log), { recursive: true });
  const out = openSync(log, "a");
  try {
    const child = spawn(command, args, { cwd, env: { ...env }, detached: true, stdio: ["ignore", out, out] });
    child.on("error", () => undefined);
    const startTime = child.pid === undefined ? undefined : startTimeOf(child.pid);
    if (child.pid === undefined || startTime === undefined) throw new Error(`cannot start ${command}: see ${log}`);
    child.unref();
    return { pid: child.pid, startTime };
  } finally {
    closeSync(out);
  }
}

/** Whether this very process still runs. */
export function isRunning({ pid, startTime }: ProcessId): boolean {
  return startTimeOf(pid) === startTime;
}

/** Sends a signal, if it is still our process that would get it. */
export function signal(id: ProcessId, name: NodeJS.Signals): void {
  if (!isRunning(id)) return;
  try {
    process.kill(id.pid, name);
  } catch (error) {
    if (isRunning(id)) throw error;
  }
}

/** Asks the process to end, insists after `patienceMs`, and returns when it is gone. */
export async function end(id: ProcessId, patienceMs: number): Promise<void> {
  // A stopped process would never hear the request.
  signal(id, "SIGCONT");
  signal(id, "SIGTERM");
  if (await gone(id, patienceMs)) return;
  await destroy(id);
}

/** Ends the process at once, as a crash would, and returns when it is gone. */
export async function destroy(id: ProcessId): Promise<void> {
  signal(id, "SIGKILL");
  if (!(await gone(id, 10_000))) throw new Error(`process ${id.pid} does not end, not even by SIGKILL`);
}

async function gone(id: ProcessId, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isRunning(id)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
