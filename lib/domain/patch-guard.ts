// Is the object that a patch meets still the one it was made for?
import type { KubeObject } from "../../crds/object.js";
import type { PatchOperation } from "./json-patch.js";

/**
 * The first operations of a guarded JSON patch: it fails with 422 when the object was replaced or changed since `live`
 * was read. Throws an Error when `live` was not read from an API server, because the patch would then be unguarded.
 */
export function guardOperations(live: KubeObject): readonly PatchOperation[] {
  const { uid, resourceVersion } = live.metadata;
  if (!uid || !resourceVersion) {
    throw new Error(
      `${live.kind} ${live.metadata.name} has no uid and resourceVersion; read it from the cluster first`,
    );
  }
  return [
    { op: "test", path: "/metadata/uid", value: uid },
    { op: "test", path: "/metadata/resourceVersion", value: resourceVersion },
  ];
}
