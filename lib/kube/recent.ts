// Which ids were seen lately? A set that forgets the oldest.

/** Holds at most `limit` ids. */
export class Recent {
  readonly #ids = new Set<string>();

  constructor(readonly limit: number) {}

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    if (this.#ids.size <= this.limit) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }
}
