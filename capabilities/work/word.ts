// What does a Work itself say becomes of its objects?
import type { Work } from "../../crds/work.js";
import { CRB_ID_LABEL, ORDER_ANNOTATION, RB_ID_LABEL } from "../../lib/domain/marks.js";
import { cascadeOfWork, KNOWN_ORDERS, orderFor, type Order } from "../../lib/domain/work-word.js";

/** True for a Work that no binding made: by hand, or by a capability; it obeys its own fields (design 3). */
export function isStandalone(work: Work): boolean {
  const { labels = {} } = work.metadata;
  return !labels[RB_ID_LABEL] && !labels[CRB_ID_LABEL];
}

/** An order that was written into the Work; a word that nobody knows is none. */
export function writtenOrder(work: Work): Order | undefined {
  const order = work.metadata.annotations?.[ORDER_ANNOTATION];
  return KNOWN_ORDERS.find(known => known === order);
}

/** What the Work's own fields say; where they contradict each other, keep wins. */
export const ownOrder = (work: Work): Order => orderFor(cascadeOfWork(work));
