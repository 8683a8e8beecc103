// Is a template just being claimed for a policy, although neither of them shows it yet?

/** A write whose answer was lost may have been accepted: the watch tells of it within this time, milliseconds. */
const DOUBT_MS = 5_000;

/**
 * Counts claims from the choice of the policy until its words are on the binding. A policy that is deleted in that very
 * moment must wait for them: otherwise a binding would carry words from before its last edit, and nobody could read that.
 * Memory only: after a restart the claims themselves are there to be read.
 */
export class ClaimsUnderWay {
  readonly #running = new Map<string, number>();
  readonly #doubtful = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Runs what claims for the policy with this id. @throws what it throws */
  async during<T>(id: string, claim: () => Promise<T>): Promise<T> {
    this.#running.set(id, (this.#running.get(id) ?? 0) + 1);
    try {
      return await claim();
    } catch (error) {
      this.#doubtful.set(id, this.now() + DOUBT_MS);
      throw error;
    } finally {
      const left = (this.#running.get(id) ?? 1) - 1;
      if (left > 0) this.#running.set(id, left);
      else this.#running.delete(id);
    }
  }

  /** True while a claim for this policy may come. */
  has(id: string): boolean {
    const until = this.#doubtful.get(id);
    if (until !== undefined && until <= this.now()) this.#doubtful.delete(id);
    return this.#running.has(id) || this.#doubtful.has(id);
  }
}
