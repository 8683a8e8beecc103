// Has somebody asked this already? One question serves all who want its answer.
import { RecentMap } from "./recent.js";

/** Remembers the answers to at most `limit` questions; a question that failed is asked again. */
export class Answers<T> {
  readonly #byName: RecentMap<Promise<T>>;

  constructor(limit: number) {
    this.#byName = new RecentMap(limit);
  }

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
    return answer;
  }
}
