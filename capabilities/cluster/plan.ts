// What is the next step of a cluster that is leaving?

/** What is still there of a leaving cluster. */
export interface Leftovers {
  /** Works in its execution namespace. */
  readonly works: number;
  /** Bindings that still go to it. */
  readonly bindings: number;
  /** Namespaces in a reachable member that carry our marks and are not being deleted. */
  readonly memberNamespaces: number;
  /** The execution namespace. */
  readonly namespace: "there" | "going" | "gone";
}

/** `wokenByEvent: false` when a deadline ends the wait as well. */
export type LeavingStep =
  | { readonly action: "wait"; readonly why: string; readonly wokenByEvent: boolean }
  | { readonly action: "deleteNamespace" }
  | { readonly action: "finish" };

/**
 * Pure. The execution namespace goes last: deleting it would delete Works whose orders nobody has given yet, and a Work
 * that goes without an order keeps what it stands for (design 3).
 */
export function planLeaving({ works, bindings, memberNamespaces, namespace }: Leftovers): LeavingStep {
  if (bindings > 0) return { action: "wait", why: `${bindings} binding(s) still go to it`, wokenByEvent: true };
  if (works > 0) return { action: "wait", why: `${works} Work(s) are being let go`, wokenByEvent: true };
  if (memberNamespaces > 0) {
    return { action: "wait", why: `${memberNamespaces} namespace(s) in it are being let go`, wokenByEvent: false };
  }
  if (namespace === "there") return { action: "deleteNamespace" };
  if (namespace === "going") return { action: "wait", why: "the execution namespace is going", wokenByEvent: true };
  return { action: "finish" };
}
