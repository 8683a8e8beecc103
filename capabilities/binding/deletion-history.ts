// How did a template look when its deletion began, if nobody was there to see it?
import type { KubeObject } from "../../crds/object.js";
import { atDeletion, type PastClient } from "../../lib/kube/history.js";

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

/** The deletion that a watch told of as it happened. */
export function witnessedDeletion(template: KubeObject): Deletion {
  return found(template, true);
}

function found(template: KubeObject, certain: boolean): Deletion {
  return { template, orphaned: template.metadata.finalizers?.includes("orphan") ?? false, certain };
}
