// What does a Work itself say becomes of its objects?
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { Work } from "../../crds/work.js";
import { CRB_ID_LABEL, ORDER_ANNOTATION, RB_ID_LABEL } from "../../lib/domain/marks.js";

/** What to do with the objects of a Work that goes. `adopted`: keep what was there before us, delete what we made. */
export type Order = "keep" | "delete" | "adopted";

const ORDERS: Readonly<Record<Cascade, Order>> = { orphan: "keep", background: "delete", adopted: "adopted" };

/** True for a Work that no binding made: by hand, or by a capability; it obeys its own fields (design 3). */
export function isStandalone(work: Work): boolean {
  const { labels = {} } = work.metadata;
  return !labels[RB_ID_LABEL] && !labels[CRB_ID_LABEL];
}

/** An order that was written into the Work; a word that nobody knows is none. */
export function writtenOrder(work: Work): Order | undefined {
  const order = work.metadata.annotations?.[ORDER_ANNOTATION];
  return Object.values(ORDERS).find(known => known === order);
}

/**
 * What the Work's own fields say: `cascadeDeletion`, or `preserveResourcesOnDeletion` where that is not set. Where the two
 * contradict each other, keep wins (design 2). `adopted` contradicts neither: an older reader, who knows the boolean
 * alone, keeps.
 */
export function ownOrder({ spec }: Work): Order {
  const preserve = spec.preserveResourcesOnDeletion ? "keep" : "delete";
  if (spec.cascadeDeletion === undefined) return preserve;
  // A word of a later version was meant to say something: keep.
  const order = Object.hasOwn(ORDERS, spec.cascadeDeletion) ? ORDERS[spec.cascadeDeletion] : "keep";
  return order === "delete" ? preserve : order;
}
