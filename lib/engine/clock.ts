// Time, as a dependency: the real one, and one that tests move by hand.

/** A wait that can be called off. */
export interface Timer {
  cancel(): void;
}

/** Milliseconds since an arbitrary start, and timers on the same scale. */
export interface Clock {
  now(): number;
  after(delayMs: number, run: () => void): Timer;
}

/** Node runs a timer at once when it is longer than this (24.8 days); early is right for whoever looks again. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's clock; its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(delayMs, LONGEST_MS));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** metav1.MicroTime, now: what Leases and Events are stamped with. */
export function microTime(): string {
  return new Date().toISOString().replace(/Z$/, "000Z");
}

/** A clock that stands still until `advance` is called. */
export class FakeClock implements Clock {
  #now = 0;
  #nextId = 0;
  readonly #timers = new Map<number, { at: number; run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): Timer {
    const id = this.#nextId++;
    this.#timers.set(id, { at: this.#now + delayMs, run });
    return { cancel: () => void this.#timers.delete(id) };
  }

  /** Moves time on and runs what falls due, in order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = [...this.#timers]
        .filter(([, t]) => t.at <= until)
        .sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.#now = due[1].at;
      due[1].run();
    }
    this.#now = until;
  }
}
