// A work queue of keys: each key once, one worker at a time, retried with growing pauses.
//
// Handwritten with client-go's semantics (dirty and processing sets, delayed adds, per-key back-off, drain), which no
// npm package offers; proven against a model in queue.model.test.ts.
import { systemClock, type Clock, type Timer } from "./clock.js";

/** Times in milliseconds. */
export interface QueueOptions {
  readonly clock?: Clock;
  readonly baseDelayMs?: number;
  readonly maxDelayMs?: number;
  /** 0..1; tests fix it. */
  readonly random?: () => number;
}

/** Counts for `/metrics`. */
export interface QueueStats {
  readonly depth: number;
  readonly adds: number;
  readonly retries: number;
}

/** A key is in at most one of: waiting, in work. A key added while in work is waiting again when that work is done. */
export class WorkQueue {
  readonly #ready = new Set<string>();
  readonly #processing = new Set<string>();
  readonly #dirty = new Set<string>();
  readonly #delayed = new Map<string, { at: number; timer: Timer }>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  readonly #clock: Clock;
  readonly #baseDelayMs: number;
  readonly #maxDelayMs: number;
  readonly #random: () => number;
  #closed = false;
  #adds = 0;
  #retries = 0;
  #idle: (() => void)[] = [];

  constructor(options: QueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#baseDelayMs = options.baseDelayMs ?? 50;
    this.#maxDelayMs = options.maxDelayMs ?? 60_000;
    this.#random = options.random ?? Math.random;
  }

  get stats(): QueueStats {
    return { depth: this.#ready.size, adds: this.#adds, retries: this.#retries };
  }

  /** Wants the key worked on soon. Coalesces; never lost while the key is in work. */
  add(key: string): void {
    if (this.#closed) return;
    this.#adds++;
    this.#cancelDelay(key);
    if (this.#processing.has(key)) {
      this.#dirty.add(key);
      return;
    }
    if (this.#ready.has(key)) return;
    const taker = this.#takers.shift();
    if (!taker) {
      this.#ready.add(key);
      return;
    }
    this.#processing.add(key);
    taker(key);
  }

  /** Wants the key worked on after a pause; an earlier wish for the same key stands. */
  addAfter(key: string, delayMs: number): void {
    if (this.#closed) return;
    if (delayMs <= 0) return this.add(key);
    const at = this.#clock.now() + delayMs;
    const waiting = this.#delayed.get(key);
    if (waiting && waiting.at <= at) return;
    waiting?.timer.cancel();
    this.#delayed.set(key, { at, timer: this.#clock.after(delayMs, () => this.#mature(key)) });
  }

  /** Wants the key tried again, later each time it fails; `atLeastMs` is what the server asked for. */
  retry(key: string, atLeastMs = 0): void {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.#retries++;
    const grown = Math.min(this.#maxDelayMs, this.#baseDelayMs * 2 ** Math.min(failures - 1, 30));
    this.addAfter(key, Math.max(atLeastMs, grown * (0.75 + this.#random() / 4)));
  }

  /** The key has gone well: the next failure starts from the shortest pause. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The keys that wait, for their turn or for a later time, or are in work. */
  unfinished(): readonly string[] {
    return [...new Set([...this.#ready, ...this.#processing, ...this.#delayed.keys()])];
  }

  /** How often the key has failed in a row. */
  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The next key, oldest first; waits for one. `undefined` once the queue is closed. */
  take(): Promise<string | undefined> {
    for (const key of this.#ready) {
      this.#ready.delete(key);
      this.#processing.add(key);
      return Promise.resolve(key);
    }
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise(resolve => this.#takers.push(resolve));
  }

  /** The worker is done with the key; if it was added meanwhile it is ready again. */
  done(key: string): void {
    this.#processing.delete(key);
    if (this.#dirty.delete(key)) this.add(key);
    if (this.#processing.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Takes no more keys, forgets the waiting ones, and resolves when the keys in work are done. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    this.#ready.clear();
    this.#dirty.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
    if (this.#processing.size > 0) await new Promise<void>(resolve => this.#idle.push(resolve));
  }

  #mature(key: string): void {
    this.#delayed.delete(key);
    this.add(key);
  }

  #cancelDelay(key: string): void {
    this.#delayed.get(key)?.timer.cancel();
    this.#delayed.delete(key);
  }
}
