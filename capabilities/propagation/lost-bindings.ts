// What did a binding say that somebody deleted while its template lives?
import type { StoreChange } from "../../lib/kube/store.js";
import type { AnyBinding, Host } from "../../lib/kube/host.js";
import { RecentMap } from "../../lib/kube/recent.js";

const REMEMBERED = 1_000;

/** The last state of the binding of a template, by the template's uid, when it is gone. */
export type LostBindings = (templateUid: string | undefined) => AnyBinding | undefined;

/**
 * Where a template is, and what becomes of its copies, is on its binding and in its Works. When all of them are deleted by
 * one hand, some Works may be gone first; then only this process knows of those places. Forgets the oldest.
 */
export function lostBindings({
  bindings,
  clusterBindings,
}: {
  readonly [K in "bindings" | "clusterBindings"]: Pick<Host[K], "subscribe">;
}): LostBindings {
  const lost = new RecentMap<AnyBinding>(REMEMBERED);
  bindings.subscribe(note);
  clusterBindings.subscribe(note);

  function note({ before, after }: StoreChange<AnyBinding>): void {
    const uid = (after ?? before)?.spec.resource.uid;
    if (!uid) return;
    if (after || !before) lost.delete(uid);
    else lost.set(uid, before);
  }

  return uid => (uid ? lost.get(uid) : undefined);
}
