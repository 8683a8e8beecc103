// Whose is the object that a Work names in its cluster, as far as the Work tells?
import type { ResourceBindingSpec } from "../../crds/binding-spec.js";
import type { AggregatedStatusItem } from "../../crds/binding-status.js";
import type { Work } from "../../crds/work.js";
import { CONFLICT_RESOLUTION_ANNOTATION } from "./marks.js";

/** Reason of `Applied` where an object is there that is not ours, and that may not be taken over. */
export const ALREADY_EXISTS = "AlreadyExists";

/**
 * `Ours`: it was put there or taken over, and is perhaps not as it should be now. `Foreign`: it is there, and what becomes of
 * the Work is nothing to it. `Unknown`: nothing was reported, so there may be neither.
 */
export type Presence = "Ours" | "Foreign" | "Unknown";

/**
 * About the first object of a Work; bindings give a Work no other. A refusal counts more than what was there before it, until
 * the Work may take the object over: then it is perhaps ours by now.
 */
export function presenceOf(work: Pick<Work, "metadata" | "status"> | undefined): Presence {
  const { conditions = [], manifestStatuses: [first] = [] } = work?.status ?? {};
  const isSaid = (field: "status" | "reason", says: string): boolean =>
    conditions.some(({ type, [field]: said }) => type === "Applied" && said === says);
  if (isSaid("status", "True")) return "Ours";
  if (isSaid("reason", ALREADY_EXISTS)) return mayTakeOver(work) ? "Unknown" : "Foreign";
  return first?.uid ? "Ours" : "Unknown";
}

/** Whether a Work takes over what is in its member already (`conflictResolution: Overwrite`). */
export function mayTakeOver(work: Pick<Work, "metadata"> | undefined): boolean {
  return work?.metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION] === "overwrite";
}

/** The same, as a binding passes it on; its word about conflicts may be newer than the report. */
export function presenceIn(
  item: AggregatedStatusItem | undefined,
  { conflictResolution }: Pick<ResourceBindingSpec, "conflictResolution">,
): Presence {
  if (item?.applied) return "Ours";
  const presence = item?.presence ?? "Unknown";
  return presence === "Foreign" && conflictResolution === "Overwrite" ? "Unknown" : presence;
}
