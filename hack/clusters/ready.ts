// When is a process ready to be used?
import { existsSync, readFileSync } from "node:fs";
import { get as httpGet } from "node:http";
import { get as httpsGet } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isRunning, type ProcessId } from "./processes.js";

/** A URL that answers 200 (or a `file:` that is there) when the process is ready; `ca` is the file that its certificate is checked with. */
export interface Probe {
  readonly url: string;
  readonly ca?: string;
}

/** What to wait for, and what to say if it does not come. */
export interface Wait {
  readonly name: string;
  readonly id: ProcessId;
  readonly probe: Probe;
  readonly log: string;
  readonly timeoutMs?: number;
}

/** The process ended before it was ready. `clash`: another process had taken its port. */
export class EndedEarly extends Error {
  constructor(
    message: string,
    readonly clash: boolean,
  ) {
    super(message);
  }
}

const POLL_MS = 50;
const ANSWER_MS = 2_000;
const TIMEOUT_MS = 60_000;

/**
 * Returns when the probe answers 200.
 * @throws EndedEarly when the process ends first; Error when it is not ready within 60 s. Both quote its log.
 */
export async function untilReady({ name, id, probe, log, timeoutMs = TIMEOUT_MS }: Wait): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const ca = probe.ca === undefined ? undefined : readFileSync(probe.ca, "utf8");
  for (;;) {
    const answered = await answers(probe.url, ca);
    if (!isRunning(id)) throw endedEarly(name, log);
    if (answered) return;
    if (Date.now() > deadline) throw new Error(`${name} is not ready after ${timeoutMs / 1000} s\n${quote(log)}`);
    await sleep(POLL_MS);
  }
}

/** Polls a condition of our own. @throws Error that says what did not happen. */
export async function until(what: string, holds: () => Promise<boolean>, timeoutMs = TIMEOUT_MS): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what}: not so after ${timeoutMs / 1000} s`);
    await sleep(2 * POLL_MS);
  }
}

function answers(url: string, ca: string | undefined): Promise<boolean> {
  if (url.startsWith("file:")) return Promise.resolve(existsSync(fileURLToPath(url)));
  return new Promise(resolve => {
    const get = url.startsWith("https:") ? httpsGet : httpGet;
    const request = get(url, { ca, agent: false, timeout: ANSWER_MS }, response => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });
}

function endedEarly(name: string, log: string): EndedEarly {
  const words = quote(log);
  return new EndedEarly(`${name} ended before it was ready\n${words}`, /address already in use|EADDRINUSE/.test(words));
}

function quote(log: string): string {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n").slice(-20);
  return [`the end of ${log}:`, ...lines.map(line => `  ${line.slice(0, 400)}`)].join("\n");
}
