// Has what an object's spec says been taken in, by what its status tells?
import type { KubeObject } from "../../crds/object.js";

/** An object whose status says which generation of it has been heard. */
export type Heard = KubeObject & { readonly status?: { readonly observedGeneration?: number } };

/**
 * True when its spec is not one that its status has spoken of. Its deletion counts as one generation and is no edit. A status
 * ahead of its object was meant for one that bore the name before.
 */
export function isUnheard({ metadata, status }: Heard): boolean {
  const { generation = 0, deletionTimestamp } = metadata;
  const observed = status?.observedGeneration ?? 0;
  return observed < generation - (deletionTimestamp ? 1 : 0) || observed > generation;
}

/** True when it has ever said anything else: the first generation has not, and a deletion is no edit. */
export function isEdited({ metadata: { generation = 0, deletionTimestamp } }: Pick<KubeObject, "metadata">): boolean {
  return generation - (deletionTimestamp ? 1 : 0) > 1;
}

/** As `isUnheard`, of an edit. */
export function isUnheardEdit(object: Heard): boolean {
  return isEdited(object) && isUnheard(object);
}
