// Which clusters has a binding dropped, and has the copy there been given its order?
import type { AnyBinding } from "../../lib/kube/host.js";

/**
 * Remembers dropped clusters until the order is out. Usually the Work there carries it; but somebody may have deleted that by
 * hand in the same moment, and then nothing else tells that there is a copy.
 */
export class LeftPlaces {
  readonly #byKey = new Map<string, Set<string>>();

  /** To be told of every change of a binding. */
  note(key: string, before: AnyBinding | undefined, after: AnyBinding | undefined): void {
    if (!after) return void this.#byKey.delete(key);
    const now = new Set((after.spec.clusters ?? []).map(({ name }) => name));
    const same = before?.spec.resource.uid === after.spec.resource.uid;
    const dropped = same ? (before?.spec.clusters ?? []).filter(({ name }) => !now.has(name)) : [];
    const open = [...this.of(key), ...dropped.map(({ name }) => name)].filter(name => !now.has(name));
    if (open.length > 0) this.#byKey.set(key, new Set(open));
    else this.#byKey.delete(key);
  }

  /** The clusters without an order yet. */
  of(key: string): readonly string[] {
    return [...(this.#byKey.get(key) ?? [])];
  }

  /** The copies in these clusters have theirs. */
  ordered(key: string, clusters: readonly string[]): void {
    const open = this.of(key).filter(name => !clusters.includes(name));
    if (open.length > 0) this.#byKey.set(key, new Set(open));
    else this.#byKey.delete(key);
  }
}
