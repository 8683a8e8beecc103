// What kind of change is a change of a stored object?
import type { KubeObject } from "../../crds/object.js";
import { sameJson } from "../domain/json-value.js";
import type { StoreChange } from "./store.js";

/**
 * True when only the status can have moved: same object, same generation, same metadata that people write. Kinds whose
 * server counts no generations (ConfigMap, Secret) answer false for every change.
 */
export function isStatusOnly({ before, after }: StoreChange): boolean {
  if (!before || !after) return false;
  const generation = after.metadata.generation;
  if (generation === undefined || generation !== before.metadata.generation) return false;
  return sameMetadata(before, after);
}

/** True when nothing that people or controllers write into metadata has changed. */
export function sameMetadata({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  if (a.uid !== b.uid || a.generation !== b.generation || a.deletionTimestamp !== b.deletionTimestamp) return false;
  return (
    sameJson(a.labels, b.labels) &&
    sameJson(a.annotations, b.annotations) &&
    sameJson(a.finalizers, b.finalizers) &&
    sameJson(a.ownerReferences, b.ownerReferences)
  );
}
