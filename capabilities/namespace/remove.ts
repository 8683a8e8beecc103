// Deletes a namespace that was found to be empty, if it still is.
import { KubeError } from "../../lib/kube/errors.js";
import type { Contents } from "../../lib/kube/namespace-contents.js";

/** What it takes; tests put their own in. */
export interface Removing {
  /** As fast as it goes: what is created after it has been listed is lost. */
  lookAgain(): Promise<Contents>;
  /** Guarded by uid and resourceVersion of before the first look. */
  delete(): Promise<unknown>;
}

/** `occupied`: somebody has come meanwhile. `windowMs`: from the beginning of the last look to the end of the delete. */
export type Removed =
  | { readonly outcome: "deleted"; readonly windowMs: number }
  | { readonly outcome: "occupied" }
  | { readonly outcome: "refused"; readonly why: string };

/**
 * No API deletes a namespace on the condition that it is empty, and a Terminating one cannot be brought back. So it is
 * looked at once more, right before, and whatever was written to the namespace itself since the first look ends the
 * attempt. What remains is the time from the list of one kind to the delete; what people create most is listed last.
 * @throws KubeError when the member does not answer, or when the namespace is another one by now
 */
export async function removeEmpty(removing: Removing): Promise<Removed> {
  const started = performance.now();
  const { occupants, hidden } = await removing.lookAgain();
  if (occupants.length > 0 || hidden !== undefined) return { outcome: "occupied" };
  try {
    await removing.delete();
    return { outcome: "deleted", windowMs: Math.round(performance.now() - started) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { outcome: "refused", why: error.message };
  }
}

function isRefusal(error: unknown): error is KubeError {
  return error instanceof KubeError && [400, 403, 422].includes(error.status);
}
