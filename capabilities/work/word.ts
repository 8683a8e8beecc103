// What does a Work itself say becomes of its objects?
import type { Work } from "../../crds/work.js";
import { CRB_ID_LABEL, RB_ID_LABEL } from "../../lib/domain/marks.js";
import { cascadeOfWork, orderFor, type Order } from "../../lib/domain/work-word.js";

/** True for a Work that no binding made: by hand, or by a capability; it obeys its own fields (design 3). */
export function isStandalone(work: Work): boolean {
  const { labels = {} } = work.metadata;
  return !labels[RB_ID_LABEL] && !labels[CRB_ID_LABEL];
}

/** What the Work's own fields say; where they contradict each other, keep wins. */
export const ownOrder = (work: Work): Order => orderFor(cascadeOfWork(work));
