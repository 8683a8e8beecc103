// What is a failed attempt about: the object, the way to its cluster, or this process alone?
import { isUnreachable, kubeErrorIn, NotLeaderError } from "../../lib/kube/errors.js";

/** `process`: this one must not write just now. That says nothing about the object, and is nobody's business. */
export type Trouble = "object" | "cluster" | "process";

/** Decides by the error alone. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof NotLeaderError) return "process";
  return isUnreachable(error) ? "cluster" : "object";
}

/**
 * True when the object's namespace is on its way out in the member: it can be made again as soon as that is gone, and
 * nothing tells us when.
 */
export function isNamespaceLeaving(error: unknown): boolean {
  const answer = kubeErrorIn(error);
  return answer?.status === 403 && answer.message.includes("because it is being terminated");
}
