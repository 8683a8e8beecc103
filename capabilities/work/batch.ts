// How is one request made for all who ask for the same thing within a moment?

/** How a batch works. */
export interface BatchOptions<T> {
  /** Asks for all keys at once; a key that is missing in the answer has none. */
  readonly run: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  /** Told when a key has its answer, or its failure. */
  readonly answered: (key: string) => void;
  /** How long the first one waits for others, milliseconds; longer while a request is under way. */
  readonly waitMs: number;
  /** Keys in one request. */
  readonly limit: number;
}

type Answer<T> = { readonly value: T | undefined } | { readonly error: unknown };

/** Nobody waits in it: who asks too early is told so, and is called when there is something to hear. */
export class Batch<T> {
  readonly #waiting = new Set<string>();
  readonly #asked = new Set<string>();
  readonly #answers = new Map<string, Answer<T>>();
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #isDue = false;

  constructor(readonly options: BatchOptions<T>) {}

  /**
   * The answer; `undefined` while it is on its way.
   * @throws what the request failed with, once: whoever asks after that asks anew
   */
  ask(key: string): { readonly value: T | undefined } | undefined {
    const answer = this.#answers.get(key);
    if (answer && "value" in answer) return answer;
    if (answer) {
      this.#answers.delete(key);
      throw answer.error;
    }
    if (!this.#asked.has(key)) this.#wait(key);
    return undefined;
  }

  /** Nobody will ask for this key again. */
  forget(key: string): void {
    this.#answers.delete(key);
  }

  /** Asks nothing any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #wait(key: string): void {
    this.#waiting.add(key);
    this.#asked.add(key);
    if (this.#waiting.size === 1) this.#timer = setTimeout(() => void this.#runAll(), this.options.waitMs);
  }

  /** One request at a time: the longer the server takes, the more of them the next one answers for. */
  async #runAll(): Promise<void> {
    this.#isDue = true;
    if (this.#running) return;
    this.#running = true;
    while (this.#isDue) {
      this.#isDue = false;
      const keys = [...this.#waiting];
      this.#waiting.clear();
      for (let from = 0; from < keys.length; from += this.options.limit) {
        await this.#run(keys.slice(from, from + this.options.limit));
      }
    }
    this.#running = false;
  }

  async #run(keys: readonly string[]): Promise<void> {
    const answer = await this.options.run(keys).then(
      values => (key: string) => ({ value: values.get(key) }),
      (error: unknown) => () => ({ error }),
    );
    for (const key of keys) {
      this.#asked.delete(key);
      this.#answers.set(key, answer(key));
      this.options.answered(key);
    }
  }
}
