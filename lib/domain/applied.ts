// Does a Work that is not applied wait for better luck, or has somebody said no?
import type { Work } from "../../crds/work.js";

/** Karmada's reason of `Applied` where the object was refused, or is tried in vain for long (spec/karmada 4). */
export const APPLIED_FAILED = "AppliedFailed";
/** Reason of `Applied` where an attempt failed in a way that may go better by itself, and is made again (429, 5xx, conflicts). */
export const APPLY_RETRIED = "ApplyRetried";
/** Reason of `Applied` where the member does not answer: what it has stays, and the Work goes there when it is back. */
export const CLUSTER_NOT_READY = "ClusterNotReady";
/** Reason of `Applied` where a Work on its way out waits for its cluster, or could not let go and tries again. */
export const FINALIZER_BLOCKED = "FinalizerBlocked";
/** Reason of `Applied` where the member is still deleting what a Work on its way out had there. */
export const DELETING = "Deleting";

const WAITING: readonly string[] = [APPLY_RETRIED, CLUSTER_NOT_READY, FINALIZER_BLOCKED, DELETING];

/**
 * True where `Applied` is not True and nobody has refused the object: it goes on without anybody's doing. Any other reason,
 * Karmada's `AppliedFailed` among them, is a refusal.
 */
export function isPending(work: Pick<Work, "status"> | undefined): boolean {
  const applied = work?.status?.conditions?.find(({ type }) => type === "Applied");
  return applied?.status !== "True" && (applied === undefined || WAITING.includes(applied.reason));
}
