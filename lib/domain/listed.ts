// How are many names put into one line?

/** How names are put together. */
export interface Listing {
  /** Whole sentences want a `; ` between. */
  readonly separator?: string;
  /** How many are spelled out before the rest is counted. */
  readonly shown?: number;
}

/** The first three names, and how many more there are: `a, b, c and 4 more`. */
export function listed(names: readonly string[], { separator = ", ", shown = 3 }: Listing = {}): string {
  const more = names.length > shown ? ` and ${names.length - shown} more` : "";
  return names.slice(0, shown).join(separator) + more;
}
