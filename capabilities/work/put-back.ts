// Gives an object that is about to be let go of the values back that it had before it was taken over.
import type { KubeObject } from "../../crds/object.js";
import { planRestoration } from "../../lib/domain/restore.js";
import type { Collection } from "../../lib/kube/collection.js";
import { KubeError, messageOf } from "../../lib/kube/errors.js";
import { overtakenOr, OvertakenError } from "./objects.js";

/** The object as it is now. `refused`: in the member's words, why its earlier values are not back. */
export interface PutBack {
  readonly object: KubeObject;
  readonly refused?: string;
}

/**
 * Replayable: what is back is not written again. A member that will not have the earlier values (a field that cannot
 * change any more, a policy of its own) keeps the present ones: whoever turns back must be able to let go.
 * @throws OvertakenError when the object is not as it was read; KubeError when the member does not answer
 */
export async function putBack(objects: Collection, live: KubeObject, before: KubeObject): Promise<PutBack> {
  const { patch } = planRestoration(live, before);
  if (!patch) return { object: live };
  try {
    return { object: await objects.client.jsonPatch(live.metadata, patch) };
  } catch (error) {
    if (!isRefusal(error)) throw overtakenOr(error);
    // The object may have become another one in this very moment: then the refusal is about that.
    const now = await objects.client.find(live.metadata);
    if (now?.metadata.resourceVersion !== live.metadata.resourceVersion) throw new OvertakenError(error);
    return { object: live, refused: messageOf(error) };
  }
}

/** A patch whose `test` does not hold has the status of invalid values, but not the server's word for them. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof KubeError)) return false;
  return error.status === 422 ? / is invalid: /.test(error.message) : [400, 403, 413].includes(error.status);
}
