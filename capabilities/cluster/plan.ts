// What is the next step of a cluster that is leaving?

/** What is still there of a leaving cluster. */
export interface Leftovers {
  /** Works in its execution namespace. */
  readonly works: number;
  /** Those of them that our finalizer holds, or that nobody has deleted. */
  readonly worksOfOurs: number;
  /** Bindings that still go to it. */
  readonly bindings: number;
  /** Nothing of these has moved for so long that it will not. */
  readonly stalled: boolean;
  /** Namespaces in a reachable member that carry our marks and are not being deleted. */
  readonly memberNamespaces: number;
  /** What became of everything stands on the Cluster. */
  readonly told: boolean;
  /** The execution namespace. */
  readonly namespace: "there" | "going" | "gone";
}

/** `until` says what else than an event ends a wait. */
export type LeavingStep =
  | { readonly action: "wait"; readonly why: string; readonly until: "event" | "stalled" | "patience" }
  | { readonly action: "abandon" }
  | { readonly action: "takeStock" }
  | { readonly action: "deleteNamespace" }
  | { readonly action: "finish" };

/**
 * Pure. The execution namespace goes last: deleting it would delete Works whose orders nobody has given yet, and a Work
 * that goes without an order keeps what it stands for (design 3). So that the removal always ends, what has stood still for
 * too long is left behind: nothing is done in the member then, and it is told.
 */
export function planLeaving(left: Leftovers): LeavingStep {
  const { memberNamespaces, told, namespace } = left;
  const ordered = planOrders(left);
  if (ordered) return ordered;
  if (memberNamespaces > 0) return wait(`${memberNamespaces} namespace(s) in it are being let go`, "patience");
  if (!told) return { action: "takeStock" };
  if (namespace === "there") return { action: "deleteNamespace" };
  if (namespace === "going") return wait("the execution namespace is going", "event");
  return { action: "finish" };
}

/** Until every order is given and carried out, or nothing moves any more. */
function planOrders({ works, worksOfOurs, bindings, stalled }: Leftovers): LeavingStep | undefined {
  if (stalled && worksOfOurs > 0) return { action: "abandon" };
  if (bindings > 0 && !stalled) return wait(`${bindings} binding(s) still go to it`, "stalled");
  if (works > 0) return wait(`${works} Work(s) are being let go`, stalled ? "event" : "stalled");
  return undefined;
}

function wait(why: string, until: "event" | "stalled" | "patience"): LeavingStep {
  return { action: "wait", why, until };
}
