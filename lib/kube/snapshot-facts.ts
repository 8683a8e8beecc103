// What does a store keep of an AdoptionSnapshot?
import type { AdoptionSnapshot } from "../../crds/adoption-snapshot.js";

/** That it is there, and of what: the object in it is large, and is read when it is needed. */
export function snapshotFactsOnly(snapshot: AdoptionSnapshot): AdoptionSnapshot {
  const { apiVersion, kind, metadata, spec } = snapshot;
  const { name, namespace, uid, resourceVersion, labels } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion, labels },
    spec: { ...spec, object: undefined, compressed: undefined },
  };
}
