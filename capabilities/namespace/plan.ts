// What becomes of a namespace that we made in a member?
import type { KubeObject } from "../../crds/object.js";
import type { ClusterFacts } from "../../lib/domain/affinity.js";
import { wordFor, type CascadeRule } from "../../lib/domain/cascade.js";
import { keepsAll, orderFor } from "../../lib/domain/work-word.js";
import type { Contents, Occupant } from "../../lib/kube/namespace-contents.js";

/** What is known about the reasons for a namespace before anyone looks into it. */
export interface Need {
  /** The host has a namespace of this name. */
  readonly onHost: boolean;
  /** The cluster is being removed. */
  readonly clusterLeaving: boolean;
  /** Works that stand for objects in it, or for the Namespace itself, and are still there. */
  readonly works: number;
}

/** Whether it is time to look into a namespace, or why not yet. */
export type NeedAnswer = { readonly decide: true } | { readonly decide: false; readonly why: string };

/** Pure: only the end of the host's namespace, or of the cluster, ends the need for it (design 10). */
export function planNeed({ onHost, clusterLeaving, works }: Need): NeedAnswer {
  if (onHost && !clusterLeaving) return { decide: false, why: "the host has this namespace" };
  if (works > 0) return { decide: false, why: `${works} Work(s) still stand for something in it` };
  return { decide: true };
}

/** What stood on the host when the namespace there was deleted, or the cluster removed. */
export interface Evidence {
  readonly cluster: ClusterFacts;
  /** The host's namespace, with its labels and annotations of then. */
  readonly namespace: KubeObject;
  /** The cluster-wide policies about deletion of then; a namespaced one selects no Namespace. */
  readonly rules: readonly CascadeRule[];
}

/** Whether an empty namespace may be deleted, or whose word it is that it stays. */
export type Word = { readonly keep: false } | { readonly keep: true; readonly why: string };

/**
 * Pure: the annotation on the host's namespace, then a policy about deletion that selects it, then deletion (design 2). We
 * made it, so `adopted` (keep what was there before us) does not keep it. What cannot be read deletes nothing.
 */
export function planWord(evidence: Evidence | undefined): Word {
  if (!evidence)
    return { keep: true, why: "it is not known whether it was to be kept: nobody saw the host's namespace go" };
  const { cluster, namespace, rules } = evidence;
  const policy = { preserve: undefined, decidedBy: "a namespace that was made on demand" };
  const { cascadeDeletion, decidedBy } = wordFor(cluster, { template: namespace, rules, policy, recorded: [] });
  return keepsAll(orderFor(cascadeDeletion)) ? { keep: true, why: `decided by ${decidedBy}` } : { keep: false };
}

/** What to do with a namespace that nothing needs any more. */
export type Removal =
  | { readonly action: "delete" }
  | { readonly action: "release"; readonly why: string }
  | { readonly action: "wait"; readonly why: string };

/**
 * Pure: deletes only what is known to be empty. What is on its way out is waited for while there is patience; anything
 * else is somebody's, so the namespace becomes theirs.
 */
export function planRemoval({ occupants, hidden }: Contents, patient: boolean): Removal {
  if (hidden) return { action: "release", why: hidden };
  if (occupants.length === 0) return { action: "delete" };
  const staying = occupants.find(occupant => !isGoing(occupant, occupants));
  if (staying) return { action: "release", why: `it holds ${nameOf(staying)}${others(occupants.length)}` };
  const why = `${occupants.length} object(s) in it are being deleted`;
  return { action: patient ? "wait" : "release", why };
}

/** Terminating, or made by something that is gone, so that the garbage collector will take it. */
function isGoing({ metadata }: Occupant, all: readonly Occupant[]): boolean {
  if (metadata.deletionTimestamp) return true;
  const owners = metadata.ownerReferences ?? [];
  if (owners.length === 0) return false;
  return owners.every(({ uid }) => {
    const owner = all.find(candidate => candidate.metadata.uid === uid);
    return (
      owner === undefined ||
      isGoing(
        owner,
        all.filter(candidate => candidate !== owner),
      )
    );
  });
}

function nameOf({ groupKind, metadata }: Occupant): string {
  return `${groupKind.slice(groupKind.indexOf("/") + 1)} ${metadata.name}`;
}

function others(count: number): string {
  return count > 1 ? ` and ${count - 1} other object(s)` : "";
}
