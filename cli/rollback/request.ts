// What is a rollback asked to do, and what does it prove?
import type { KubeObject } from "../../crds/object.js";
import type { ServedResource } from "../../lib/kube/discovery.js";

/** One template, by name: it need not be there any more. */
export interface TemplateName {
  /** The kind as the host serves it. */
  readonly resource: ServedResource;
  /** None for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
}

/** How to roll back. */
export interface RollbackOptions {
  /** Give copies that were taken over the values of before that. */
  readonly restore?: boolean;
  /** Only these members leave; the copies elsewhere stay under care. */
  readonly clusters?: readonly string[];
  /** Also go on where that undoes what others have changed since, or where a member cannot be looked at first. */
  readonly force?: boolean;
  /** How long nothing may move before a wait is given up, milliseconds. */
  readonly stillMs: number;
  /** What was there before, as an earlier run has seen it: proves more of a template that is gone by now. */
  readonly remembered?: readonly Remembered[];
  /** Told of all that is there before anything is written. */
  readonly remember?: (before: readonly Remembered[]) => Promise<void>;
}

/** What one copy was before a rollback. */
export interface Remembered {
  /** `objectKey` of cli/view/adoption. */
  readonly key: string;
  readonly cluster: string;
  readonly uid: string;
  /** UIDs of its Pods. */
  readonly pods: readonly string[];
}

/** An object in words that are enough to find it. */
export type Reference = Pick<KubeObject, "apiVersion" | "kind"> & {
  readonly metadata: { readonly namespace?: string; readonly name: string };
};

/**
 * `Kept`: the same object, without our marks · `Restored`: the same, with the values of before · `Untouched`: it was never
 * ours · `NotThere`: nothing was there and nothing is · `Pending`: its Work holds the order and waits for the member ·
 * `Refused`: nothing was done · `Unproven`: nobody could look · `Failed`: it is not as it should be.
 */
export type Outcome = "Kept" | "Restored" | "Untouched" | "NotThere" | "Pending" | "Refused" | "Unproven" | "Failed";

/** What became of one copy; or, without a cluster, of the template as a whole. */
export interface Proof {
  readonly object: Reference;
  readonly cluster?: string;
  readonly outcome: Outcome;
  /** True when it was seen to be so. */
  readonly proven: boolean;
  /** UID before and after; absent where nobody knows. */
  readonly uid?: { readonly before?: string; readonly after?: string };
  readonly pods?: PodsProof;
  /** What is left of ours on the object; absent where nobody could look. */
  readonly marks?: readonly string[];
  readonly remark?: string;
}

/** What became of the Pods of a workload. */
export interface PodsProof {
  /** How many there were; absent where nobody knows. */
  readonly before?: number;
  /** How many of those are still there. */
  readonly same?: number;
  readonly now: number;
  /** The values of before differ in what Pods are made of: the member replaces them. */
  readonly rollsOut: boolean;
}

/** A template's name as an object of its kind. */
export function referenceOf({ resource, namespace, name }: TemplateName): Reference {
  const { group, version, kind } = resource;
  return {
    apiVersion: group ? `${group}/${version}` : version,
    kind,
    metadata: { ...(namespace && { namespace }), name },
  };
}
