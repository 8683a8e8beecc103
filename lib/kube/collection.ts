// One kind in one cluster: its store, the reflector that feeds it, and writes whose answers reach the store at once.
import type { KubeObject } from "../../crds/object.js";
import type { KubeClient } from "./client.js";
import { isNotFound, KubeError, kubeErrorIn } from "./errors.js";
import { pause } from "./pause.js";
import { Reflector, type ReflectorOptions } from "./reflector.js";
import type { PatchOperation } from "../domain/json-patch.js";
import { collectionPath, ResourceClient, type ApiResource, type ApplyOptions, type ObjectName } from "./resource.js";
import { Store, storeKey, type IndexFunction, type StoreChange } from "./store.js";

/** How long a reconciler waits for the first list of a kind, milliseconds. */
const SYNC_PATIENCE_MS = 5_000;

/** How a collection is kept. */
export interface CollectionOptions<T extends KubeObject> {
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** What is kept of each object; managedFields are dropped when absent. */
  readonly transform?: (object: T) => T;
  readonly reflector?: ReflectorOptions;
}

/**
 * Reads come from the store, writes go to the server and their answers into the store: the next reconcile sees them
 * without waiting for the watch.
 */
export class Collection<T extends KubeObject = KubeObject> {
  readonly client: ResourceClient<T>;
  readonly store: Store<T>;
  readonly reflector: Reflector<T>;

  constructor(
    client: KubeClient,
    readonly resource: ApiResource,
    options: CollectionOptions<T> = {},
  ) {
    this.client = new ResourceClient<T>(client, resource);
    this.store = new Store<T>({ indexes: options.indexes, transform: options.transform });
    this.reflector = new Reflector<T>(this.client, this.store, options.reflector);
  }

  start(): void {
    this.reflector.start();
  }

  async stop(): Promise<void> {
    await this.reflector.stop();
    this.store.clear();
  }

  /**
   * Resolves when the store is complete. A kind that cannot be listed must not keep workers from all others: when the
   * reflector has failed, or has listed nothing within five seconds, it throws.
   * @throws KubeError with the server's status and words; the signal's reason when that aborts first.
   */
  async whenSynced(signal: AbortSignal): Promise<void> {
    if (this.store.synced) return;
    if (this.reflector.lastFailure === undefined) await this.#listed(signal);
    signal.throwIfAborted();
    if (!this.store.synced) throw this.#notListed();
  }

  async #listed(signal: AbortSignal): Promise<void> {
    const interest = new AbortController();
    const patience = pause(SYNC_PATIENCE_MS, interest.signal);
    try {
      await Promise.race([this.reflector.synced, patience, aborted(signal, interest.signal)]);
    } finally {
      interest.abort();
    }
  }

  #notListed(): KubeError {
    const { lastFailure, lastError = "it has not been listed yet" } = this.reflector;
    const { status = 0, reason = "", retryAfterMs } = kubeErrorIn(lastFailure) ?? {};
    const words = `cannot list ${collectionPath(this.resource)}: ${lastError}`;
    return new KubeError(status, reason, words, { cause: lastFailure, retryAfterMs });
  }

  get(key: string): T | undefined {
    return this.store.get(key);
  }

  find(name: ObjectName): T | undefined {
    return this.store.get(storeKey(name));
  }

  subscribe(listener: (change: StoreChange<T>) => void): () => void {
    return this.store.subscribe(listener);
  }

  async create(object: T): Promise<T> {
    return this.#seen(await this.client.create(object));
  }

  /** Replaces the whole object (not its status); the object's resourceVersion is the precondition. */
  async replace(object: T): Promise<T> {
    return this.#seen(await this.client.replace(object));
  }

  async apply(
    object: KubeObject,
    options: ApplyOptions,
    signal?: AbortSignal,
  ): Promise<{ created: boolean; object: T }> {
    const answer = await this.client.apply(object, options, signal);
    if (!options.dryRun) this.#seen(answer.object);
    return answer;
  }

  async jsonPatch(target: ObjectName, operations: readonly PatchOperation[]): Promise<T> {
    return this.#seen(await this.client.jsonPatch(target, operations));
  }

  async mergePatch(target: ObjectName, body: unknown): Promise<T> {
    return this.#seen(await this.client.mergePatch(target, body));
  }

  /** Merges into the status. An object that has gone has nothing to report any more: `undefined`. */
  async patchStatus(target: ObjectName, status: unknown): Promise<T | undefined> {
    try {
      return this.#seen(await this.client.mergePatch(target, { status }, "status"));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Replaces the status as a whole; the object's resourceVersion is the precondition. */
  async replaceStatus(object: T): Promise<T> {
    return this.#seen(await this.client.replace(object, "status"));
  }

  /** Deletes with preconditions; true when nothing is left, false while finalizers hold it. */
  async delete(object: KubeObject, preconditions: { uid?: string; resourceVersion?: string } = {}): Promise<boolean> {
    const left = await this.client.delete(object.metadata, { uid: object.metadata.uid, ...preconditions });
    if (left) this.#seen(left);
    else this.store.remove(object);
    return !left;
  }

  async removeFinalizer(object: T, finalizer: string, guard?: { readonly asRead: true }): Promise<T | undefined> {
    const after = await this.client.removeFinalizer(object, finalizer, guard);
    return after && this.#seen(after);
  }

  #seen(object: T): T {
    if (isLastWord(object)) this.store.remove(object);
    else this.store.observe(object);
    return object;
  }
}

/**
 * True for the server's last word about an object: nothing holds it any more. Namespaces wait on finalizers of their spec,
 * Pods on their grace period.
 */
function isLastWord({ metadata, spec }: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadata;
  const { finalizers: ofSpec = [] } = (spec ?? {}) as { readonly finalizers?: readonly string[] };
  return Boolean(deletionTimestamp) && deletionGracePeriodSeconds === 0 && finalizers.length + ofSpec.length === 0;
}

/** Settles when the signal aborts; takes its listener off again when nobody is interested any more. */
function aborted(signal: AbortSignal, interest: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true, signal: interest });
  });
}
