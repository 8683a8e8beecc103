// What stores keep of an object: enough to decide, no more.
import type { KubeObject } from "../../crds/object.js";
import { trimManagedFields } from "../domain/owned-fields.js";

/** A template: of its managedFields only what tells which fields people own (design 6). */
export function ownedFieldsOnly(object: KubeObject): KubeObject {
  return trimManagedFields(object);
}

/** A CustomResourceDefinition: that it is there and established; its schema may be large. */
export function crdFactsOnly(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, status } = object;
  const { name, uid, resourceVersion, generation, deletionTimestamp } = metadata;
  return { apiVersion, kind, metadata: { name, uid, resourceVersion, generation, deletionTimestamp }, status };
}
