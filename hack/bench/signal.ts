// How does the driver wait for the state that watches tell of?

/** How a wait ended; `at` is a moment of performance.now(). */
export interface Reached {
  readonly ok: boolean;
  readonly at: number;
}

/** How long a wait may take, and how long nothing at all may change meanwhile; milliseconds. */
export interface Patience {
  readonly totalMs: number;
  readonly stillMs: number;
}

const PATIENCE: Patience = { totalMs: 900_000, stillMs: 240_000 };
const CHECK_MS = 250;

/** Wakes everybody who waits, at every change. */
export class Changes {
  #last = performance.now();
  readonly #waiting = new Set<() => void>();

  /** Something changed. */
  tell(): void {
    this.#last = performance.now();
    for (const check of this.#waiting) check();
  }

  /** Resolves at the change by which it holds, or gives up: nobody would learn more by waiting on. */
  until(holds: () => boolean, { totalMs, stillMs }: Patience = PATIENCE): Promise<Reached> {
    const began = performance.now();
    return new Promise(resolve => {
      const end = (ok: boolean): void => {
        this.#waiting.delete(check);
        clearInterval(timer);
        resolve({ ok, at: performance.now() });
      };
      const check = (): void => (holds() ? end(true) : undefined);
      const timer = setInterval(() => {
        const now = performance.now();
        if (now - began > totalMs || now - Math.max(began, this.#last) > stillMs) end(false);
      }, CHECK_MS);
      this.#waiting.add(check);
      check();
    });
  }
}
