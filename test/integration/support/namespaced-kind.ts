// How is a kind told to a site that does not know it?
import type { ApiResource } from "../../../lib/kube/resource.js";

/** A namespaced kind, as the API server serves it. */
export function namespacedKind(groupVersion: string, kind: string, plural: string): ApiResource {
  const [version = "", group = ""] = groupVersion.split("/").reverse();
  return { group, version, kind, plural, namespaced: true };
}
