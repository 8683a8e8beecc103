// What does a tree of one template consist of?
import type { Condition, KubeObject } from "../../crds/object.js";
import type { AnyBinding, AnyPolicy } from "../../lib/kube/host.js";
import type { Work } from "../../crds/work.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import type { Adoption } from "../view/adoption.js";
import { stateOf } from "../view/state.js";

/** One object of the tree, and what follows from it. This is the form of `-o json` and `-o yaml`. */
export interface TreeNode {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** The member that a Work is for, or that an object is in. */
  readonly cluster?: string;
  readonly state: string;
  readonly ready?: string;
  readonly adoption?: Adoption;
  readonly reason?: string;
  /** Why it is not as it should be. */
  readonly message?: string;
  readonly creationTimestamp?: string;
  readonly children?: readonly TreeNode[];
}

/** All of a node but what follows from it. */
export type Leaf = Omit<TreeNode, "children">;

/** What every object says of itself. */
export function identityOf({ apiVersion, kind, metadata }: KubeObject) {
  const { namespace, name, creationTimestamp } = metadata;
  return { apiVersion, kind, ...(namespace && { namespace }), name, ...(creationTimestamp && { creationTimestamp }) };
}

/** The template. `unclaimed`: why none of the policies that select it claims it. */
export function templateNode(template: KubeObject, isClaimed: boolean, unclaimed?: string): Leaf {
  const none =
    unclaimed === undefined
      ? { reason: "NoPolicy", message: NO_POLICY }
      : { reason: "NotATemplate", message: unclaimed };
  const { ready, status = "Present" } = stateOf(template, { isTemplate: isClaimed });
  return {
    ...identityOf(template),
    state: status,
    ...(ready && { ready }),
    ...(isClaimed ? { adoption: "Template" as const } : none),
  };
}

const NO_POLICY = "no policy has claimed it";

/** The policy that has claimed the template. */
export function policyNode(policy: AnyPolicy): Leaf {
  const ready = conditionOf(policy, "Ready");
  const isBad = ready !== undefined && ready.status !== "True";
  return {
    ...identityOf(policy),
    state: leaving(policy) ?? (ready === undefined ? "Unknown" : isBad ? "NotReady" : "Ready"),
    ...(ready && { reason: ready.reason }),
    ...(isBad && { message: ready.message }),
  };
}

/** The binding: not placed, or how far its Works are applied. */
export function bindingNode(binding: AnyBinding): Leaf {
  const scheduled = conditionOf(binding, "Scheduled");
  const isPlaced = !scheduled || scheduled.status === "True";
  const telling = isPlaced ? conditionOf(binding, "FullyApplied") : scheduled;
  return { ...identityOf(binding), ...wordsOf(telling), ...(leaving(binding) && { state: "Terminating" }) };
}

function wordsOf(condition: Condition | undefined): Pick<Leaf, "state" | "reason" | "message"> {
  if (!condition) return { state: "Unknown" };
  const { type, status, reason, message } = condition;
  return status === "True" ? { state: type, reason } : { state: `Not${type}`, reason, message };
}

/** A Work: whether it is applied. */
export function workNode(work: Work, cluster: string): Leaf {
  const applied = conditionOf(work, "Applied");
  const isBad = applied !== undefined && applied.status !== "True";
  const state = applied === undefined ? "Pending" : isBad ? "NotApplied" : "Applied";
  return {
    ...identityOf(work),
    cluster,
    state: leaving(work) ?? (work.spec.suspendDispatching ? "Suspended" : state),
    ...(applied && { reason: applied.reason }),
    ...(isBad && { message: applied.message }),
  };
}

function leaving({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
  return metadata.deletionTimestamp && "Terminating";
}
