// Runs one reconciler over one work queue: workers, retries, and what to do with each outcome.
import type { Logger } from "./log.js";
import type { ControllerMetrics } from "./controller-metrics.js";
import { isConflict, kubeErrorIn, messageOf, NotLeaderError } from "../kube/errors.js";
import { pause } from "../kube/pause.js";
import { WorkQueue, type QueueOptions } from "./queue.js";

/** Done, or look again after a while. */
export interface Result {
  readonly requeueAfterMs?: number;
}

/** Reads current state by key and moves it on. Safe to replay. Throwing means: again, later. */
export type Reconciler = (key: string, signal: AbortSignal) => Promise<Result>;

/** Trying again cannot help until something changes: the reconciler has already told people why. */
export class TerminalError extends Error {
  override readonly name = "TerminalError";

  constructor(
    readonly reason: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** How long a key waits that met a process without the Lease, milliseconds. */
const NOT_LEADING_MS = 250;

/** What a controller needs. */
export interface ControllerOptions {
  readonly name: string;
  readonly reconcile: Reconciler;
  readonly workers: number;
  readonly log: Logger;
  readonly metrics?: ControllerMetrics;
  readonly queue?: QueueOptions;
  /** Asked before a key is worked on: false while this process does not hold the Lease. */
  readonly mayWork?: () => boolean;
}

/** One queue and its workers. `start()` once, `stop()` drains. */
export class Controller {
  readonly queue: WorkQueue;
  readonly #stop = new AbortController();
  readonly #workers: Promise<void>[] = [];

  constructor(readonly options: ControllerOptions) {
    this.queue = new WorkQueue(options.queue);
  }

  start(): void {
    if (this.#workers.length > 0) return;
    for (let i = 0; i < this.options.workers; i++) this.#workers.push(this.#work());
    this.options.metrics?.watchQueue(this.options.name, () => this.queue.stats);
  }

  /**
   * Takes no new keys, lets running reconciles finish for `graceMs`, then aborts them. A reconcile that does not heed
   * that is left behind after as long again: the Lease must go back, and without it no write is sent.
   */
  async stop(graceMs = 5_000): Promise<void> {
    const { name, log, metrics } = this.options;
    // At once: another controller may bear this name before the old one has drained.
    metrics?.forgetQueue(name);
    const drained = this.queue.close().then(() => Promise.all(this.#workers));
    if (!(await within(graceMs, drained))) this.#stop.abort(new Error(`controller ${name} is stopping`));
    if (!(await within(graceMs, drained))) log.warn("reconcile did not stop", { controller: name });
    this.#stop.abort();
  }

  async #work(): Promise<void> {
    for (;;) {
      const key = await this.queue.take();
      if (key === undefined) return;
      await this.#whenAllowed();
      const started = performance.now();
      try {
        const { requeueAfterMs } = await this.options.reconcile(key, this.#stop.signal);
        this.queue.forget(key);
        if (requeueAfterMs !== undefined) this.queue.addAfter(key, requeueAfterMs);
        this.options.metrics?.reconciled({ controller: this.options.name, key, seconds: seconds(started) });
      } catch (error) {
        this.#fail(key, error, seconds(started));
      } finally {
        this.queue.done(key);
      }
    }
  }

  /** Work that cannot be written down is not begun: a process whose Lease is late would only fill its queues with errors. */
  async #whenAllowed(): Promise<void> {
    const { mayWork } = this.options;
    while (mayWork?.() === false && !this.#stop.signal.aborted) await pause(NOT_LEADING_MS / 5, this.#stop.signal);
  }

  #fail(key: string, error: unknown, took: number): void {
    const { name, log, metrics } = this.options;
    if (this.#stop.signal.aborted) return;
    metrics?.reconciled({ controller: name, key, seconds: took, error: messageOf(error) });
    if (error instanceof TerminalError) {
      this.queue.forget(key);
      log.warn("stalled", { controller: name, key, reason: error.reason, error: error.message });
      return;
    }
    if (error instanceof NotLeaderError) {
      // No fault of the key's: it waits for the Lease to be renewed, or for the end of this process.
      this.queue.addAfter(key, NOT_LEADING_MS * (1 + Math.random()));
      log.debug("waiting to lead", { controller: name, key });
      return;
    }
    const answer = kubeErrorIn(error);
    this.queue.retry(key, answer?.retryAfterMs);
    const fields = { controller: name, key, error: messageOf(error), failures: this.queue.failuresOf(key) };
    // A lost race is the ordinary way to learn of a newer object; it is worth a line only when it keeps happening.
    if (isConflict(answer) && this.queue.failuresOf(key) < 4) log.debug("reconcile again", fields);
    else log.warn("reconcile failed", fields);
  }
}

/** True when the work is done in time. */
function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), ms);
    void work.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

const seconds = (started: number): number => (performance.now() - started) / 1000;
