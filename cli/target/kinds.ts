// Which kind does a person mean by `deploy`, `Deployment` or `deployments.apps`?
import type { ServedResource } from "../../lib/kube/discovery.js";
import { EXIT, Problem } from "../problem.js";

/**
 * The kind that a word names, in the way of kubectl: a plural before a singular or kind, and these before short names; of
 * several groups the one that the API server lists first. A group may follow the first dot, with its version or without,
 * and need not be written to its end.
 * @throws Problem when the host serves no such kind
 */
export function resolveKind(served: readonly ServedResource[], text: string): ServedResource {
  const found = findKind(served, text);
  if (found) return found;
  const near = similarNames(served, text);
  const hint =
    near.length > 0
      ? `did you mean ${near.join(", ")}?`
      : "kubectl api-resources lists the kinds of the host; a kind that only members serve is not known here";
  throw new Problem(`the host serves no kind "${text}"`, hint, EXIT.usage);
}

/** As `resolveKind`; `undefined` when there is none. */
export function findKind(served: readonly ServedResource[], text: string): ServedResource | undefined {
  const [word = "", ...rest] = text.toLowerCase().split(".");
  const suffix = rest.join(".");
  for (const isGroup of rest.length > 0 ? [isExactly(suffix), beginsWith(suffix)] : [() => true]) {
    const inGroup = served.filter(resource => resource.verbs.includes("get") && isGroup(resource));
    for (const isCalled of CALLED) {
      const hit = inGroup.find(resource => isCalled(resource, word));
      if (hit) return hit;
    }
  }
  return undefined;
}

/** All kinds of a category, such as `all`; none when there is no such category. */
export function kindsOfCategory(served: readonly ServedResource[], category: string): readonly ServedResource[] {
  const seen = new Set<string>();
  return served.filter(({ categories = [], verbs, group, kind }) => {
    if (!categories.includes(category) || !verbs.includes("list") || seen.has(`${group}/${kind}`)) return false;
    seen.add(`${group}/${kind}`);
    return true;
  });
}

const CALLED: readonly ((resource: ServedResource, word: string) => boolean)[] = [
  ({ plural }, word) => plural === word,
  ({ singular, kind }, word) => singular === word || kind.toLowerCase() === word,
  ({ shortNames = [] }, word) => shortNames.includes(word),
];

type GroupTest = (resource: ServedResource) => boolean;

function isExactly(suffix: string): GroupTest {
  return ({ group, version }) => suffix === group || suffix === `${version}.${group}`;
}

function beginsWith(suffix: string): GroupTest {
  return ({ group, version }) =>
    suffix !== "" && (group.startsWith(suffix) || `${version}.${group}`.startsWith(suffix));
}

/** Plurals that are one slip of the hand away. */
function similarNames(served: readonly ServedResource[], text: string): string[] {
  const word = text.toLowerCase().split(".")[0] ?? "";
  const names = served.filter(({ verbs, plural, singular = plural, shortNames = [] }) => {
    return verbs.includes("get") && [plural, singular, ...shortNames].some(name => isNear(name, word));
  });
  return [...new Set(names.map(({ plural }) => plural))].slice(0, 3);
}

/** One letter more, less or another, or two neighbours exchanged. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || b.length < 3) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left === [...right].reverse().join("");
}
