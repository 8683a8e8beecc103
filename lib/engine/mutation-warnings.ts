// How does a mutating webhook warn? Pepr lets its actions change the object only, but shows each answer before it is sent.

/** As much of Pepr's answer as is completed here. */
interface Answer {
  readonly uid: string;
  warnings?: string[];
}

/** An answer that never comes about, because Pepr failed in between, leaves its line behind. */
const REMEMBERED = 100;

/** Lines that wait for the answer to their request. */
export class MutationWarnings {
  readonly #lines = new Map<string, readonly string[]>();

  /** To be said in the answer to the request with this uid; the API server gives each call of a webhook one of its own. */
  tell(uid: string, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const [oldest] = this.#lines.keys();
    if (oldest !== undefined && this.#lines.size >= REMEMBERED) this.#lines.delete(oldest);
    this.#lines.set(uid, lines);
  }

  /** Puts into an answer what is to be said in it. */
  complete(answer: Answer): void {
    const lines = this.#lines.get(answer.uid);
    if (!lines) return;
    this.#lines.delete(answer.uid);
    answer.warnings = [...(answer.warnings ?? []), ...lines];
  }
}
