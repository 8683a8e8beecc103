// Waits until a key has been still for a while, but not for ever: so that a rollout's steps become one report.
import { systemClock, type Clock, type Timer } from "./clock.js";

/** Times in milliseconds (design, "the path of one object"). */
export interface DebounceOptions {
  readonly stillMs: number;
  readonly maxMs: number;
  readonly clock?: Clock;
}

/** `poke` often; `run` is called once per key when it is still, at the latest `maxMs` after the first poke. */
export class Debouncer {
  readonly #pending = new Map<string, { first: number; timer: Timer }>();
  readonly #clock: Clock;

  constructor(
    readonly run: (key: string) => void,
    readonly options: DebounceOptions,
  ) {
    this.#clock = options.clock ?? systemClock;
  }

  poke(key: string): void {
    const now = this.#clock.now();
    const waiting = this.#pending.get(key);
    waiting?.timer.cancel();
    const first = waiting?.first ?? now;
    const wait = Math.max(0, Math.min(this.options.stillMs, first + this.options.maxMs - now));
    this.#pending.set(key, { first, timer: this.#clock.after(wait, () => this.#fire(key)) });
  }

  /** Forgets what is pending without running it. */
  cancelAll(): void {
    for (const { timer } of this.#pending.values()) timer.cancel();
    this.#pending.clear();
  }

  #fire(key: string): void {
    this.#pending.delete(key);
    this.run(key);
  }
}
