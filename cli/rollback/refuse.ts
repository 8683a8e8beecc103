// Which templates are better left alone?
import type { KubeObject } from "../../crds/object.js";
import { DELETION_PROTECTED_LABEL } from "../../lib/domain/marks.js";
import type { Foreseen } from "./foresee.js";
import type { PlannedRollback, Refusal } from "./plan.js";
import type { Reference, RollbackOptions } from "./request.js";

/** The only value by which admission refuses a deletion (spec/karmada 3.4). */
const PROTECTED = "Always";

type Options = Pick<RollbackOptions, "restore" | "clusters">;

/** A refusal that no force overcomes. */
export const final = (why: string): Refusal => ({ why, isForceable: false });

/** Pure: why one template is better left alone. */
export function refusalOf(
  { standing, state, copies }: Omit<PlannedRollback, "refusal">,
  { restore, clusters }: Options,
): Refusal | undefined {
  const { template, binding, reference } = standing;
  if (state === "gone") return template ? undefined : refusalOfGone(copies);
  if (state === "leaving" || !template) return undefined;
  // With --clusters the template itself is not deleted.
  if (!clusters && isProtected(template)) return final(protectedWords(reference));
  if (!binding) return final(UNPLACED);
  return refusalOnHost(template, copies) ?? (restore ? refusalToRestore(copies) : undefined);
}

const UNPLACED =
  "no binding tells where it is: the operator has yet to place it (start it, and run this again), or no policy has claimed it (kubectl delete takes it away)";

function refusalOfGone(copies: readonly Foreseen[]): Refusal | undefined {
  const isNowhere = copies.every(({ fate }) => fate === "unknown");
  return isNowhere ? final("neither the host nor any member that answers has it") : undefined;
}

function refusalOnHost(template: KubeObject, copies: readonly Foreseen[]): Refusal | undefined {
  const own = copies.find(({ sighting }) => sighting?.live.metadata.uid === template.metadata.uid);
  if (!own) return undefined;
  return final(`${own.cluster} is the host itself, and this is the object that runs there: it would be deleted`);
}

function isProtected({ metadata }: KubeObject): boolean {
  return metadata.labels?.[DELETION_PROTECTED_LABEL] === PROTECTED;
}

function protectedWords({ kind, metadata: { namespace, name } }: Reference): string {
  const undo = `kubectl label${namespace ? ` -n ${namespace}` : ""} ${kind.toLowerCase()} ${name} ${DELETION_PROTECTED_LABEL}-`;
  return `it is protected from deletion; take the label off first: ${undo}`;
}

function refusalToRestore(copies: readonly Foreseen[]): Refusal | undefined {
  for (const { cluster, fate, changedByOthers, irrevocable, remark } of copies) {
    if (fate === "unknown") {
      const why = `${cluster} cannot be looked at (${remark}), so nobody knows what restoring would undo there`;
      return { why: `${why}; --force goes on, and what others have changed there stays`, isForceable: true };
    }
    if (irrevocable) {
      return { why: `${cluster}: ${irrevocable}; --force, or no --restore, keeps it as it is`, isForceable: true };
    }
    if (changedByOthers.length > 0) {
      const what = changedByOthers.join(", ");
      return {
        why: `${cluster}: changed by others since it was taken over: ${what}; --force undoes it`,
        isForceable: true,
      };
    }
  }
  return undefined;
}
