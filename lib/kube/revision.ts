// Which of two revisions of one API server is the later one?

/** True when revision `a` is later than `b`. Revisions of one API server are ordered numbers (KEP-5504). */
export function isLater(a: string | undefined, b: string | undefined): boolean {
  if (!a || !b) return Boolean(a);
  return a.length === b.length ? a > b : a.length > b.length;
}

/** The later of two revisions, or the one that is there. */
export function laterOf(a: string | undefined, b: string | undefined): string | undefined {
  return isLater(a, b) ? a : b;
}
