// Has somebody asked this already? One question serves all who want its answer.

/** Remembers the answers to at most `limit` questions; a question that failed is asked again. */
export class Answers<T> {
  readonly #byName = new Map<string, Promise<T>>();

  constructor(readonly limit: number) {}

  /**
   * What is known by this name, or is being asked at the moment; else what `ask` finds out.
   * @throws what `ask` throws, to everyone who waits
   */
  of(name: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#byName.get(name);
    if (known) return known;
    const answer = ask();
    this.#byName.set(name, answer);
    answer.catch(() => {
      if (this.#byName.get(name) === answer) this.#byName.delete(name);
    });
    for (const oldest of this.#byName.keys()) {
      if (this.#byName.size <= this.limit) break;
      this.#byName.delete(oldest);
    }
    return answer;
  }
}
