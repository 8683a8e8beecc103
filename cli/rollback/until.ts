// How is it waited for many things at once, for as long as something moves?
import { setTimeout as sleep } from "node:timers/promises";
import { isUnreachable, KubeError } from "../../lib/kube/errors.js";
import type { Progress } from "../output/progress.js";

/** What is waited for. */
export interface Wait<T> {
  /** Which of those that were open a moment ago still are. */
  readonly open: (pending: readonly T[]) => Promise<readonly T[]>;
  /** How long nothing may move, milliseconds. */
  readonly stillMs: number;
  readonly progress: Progress;
  /** What is counted: `templates let go of`. */
  readonly what: string;
  /** What it waits for, and what to look at; told when nothing has moved for a while. */
  readonly hint: (pending: readonly T[]) => string;
}

const FIRST_MS = 100;
const SLOWEST_MS = 2_000;
const MANY = 50;
const MANY_MS = 1_000;
/** After so long without a change a person wonders. */
const TELL_MS = 5_000;

/** Asks again and again for all of them together; answers those that are still open when nothing moves any more. */
export async function untilDone<T>(items: readonly T[], wait: Wait<T>): Promise<readonly T[]> {
  let pending = items;
  let pause = FIRST_MS;
  let moved = performance.now();
  let isTold = false;
  while (pending.length > 0) {
    const left = await openOrAll(pending, wait);
    if (left.length < pending.length) {
      wait.progress.count(items.length - left.length, items.length, wait.what);
      moved = performance.now();
      pause = Math.max(FIRST_MS, pause / 2);
      isTold = false;
    }
    pending = left;
    const stillMs = performance.now() - moved;
    if (pending.length === 0 || stillMs >= wait.stillMs) break;
    if (stillMs > TELL_MS && !isTold) {
      wait.progress.wait(wait.hint(pending));
      isTold = true;
    }
    // Many are asked for less often: each answer is long, and the next one more of them have gone.
    await sleep(pending.length > MANY ? Math.max(pause, MANY_MS) : pause);
    pause = Math.min(pause * 1.5, SLOWEST_MS);
  }
  return pending;
}

/** A host that does not answer, or asks for patience, says nothing about what is still open. */
async function openOrAll<T>(pending: readonly T[], { open }: Wait<T>): Promise<readonly T[]> {
  try {
    return await open(pending);
  } catch (error) {
    const isPassing =
      isUnreachable(error) || (error instanceof KubeError && (error.status === 429 || error.status >= 500));
    if (isPassing) return pending;
    throw error;
  }
}
