// What was seen lately? Memory that forgets the oldest.

/** Holds at most `limit` values by name; one that is set again counts as new. */
export class RecentMap<T> {
  readonly #byName = new Map<string, T>();

  constructor(readonly limit: number) {}

  get(name: string): T | undefined {
    return this.#byName.get(name);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  set(name: string, value: T): void {
    this.#byName.delete(name);
    this.#byName.set(name, value);
    for (const oldest of this.#byName.keys()) {
      if (this.#byName.size <= this.limit) return;
      this.#byName.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#byName.delete(name);
  }
}

/** Holds at most `limit` ids. */
export class Recent {
  readonly #ids: RecentMap<true>;

  constructor(limit: number) {
    this.#ids = new RecentMap(limit);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.set(id, true);
  }
}
