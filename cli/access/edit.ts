// How does a command change a template in a person's name?
import type { PatchOperation } from "../../lib/domain/json-patch.js";
import type { KubeObject } from "../../crds/object.js";
import { collectionPath, objectPath, type ResourceClient } from "../../lib/kube/resource.js";

/**
 * Not the operator's own name: what that owns is not taken for a word of the template's authors, and would never reach a
 * member.
 */
const MANAGER = "holdfast-cli";

/** A merge patch; `null` removes a field. @throws KubeError */
export function mergeAs(objects: ResourceClient, { metadata }: KubeObject, body: unknown): Promise<KubeObject> {
  return send(objects, metadata, "merge", body);
}

/** A JSON patch. @throws KubeError */
export function patchAs(
  objects: ResourceClient,
  { metadata }: KubeObject,
  operations: readonly PatchOperation[],
): Promise<KubeObject> {
  return send(objects, metadata, "json", operations);
}

/** A new object. @throws KubeError */
export function createAs({ client, resource }: ResourceClient, object: KubeObject): Promise<KubeObject> {
  const path = collectionPath(resource, object.metadata.namespace);
  return client.request<KubeObject>("POST", path, { body: object, query: { fieldManager: MANAGER } });
}

function send(
  { client, resource }: ResourceClient,
  metadata: KubeObject["metadata"],
  patch: "merge" | "json",
  body: unknown,
): Promise<KubeObject> {
  return client.request<KubeObject>("PATCH", objectPath(resource, metadata), {
    ...{ body, patch },
    query: { fieldManager: MANAGER },
  });
}
