// Has what an object's spec says been taken in, by what its status tells?
import type { KubeObject } from "../../crds/object.js";

/** An object whose status says which generation of it has been heard. */
export type Heard = KubeObject & { readonly status?: { readonly observedGeneration?: number } };

/** True when its spec is not one that its status has spoken of. Its deletion counts as one generation and is no edit. */
export function isUnheard({ metadata, status }: Heard): boolean {
  const generation = (metadata.generation ?? 0) - (metadata.deletionTimestamp ? 1 : 0);
  return (status?.observedGeneration ?? 0) < generation;
}

/** As `isUnheard`, of an edit: the first generation has never been anything else. */
export function isUnheardEdit(object: Heard): boolean {
  const { generation = 0, deletionTimestamp } = object.metadata;
  return generation - (deletionTimestamp ? 1 : 0) > 1 && isUnheard(object);
}
