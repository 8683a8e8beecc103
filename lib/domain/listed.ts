// How are many names put into one line?

/** How many names a line spells out before it counts. */
const NAMED = 3;

/** The first three names, and how many more there are: `a, b, c and 4 more`. Whole sentences want a `; ` between. */
export function listed(names: readonly string[], separator = ", "): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return names.slice(0, NAMED).join(separator) + more;
}
