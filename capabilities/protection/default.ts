// Which mark does every policy about deletion get, whatever its manifest says?
import type { KubeObject } from "../../crds/object.js";
import { finalizerFor, type MetadataChanges } from "../../lib/domain/admission-changes.js";
import { CASCADE_FINALIZER } from "../../lib/domain/marks.js";

/**
 * What to merge into a CascadeDeletionPolicy or ClusterCascadeDeletionPolicy, or `undefined`: the finalizer by which it
 * cannot go before its last word is on record (design 3).
 */
export function defaults(object: KubeObject): MetadataChanges | undefined {
  return finalizerFor(object, CASCADE_FINALIZER);
}
