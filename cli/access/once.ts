// How is something opened once by whoever comes first, and tried again after it failed?

/** A way to each of some things. */
export interface Ways<Key, Way> {
  /** The same for all who ask; what could not be opened is opened anew for whoever asks next. */
  readonly get: (key: Key) => Promise<Way>;
  /** What is open by now. */
  readonly all: () => Promise<readonly Way[]>;
}

/** `open` is called once for each name, unless it fails. */
export function once<Key, Way>(nameOf: (key: Key) => string, open: (key: Key) => Promise<Way>): Ways<Key, Way> {
  const opened = new Map<string, Promise<Way>>();
  return {
    get(key) {
      const name = nameOf(key);
      const known = opened.get(name);
      if (known) return known;
      const opening = open(key);
      opened.set(name, opening);
      opening.catch(() => opened.delete(name));
      return opening;
    },
    async all() {
      const settled = await Promise.allSettled(opened.values());
      return settled.flatMap(one => (one.status === "fulfilled" ? [one.value] : []));
    },
  };
}
