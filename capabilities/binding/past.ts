// What did objects of one kind say at a given revision, with one request for all who ask at the same time?
import type { KubeObject } from "../../crds/object.js";
import { isUnheard, isUnheardEdit, type Heard } from "../../lib/domain/heard.js";
import type { Collection } from "../../lib/kube/collection.js";
import { FORGOTTEN, listAt } from "../../lib/kube/history.js";
import { isLater } from "../../lib/kube/revision.js";
import type { StoreChange } from "../../lib/kube/store.js";

/** What was found. */
export interface Past<T> {
  readonly items: readonly T[];
  /** As of the revision that was asked for; otherwise as it is now, since the server does not remember. */
  readonly exact: boolean;
  /** Something of it has changed, or may have, since that revision. */
  readonly moved: boolean;
  /** Those whose edit, or making, was not heard yet at that revision: what they said before is on no record of then. */
  readonly unheard: readonly T[];
  /** Those of them whose edit no watch told of: what they said before is known from nowhere else. */
  readonly missed: readonly T[];
}

/** Where there was nothing to ask for. */
export const NOTHING: Past<never> = { items: [], exact: true, moved: false, unheard: [], missed: [] };

/** What somebody wants to know. */
export interface Question<T> {
  readonly namespace: string | undefined;
  /** `undefined`: now, from the server and not from a cache. */
  readonly revision: string | undefined;
  readonly pick: (items: readonly T[]) => readonly T[];
  /** Nothing found now is news: it was there once. `tracelessly`: what is gone has left no word anywhere, whatever is found. */
  readonly expected: boolean | "tracelessly";
}

/** Reads one kind as of a revision. @throws KubeError when the host cannot be read: then nothing is decided. */
export type PastReader<T> = (question: Question<T>) => Promise<Past<T>>;

/** The parts of a collection that are read here. */
type Source<T extends Heard> = Pick<Collection<T>, "subscribe"> & {
  readonly store: Pick<Collection<T>["store"], "values">;
  readonly client: Pick<Collection<T>["client"], "list">;
};

/** How long a first question waits for others, milliseconds. */
const BATCH_MS = 50;
/** In a burst, told by how many shared the last list of a namespace, the next one has that long to gather more. */
const BURST = { questions: 5, waitMs: 400 };

/** How an object was when this generation of it was first seen. */
interface Sight {
  readonly generation: number | undefined;
  readonly revision: string;
  /** Its status spoke of an older one. */
  readonly unheard: boolean;
  /** And no watch told of it: the edit came while nobody was looking. */
  readonly missed: boolean;
  /** The revision at which its status was first seen to speak of it. */
  readonly heardAt?: string;
}

type Found<T> = Pick<Past<T>, "items" | "unheard" | "missed">;

interface Waiting<T> extends Question<T> {
  readonly resolve: (past: Past<T>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One live LIST answers for all who wait, as long as what they ask about has not changed since: it is known from which
 * revision on an object has had its present generation. Only where it has changed is the server asked for the exact
 * revision (`resourceVersionMatch=Exact`); a live read there would give a value from afterwards.
 *
 * `creationIsNews`: an object that nobody has heard of yet may have been made since; otherwise only edits count.
 */
export function pastReader<T extends Heard>(source: Source<T>, creationIsNews: boolean): PastReader<T> {
  const isNews = creationIsNews ? isUnheard : isUnheardEdit;
  const since = new Map<string, Sight>();
  const waiting = new Map<string, Waiting<T>[]>();
  // Namespaces whose last list answered many.
  const busy = new Set<string>();

  source.subscribe(remember);
  for (const object of source.store.values()) remember({ key: "", before: undefined, after: object });

  function remember({ before, after, watched = false }: StoreChange<T>): void {
    if (!after) {
      if (before?.metadata.uid) since.delete(before.metadata.uid);
      return;
    }
    // Made again under its name it has another uid.
    if (before && before.metadata.uid !== after.metadata.uid) since.delete(before.metadata.uid ?? "");
    since.set(after.metadata.uid ?? "", sightAfter(sightOf(after), after, { unheard: isNews(after), watched }));
  }

  async function readBatch(namespace: string): Promise<void> {
    const batch = waiting.get(namespace) ?? [];
    waiting.delete(namespace);
    if (batch.length < BURST.questions) busy.delete(namespace);
    else busy.add(namespace);
    try {
      const { items: live } = await source.client.list({}, namespace || undefined);
      for (const one of batch) answer(one, live);
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
  }

  function answer(one: Waiting<T>, live: readonly T[]): void {
    const { revision } = one;
    const items = one.pick(live);
    const found = {
      items,
      unheard: items.filter(item => wasUnheardAt(item, revision)),
      missed: items.filter(wasMissed),
    };
    if (revision === undefined) return one.resolve({ ...found, exact: true, moved: false });
    const isMissing = one.expected === "tracelessly" || (one.expected && items.length === 0);
    const isUnchanged = !isMissing && items.every(item => isUnchangedSince(item, revision));
    if (isUnchanged) return one.resolve({ ...found, exact: true, moved: items.some(wasUnheard) });
    exactly(one, revision, found).then(one.resolve, one.reject);
  }

  function isUnchangedSince({ metadata: { uid = "", generation } }: T, revision: string): boolean {
    const known = since.get(uid);
    return known !== undefined && known.generation === generation && !isLater(known.revision, revision);
  }

  async function exactly(one: Waiting<T>, revision: string, found: Found<T>): Promise<Past<T>> {
    const then = await listAt(source.client, revision, { namespace: one.namespace });
    // What is there now is the best there is.
    if (then === FORGOTTEN) return { ...found, exact: false, moved: found.items.some(wasUnheard) };
    const items = one.pick(then);
    return { items, unheard: items.filter(isNews), missed: items.filter(wasMissed), exact: true, moved: true };
  }

  /** What was put on record since a revision is not on the record of then. */
  function wasUnheardAt(object: T, revision: string | undefined): boolean {
    const known = sightOf(object);
    if (!known) return isNews(object);
    const isOnRecord = known.heardAt !== undefined && (revision === undefined || !isLater(known.heardAt, revision));
    return known.unheard && !isOnRecord;
  }

  /** By what its status said before we spoke in it ourselves. */
  function wasUnheard(object: T): boolean {
    return sightOf(object)?.unheard ?? isNews(object);
  }

  function wasMissed(object: T): boolean {
    return sightOf(object)?.missed ?? isNews(object);
  }

  function sightOf({ metadata: { uid = "", generation } }: T): Sight | undefined {
    const known = since.get(uid);
    return known?.generation === generation ? known : undefined;
  }

  return question =>
    new Promise((resolve, reject) => {
      const namespace = question.namespace ?? "";
      const others = waiting.get(namespace);
      if (others) return void others.push({ ...question, resolve, reject });
      waiting.set(namespace, [{ ...question, resolve, reject }]);
      setTimeout(() => void readBatch(namespace), busy.has(namespace) ? BURST.waitMs : BATCH_MS);
    });
}

/** How an object was when this generation of it was first seen, and when that was heard. */
function sightAfter(
  known: Sight | undefined,
  { metadata }: KubeObject,
  { unheard, watched }: { readonly unheard: boolean; readonly watched: boolean },
): Sight {
  const { generation, resourceVersion = "" } = metadata;
  if (!known) return { generation, revision: resourceVersion, unheard, missed: unheard && !watched };
  const isHeardNow = known.unheard && !unheard && !known.heardAt;
  return isHeardNow ? { ...known, heardAt: resourceVersion } : known;
}
