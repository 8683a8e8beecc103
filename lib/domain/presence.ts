// Whose is the object that a Work names in its cluster, as far as the Work tells?
import type { AggregatedStatusItem } from "../../crds/binding-status.js";
import type { Work } from "../../crds/work.js";

/** Reason of `Applied` where an object is there that is not ours, and that may not be taken over. */
export const ALREADY_EXISTS = "AlreadyExists";

/**
 * `Ours`: it was put there or taken over, and is perhaps not as it should be now. `Foreign`: it is there, and what becomes of
 * the Work is nothing to it. `Unknown`: nothing was reported, so there may be neither.
 */
export type Presence = "Ours" | "Foreign" | "Unknown";

/** About the first object of a Work; bindings give a Work no other. A refusal counts more than what was there before it. */
export function presenceOf(work: Pick<Work, "status"> | undefined): Presence {
  const { conditions = [], manifestStatuses: [first] = [] } = work?.status ?? {};
  const isSaid = (field: "status" | "reason", says: string): boolean =>
    conditions.some(({ type, [field]: said }) => type === "Applied" && said === says);
  if (isSaid("status", "True")) return "Ours";
  if (isSaid("reason", ALREADY_EXISTS)) return "Foreign";
  return first?.uid ? "Ours" : "Unknown";
}

/** The same, as a binding passes it on. */
export function presenceIn(item: AggregatedStatusItem | undefined): Presence {
  return item?.applied ? "Ours" : (item?.presence ?? "Unknown");
}
