// What has become of the objects that a leaving cluster held, by what its API server says now?
import type { ObjectMeta } from "../../crds/object.js";
import type { FarewellEntry, FarewellOutcome } from "../../lib/domain/farewell-report.js";
import { WORK_ID_LABEL } from "../../lib/domain/marks.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { isNotFound, messageOf } from "../../lib/kube/errors.js";
import type { Member } from "../../lib/kube/member.js";
import { collectionPath, objectPath, type ApiResource } from "../../lib/kube/resource.js";
import { METADATA_ONLY } from "../../lib/kube/metadata-only.js";
import type { Item } from "./inventory.js";

/** What of an object is read: its contents are nobody's business here. */
export type Seen = Pick<ObjectMeta, "name" | "labels" | "deletionTimestamp" | "finalizers">;

const ONE = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const PAGE = 500;
const AT_ONCE = 4;
/** Up to here, a read each costs less than a list. */
const FEW = 4;
/** Taking stock must not hold up the removal of a cluster that has become slow. */
const PATIENCE_MS = 30_000;

/** Objects of one kind in one namespace. */
interface Group {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly items: Item[];
}

/** Nothing is known of them: what was there may still be there, with our marks. */
export function leftBehind(items: Iterable<Item>, why: string): FarewellEntry[] {
  return [...items].map(item => entryOf(item, "left", why));
}

/**
 * Looks at each object, metadata only. What cannot be read within the patience counts as left behind: nothing is known of
 * it. Never throws.
 */
export async function takeStock(
  { client, discovery }: Pick<Member, "client" | "discovery">,
  items: Iterable<Item>,
  patienceMs = PATIENCE_MS,
): Promise<FarewellEntry[]> {
  const signal = AbortSignal.timeout(patienceMs);
  const groups = grouped(items);
  const entries: FarewellEntry[] = [];
  const worker = async (): Promise<void> => {
    for (let group = groups.shift(); group; group = groups.shift()) entries.push(...(await lookAt(group)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return entries;

  async function lookAt(group: Group): Promise<FarewellEntry[]> {
    const { apiVersion, kind } = group;
    const resource = discovery.find(apiVersion, kind);
    if (!resource && !discovery.served.complete) {
      return leftBehind(group.items, `whether the cluster serves ${kind} is not known`);
    }
    try {
      const seen = resource ? await read(client, resource, group, signal) : new Map<string, Seen>();
      return group.items.flatMap(item => judge(item, seen.get(item.name)) ?? []);
    } catch (error) {
      const why = signal.aborted ? "the cluster did not answer in time" : messageOf(error);
      return leftBehind(group.items, `cannot be read: ${why}`);
    }
  }
}

/** What an object as it is now, or its absence, says; `undefined` for what was never there. Exported for its table test. */
export function judge(item: Item, seen: Seen | undefined): FarewellEntry | undefined {
  if (!seen) return item.doubtful ? undefined : entryOf(item, "deleted");
  if (seen.deletionTimestamp) {
    const holders = seen.finalizers?.join(", ");
    return entryOf(item, "deleted", holders ? `is being deleted; waits for finalizer ${holders}` : "is being deleted");
  }
  if (seen.labels?.[WORK_ID_LABEL] === item.mark) return entryOf(item, "left", "is there and still carries our marks");
  return entryOf(item, "kept");
}

function entryOf({ apiVersion, kind, namespace, name }: Item, outcome: FarewellOutcome, why?: string): FarewellEntry {
  return { outcome, apiVersion, kind, ...(namespace && { namespace }), name, ...(why && { why }) };
}

function grouped(items: Iterable<Item>): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const { apiVersion, kind, namespace } = item;
    const key = [apiVersion, kind, namespace].join("|");
    const group = groups.get(key) ?? { apiVersion, kind, namespace, items: [] };
    group.items.push(item);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function read(client: KubeClient, resource: ApiResource, group: Group, signal: AbortSignal) {
  return group.items.length > FEW
    ? readMany(client, resource, group, signal)
    : readEach(client, resource, group, signal);
}

async function readEach(
  client: KubeClient,
  resource: ApiResource,
  { items }: Group,
  signal: AbortSignal,
): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  for (const { namespace, name } of items) {
    const options = { accept: ONE, signal };
    const object = await client
      .request<{ metadata: Seen }>("GET", objectPath(resource, { namespace, name }), options)
      .catch(unlessNotFound);
    if (object) seen.set(name, object.metadata);
  }
  return seen;
}

interface Page {
  readonly items?: readonly { readonly metadata: Seen }[] | null;
  readonly metadata: { readonly continue?: string };
}

async function readMany(
  client: KubeClient,
  resource: ApiResource,
  { namespace }: Group,
  signal: AbortSignal,
): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  let next: string | undefined;
  do {
    const options = { query: { limit: PAGE, continue: next }, accept: METADATA_ONLY, signal };
    const page = await client.request<Page>("GET", collectionPath(resource, namespace), options).catch(unlessNotFound);
    for (const { metadata } of page?.items ?? []) seen.set(metadata.name, metadata);
    next = page?.metadata.continue;
  } while (next);
  return seen;
}

/** Not there, or its kind is not: both are an answer. */
function unlessNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}
