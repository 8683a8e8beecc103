// What does an API server have at this moment, told the moment it changes?
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "../../crds/object.js";
import type { BenchApi } from "./api.js";

/** Told of everything there is, and of every change. */
export interface WatchHandler {
  /** All that was told before is void: a list follows. */
  reset(): void;
  put(object: KubeObject): void;
  remove(object: KubeObject): void;
}

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly KubeObject[];
}

interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: KubeObject;
}

const PAGE = 500;
const AGAIN_MS = 500;

/** Lists, and watches from there on until the signal aborts; returns when the first list has been told. */
export async function watch(api: BenchApi, path: string, handler: WatchHandler, signal: AbortSignal): Promise<void> {
  const version = await list(api, path, handler);
  void follow(api, path, { handler, signal, version });
}

async function list(api: BenchApi, path: string, handler: WatchHandler): Promise<string> {
  handler.reset();
  for (let next = ""; ; ) {
    const query = `limit=${PAGE}${next && `&continue=${encodeURIComponent(next)}`}`;
    const { items, metadata } = await api.request<List>("GET", `${path}?${query}`, { verb: "LIST" });
    items.forEach(item => handler.put(item));
    if (!metadata.continue) return metadata.resourceVersion;
    next = metadata.continue;
  }
}

interface Following {
  readonly handler: WatchHandler;
  readonly signal: AbortSignal;
  readonly version: string;
}

async function follow(api: BenchApi, path: string, { handler, signal, version }: Following): Promise<void> {
  let from: string | undefined = version;
  while (!signal.aborted) {
    try {
      from ??= await list(api, path, handler);
      const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${from}`;
      for await (const line of api.lines(`${path}?${query}`, signal)) from = tell(JSON.parse(line), handler);
    } catch {
      // Whatever broke the watch, a new list knows what was missed.
      from = undefined;
      if (!signal.aborted) await sleep(AGAIN_MS);
    }
  }
}

function tell({ type, object }: WatchEvent, handler: WatchHandler): string {
  if (type === "ERROR") throw new Error("the watch is too old");
  if (type === "DELETED") handler.remove(object);
  else if (type !== "BOOKMARK") handler.put(object);
  return object.metadata.resourceVersion ?? "";
}
