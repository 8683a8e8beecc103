// What happens to all objects of one kind, one by one, and where was something missed?
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "../../../crds/object.js";
import { KubeError, isExpired } from "../../../lib/kube/errors.js";
import { collectionPath, type ResourceClient } from "../../../lib/kube/resource.js";
import { storeKey } from "../../../lib/kube/store.js";

/** One object as it became; `exact` when every state of it since the one before was seen. */
export interface Sight {
  readonly object: KubeObject;
  readonly gone: boolean;
  readonly exact: boolean;
}

interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: KubeObject & { readonly code?: number };
}

/** A watch that goes on until it is ended. Our own: the operator's reflector must not be its own witness. */
export interface Watch {
  /** Settles with the first list. */
  readonly synced: Promise<void>;
  readonly objects: ReadonlyMap<string, KubeObject>;
  end(): Promise<void>;
}

const RETRY_MS = 200;
const WATCH_SECONDS = 60;
/** Longer than this without a word, not even a bookmark after its end, is a dead connection. */
const SILENCE_MS = (WATCH_SECONDS + 10) * 1_000;

/** Watches one kind in all namespaces. */
export function watchKind(source: ResourceClient, tell: (sight: Sight) => void): Watch {
  const objects = new Map<string, KubeObject>();
  const stop = new AbortController();
  let revision = "";
  let resolveSynced = (): void => undefined;
  const synced = new Promise<void>(resolve => (resolveSynced = resolve));

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        if (!revision) await list();
        await follow();
      } catch (error) {
        if (isExpired(error)) revision = "";
        else await sleep(RETRY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    }
  }

  async function list(): Promise<void> {
    const { items, resourceVersion } = await source.list({}, undefined, stop.signal);
    const seen = new Set(items.map(item => storeKey(item.metadata)));
    for (const [key, object] of objects) if (!seen.has(key)) remove(key, object, false);
    for (const item of items) put(item, false);
    revision = resourceVersion;
    resolveSynced();
  }

  async function follow(): Promise<void> {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(SILENCE_MS)]);
    const query = { watch: 1, allowWatchBookmarks: true, timeoutSeconds: WATCH_SECONDS, resourceVersion: revision };
    const events = source.client.stream<WatchEvent>(collectionPath(source.resource), { query, signal });
    for await (const { type, object } of events) {
      if (type === "ERROR") throw new KubeError(object.code ?? 0, "", "the watch was ended");
      revision = object.metadata.resourceVersion ?? revision;
      if (type === "DELETED") remove(storeKey(object.metadata), object, true);
      else if (type !== "BOOKMARK") put(object, true);
    }
  }

  function put(object: KubeObject, exact: boolean): void {
    const key = storeKey(object.metadata);
    const before = objects.get(key);
    if (before?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    // Another one under its name: its end was missed.
    if (before && before.metadata.uid !== object.metadata.uid) remove(key, before, false);
    objects.set(key, object);
    tell({ object, gone: false, exact });
  }

  function remove(key: string, object: KubeObject, exact: boolean): void {
    objects.delete(key);
    tell({ object, gone: true, exact });
  }

  const running = run();
  return {
    synced,
    objects,
    async end() {
      stop.abort();
      await running;
    },
  };
}
