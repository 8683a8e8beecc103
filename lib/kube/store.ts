// What one cluster holds of one kind, as far as we have seen: the reconcilers' only source of reads.
import type { KubeObject } from "../../crds/object.js";
import { isLater, laterOf } from "./revision.js";

/** What happened to one object. `before` is what the store held until now. */
export interface StoreChange<T extends KubeObject = KubeObject> {
  readonly key: string;
  readonly before: T | undefined;
  /** `undefined`: the object is gone. */
  readonly after: T | undefined;
  /** A watch told of it: no state of this object between `before` and `after` was missed. */
  readonly watched?: boolean;
}

/** Index values of one object; an object without any is in no bucket. */
export type IndexFunction<T extends KubeObject> = (object: T) => readonly string[];

/** `namespace/name`, or `name` for cluster-scoped objects. */
export function storeKey(metadata: { readonly namespace?: string; readonly name: string }): string {
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;
}

const TOMBSTONES = 20_000;

/**
 * Objects of one kind by key and by index. Fed by a reflector and by the answers to our own writes, in any order: an
 * older revision never replaces a newer one, and an object seen deleted never comes back.
 */
export class Store<T extends KubeObject = KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, { of: IndexFunction<T>; buckets: Map<string, Set<string>> }>();
  readonly #listeners = new Set<(change: StoreChange<T>) => void>();
  // uid -> revision at which it was seen deleted, oldest first: proof of absence that costs no request.
  readonly #deleted = new Map<string, string>();
  readonly #transform: (object: T) => T;
  /** True once the first list is complete: absence means something from then on. */
  synced = false;

  constructor(
    options: {
      readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
      readonly transform?: (object: T) => T;
    } = {},
  ) {
    this.#transform = options.transform ?? dropManagedFields;
    for (const [name, of] of Object.entries(options.indexes ?? {})) this.#indexes.set(name, { of, buckets: new Map() });
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  /** Objects in one bucket of an index. @throws when there is no such index. */
  byIndex(index: string, value: string): T[] {
    const found = this.#indexes.get(index);
    if (!found) throw new Error(`store: no index ${index}`);
    const keys = found.buckets.get(value);
    if (!keys) return [];
    const objects: T[] = [];
    for (const key of keys) {
      const object = this.#objects.get(key);
      if (object) objects.push(object);
    }
    return objects;
  }

  /**
   * True when the object with this uid was seen deleted: certain, whatever the cache's age. In a store fed by a selector
   * it only says that the object was seen to stop matching.
   */
  wasDeleted(uid: string): boolean {
    return this.#deleted.has(uid);
  }

  /** Calls the listener on every change from now on; returns the way to stop. */
  subscribe(listener: (change: StoreChange<T>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes in an object from a list, a watch (`watched`) or the answer to a write. */
  observe(raw: T, watched?: true): void {
    const key = storeKey(raw.metadata);
    const before = this.#objects.get(key);
    const { uid, resourceVersion } = raw.metadata;
    if (uid && this.#isBuried(uid, resourceVersion)) return;
    if (before && !isLater(resourceVersion, before.metadata.resourceVersion)) return;
    const after = this.#transform(raw);
    if (before) this.#unindex(key, before);
    this.#objects.set(key, after);
    this.#index(key, after);
    if (before?.metadata.uid && before.metadata.uid !== uid) this.#bury(before.metadata.uid, resourceVersion);
    this.#tell({ key, before, after, watched });
  }

  /**
   * Takes out an object; a later incarnation under the same name stays. With `at`, the revision at which it left, what is
   * known of it since then stays too: the order of a watch and of our own answers does not matter. Without `at` its uid
   * is gone for good.
   */
  remove(gone: { readonly metadata: KubeObject["metadata"] }, at?: string): void {
    const { uid, resourceVersion } = gone.metadata;
    const key = storeKey(gone.metadata);
    const here = this.#incarnation(key, uid);
    if (here && at && isLater(here.metadata.resourceVersion, at)) return;
    if (uid) this.#bury(uid, at ?? laterOf(resourceVersion, here?.metadata.resourceVersion));
    if (!here) return;
    this.#unindex(key, here);
    this.#objects.delete(key);
    this.#tell({ key, before: here, after: undefined });
  }

  /** Ends every subscription and empties the store without telling anyone. */
  clear(): void {
    this.#listeners.clear();
    this.#objects.clear();
    for (const { buckets } of this.#indexes.values()) buckets.clear();
    this.synced = false;
  }

  #incarnation(key: string, uid: string | undefined): T | undefined {
    const object = this.#objects.get(key);
    return !uid || object?.metadata.uid === uid ? object : undefined;
  }

  /** A selector's store sees an object leave and come back under the same uid: only older revisions stay buried. */
  #isBuried(uid: string, resourceVersion: string | undefined): boolean {
    const at = this.#deleted.get(uid);
    if (at === undefined) return false;
    if (!isLater(resourceVersion, at)) return true;
    this.#deleted.delete(uid);
    return false;
  }

  #bury(uid: string, resourceVersion: string | undefined): void {
    const at = laterOf(this.#deleted.get(uid), resourceVersion);
    this.#deleted.delete(uid);
    this.#deleted.set(uid, at ?? "");
    if (this.#deleted.size <= TOMBSTONES) return;
    for (const oldest of this.#deleted.keys()) {
      this.#deleted.delete(oldest);
      break;
    }
  }

  /** One listener's error must not keep the change from the others: nobody would tell them again. */
  #tell(change: StoreChange<T>): void {
    const errors: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  #index(key: string, object: T): void {
    for (const { of, buckets } of this.#indexes.values()) {
      for (const value of of(object)) {
        const bucket = buckets.get(value);
        if (bucket) bucket.add(key);
        else buckets.set(value, new Set([key]));
      }
    }
  }

  #unindex(key: string, object: T): void {
    for (const { of, buckets } of this.#indexes.values()) {
      for (const value of of(object)) {
        const bucket = buckets.get(value);
        bucket?.delete(key);
        if (bucket?.size === 0) buckets.delete(value);
      }
    }
  }
}

/** managedFields are a third of an object's size and are only ever read live. */
export function dropManagedFields<T extends KubeObject>(object: T): T {
  if (!object.metadata.managedFields) return object;
  const metadata = { ...object.metadata };
  delete metadata.managedFields;
  return { ...object, metadata };
}
