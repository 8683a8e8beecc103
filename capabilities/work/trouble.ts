// What is a failed attempt about: the object, the way to its cluster, or this process alone?
import { APPLIED_FAILED, APPLY_RETRIED } from "../../lib/domain/applied.js";
import { isRefusal, isUnreachable, kubeErrorIn, NotLeaderError } from "../../lib/kube/errors.js";
import { RefusedError } from "./adopt.js";
import { NotServedError, OvertakenError } from "./objects.js";

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

/** What fails for so long is no passing trouble, whatever its code: a webhook that is away for minutes, say. Milliseconds. */
const PATIENCE_MS = 300_000;

/**
 * The reason of `Applied` for an attempt that failed: Karmada's `AppliedFailed` where the object was refused, or has been tried
 * in vain for five minutes; a word of its own where the next attempt may go better. `failingMs`: for how long it has been.
 */
export function reasonOf(error: unknown, failingMs = 0): string {
  // A person deals otherwise with what is not ours than with an apply that comes to nothing.
  if (error instanceof RefusedError) return error.reason;
  return isRefused(error) || failingMs >= PATIENCE_MS ? APPLIED_FAILED : APPLY_RETRIED;
}

function isRefused(error: unknown): boolean {
  if (error instanceof NotServedError) return true;
  if (error instanceof OvertakenError || isNamespaceLeaving(error)) return false;
  return isRefusal(kubeErrorIn(error));
}
