// Keeps a store equal to one collection of one API server: list in pages, watch, and start over when in doubt.
//
// Ours: client-node's informer stops for good on most errors and does not notice a half-open connection; KFC's lists
// everything at once and has no bookmarks (docs/adr/0008).
import type { KubeObject } from "../../crds/object.js";
import type { Query } from "./client.js";
import { isExpired, KubeError, messageOf } from "./errors.js";
import { pause } from "./pause.js";
import { collectionPath, type ResourceClient } from "./resource.js";
import { storeKey, type Store } from "./store.js";

/** What a reflector says about itself; all optional. */
export interface ReflectorLog {
  debug(message: string, fields: Record<string, unknown>): void;
  warn(message: string, fields: Record<string, unknown>): void;
}

/** Times in milliseconds; tests shorten them. */
export interface ReflectorOptions {
  /** Label or field selector. */
  readonly query?: Query;
  readonly namespace?: string;
  /** The server ends a watch after this; silence beyond it means a half-open connection. Under 30 s in all. */
  readonly watchMs?: number;
  readonly graceMs?: number;
  /** How often everything is listed again in spite of a healthy watch, so that a lost event is found. */
  readonly relistMs?: number;
  readonly maxBackoffMs?: number;
  readonly log?: ReflectorLog;
}

interface WatchEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: T & { readonly code?: number; readonly reason?: string; readonly message?: string };
}

/** Feeds one store. `start()` once; `stop()` ends it and the store keeps what it has. */
export class Reflector<T extends KubeObject> {
  readonly #stop = new AbortController();
  readonly #options: Required<Omit<ReflectorOptions, "query" | "namespace" | "log">> & ReflectorOptions;
  #resourceVersion = "";
  #relistAt = 0;
  #failures = 0;
  #running: Promise<void> | undefined;
  #resolveSynced: () => void = () => {};
  /** Settles when the first list is complete, or when the reflector is stopped before that. */
  readonly synced: Promise<void>;
  /** The last thing that went wrong, until it went right again: for whoever asks why nothing moves. */
  lastFailure: unknown;

  constructor(
    readonly source: ResourceClient<T>,
    readonly store: Store<T>,
    options: ReflectorOptions = {},
  ) {
    this.#options = { watchMs: 20_000, graceMs: 5_000, relistMs: 600_000, maxBackoffMs: 1_500, ...options };
    this.synced = new Promise(resolve => (this.#resolveSynced = resolve));
  }

  /** `lastFailure` in words. */
  get lastError(): string | undefined {
    return this.lastFailure === undefined ? undefined : messageOf(this.lastFailure);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#resolveSynced();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        if (!this.#resourceVersion || performance.now() > this.#relistAt) await this.#list();
        const opened = performance.now();
        await this.#watch();
        // A server or proxy that ends watches at once must not be asked in a tight loop.
        if (performance.now() - opened < 200) await pause(100, this.#stop.signal);
        else this.#failures = 0;
      } catch (error) {
        await this.#recover(error);
      }
    }
  }

  async #recover(error: unknown): Promise<void> {
    if (this.#stop.signal.aborted) return;
    if (isExpired(error)) this.#resourceVersion = "";
    this.#failures++;
    // An expired revision is ordinary once; when a new list does not help, it is a failure like any other.
    if (isExpired(error) && this.#failures === 1) return;
    this.#complain(error);
    await pause(backoff(this.#failures, this.#options.maxBackoffMs), this.#stop.signal);
  }

  async #list(): Promise<void> {
    const { query, namespace, relistMs } = this.#options;
    const { items, resourceVersion } = await this.source.list(query, namespace, this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    const seen = new Set<string>();
    for (const item of items) {
      seen.add(storeKey(item.metadata));
      this.store.observe(item);
    }
    // What the list does not hold is gone, unless an answer to a write of ours is newer than the list.
    for (const object of [...this.store.values()]) {
      if (!seen.has(storeKey(object.metadata))) this.store.remove(object, resourceVersion);
    }
    this.#resourceVersion = resourceVersion;
    // Spread over time, or all kinds would be listed again in the same second.
    this.#relistAt = performance.now() + relistMs * (0.8 + 0.2 * Math.random());
    if (!this.store.synced) this.#options.log?.debug("listed", { path: this.#path, objects: items.length });
    this.store.synced = true;
    this.#resolveSynced();
  }

  async #watch(): Promise<void> {
    const { query, watchMs, graceMs } = this.#options;
    // Spread over time: a hundred watches that end in the same second would all come back in the same second.
    const lastsMs = watchMs * (0.85 + 0.15 * Math.random());
    const attempt = new AbortController();
    const abort = (): void => attempt.abort();
    this.#stop.signal.addEventListener("abort", abort, { once: true });
    const overdue = setTimeout(abort, lastsMs + graceMs);
    const watch = { watch: 1, allowWatchBookmarks: true, timeoutSeconds: Math.ceil(lastsMs / 1000) };
    try {
      const events = this.source.client.stream<WatchEvent<T>>(this.#path, {
        query: { ...query, ...watch, resourceVersion: this.#resourceVersion },
        signal: attempt.signal,
        onOpen: () => this.#opened(),
      });
      for await (const event of events) this.#take(event);
    } catch (error) {
      // Cut or overdue: go on from the last revision. The server says 410 if it is too old.
      if (!attempt.signal.aborted) throw error;
      if (!this.#stop.signal.aborted) this.#options.log?.debug("watch overdue", { path: this.#path });
    } finally {
      clearTimeout(overdue);
      this.#stop.signal.removeEventListener("abort", abort);
    }
  }

  #opened(): void {
    this.lastFailure = undefined;
  }

  #take({ type, object }: WatchEvent<T>): void {
    if (type === "ERROR") {
      this.#resourceVersion = "";
      throw new KubeError(object.code ?? 0, object.reason ?? "", `watch ${this.#path}: ${object.message ?? "refused"}`);
    }
    // The server let the watch in and knows the revision: whatever was wrong is over.
    this.#failures = 0;
    const { resourceVersion } = object.metadata;
    if (type === "DELETED") this.store.remove(object, resourceVersion);
    else if (type !== "BOOKMARK") this.store.observe(object, true);
    this.#resourceVersion = resourceVersion ?? this.#resourceVersion;
  }

  #complain(error: unknown): void {
    this.lastFailure = error;
    const fields = { path: this.#path, error: this.lastError };
    // One line when it starts; the rest is for whoever looks closer.
    if (this.#failures === 1) this.#options.log?.warn("cannot watch", fields);
    else this.#options.log?.debug("cannot watch", fields);
  }

  get #path(): string {
    return collectionPath(this.source.resource, this.#options.namespace);
  }
}

function backoff(failures: number, maxMs: number): number {
  return Math.min(maxMs, 50 * 2 ** failures) * (0.5 + Math.random() / 2);
}
