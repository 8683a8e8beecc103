// How did a template look when its deletion began, if nobody was there to see it?
import type { KubeObject } from "../../crds/object.js";
import { atDeletion, FORGOTTEN, objectAt, type PastClient } from "../../lib/kube/history.js";
import type { ObjectName } from "../../lib/kube/resource.js";
import { isLater } from "../../lib/kube/revision.js";

/** A template at the moment when its deletion was accepted. */
export interface Deletion {
  /** As it was then; its resourceVersion is the deletion's own. */
  readonly template: KubeObject;
  /** `--cascade=orphan`: the collector takes that finalizer off again, the first state still has it. */
  readonly orphaned: boolean;
  /** False when somebody may have written to it since then, and that cannot be read any more. */
  readonly certain: boolean;
}

/**
 * A template's deletion: its first state that was being deleted. The last word accepted before the deletion counts, and none
 * from after it.
 * @throws KubeError when the server does not answer: then nothing is decided
 */
export async function deletionOf(client: PastClient, template: KubeObject): Promise<Deletion> {
  const { state, before } = await atDeletion(client, template);
  return found(state, before !== "unknown");
}

/**
 * A template that is gone, as it was on its way out, when something that belongs to it was written: whoever decided about it
 * and died before all was done has left that much. `undefined` where it was not on its way out then, or that is past reading.
 * @throws KubeError when the server does not answer: then nothing is decided
 */
export async function lastLeaving(
  client: PastClient,
  template: ObjectName & { readonly uid?: string },
  revisions: readonly (string | undefined)[],
): Promise<KubeObject | undefined> {
  for (const revision of new Set(revisions.toSorted((a, b) => (isLater(a, b) ? -1 : 1)))) {
    const last = await objectAt(client, template, revision);
    if (last === FORGOTTEN) return undefined;
    if (last) return last.metadata.deletionTimestamp ? last : undefined;
  }
  return undefined;
}

/** The deletion that a watch told of as it happened. */
export function witnessedDeletion(template: KubeObject): Deletion {
  return found(template, true);
}

function found(template: KubeObject, certain: boolean): Deletion {
  return { template, orphaned: template.metadata.finalizers?.includes("orphan") ?? false, certain };
}
