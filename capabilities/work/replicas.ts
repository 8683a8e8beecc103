// How is the replica count of an object left to its member?
import type { KubeObject } from "../../crds/object.js";
import { RETAIN_REPLICAS_LABEL } from "../../lib/domain/marks.js";
import { withoutReplicas, yieldReplicasPatch } from "../../lib/domain/retain-replicas.js";
import type { Collection } from "../../lib/kube/collection.js";
import { guarded, onObjectAsItIs } from "./objects.js";

/** True when the template leaves its replica count to the members. */
const isRetained = (manifest: KubeObject): boolean => manifest.metadata.labels?.[RETAIN_REPLICAS_LABEL] === "true";

/** The manifest as it is sent: without a replica count that is the member's. */
export function withoutRetained(manifest: KubeObject): KubeObject {
  return isRetained(manifest) ? withoutReplicas(manifest) : manifest;
}

/** First we cease to own a count that is the member's, only then we leave it out (design 6). */
export async function yieldRetained(objects: Collection, manifest: KubeObject): Promise<void> {
  if (!isRetained(manifest)) return;
  await onObjectAsItIs(
    () => objects.client.find(manifest.metadata),
    async live => {
      const patch = live && yieldReplicasPatch(live);
      if (live && patch) await guarded(() => objects.client.jsonPatch(live.metadata, patch));
    },
  );
}
