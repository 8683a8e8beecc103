// What do a Work and its object look like in tests?
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { withMarks } from "../../capabilities/work/plan.js";

/** A ConfigMap of namespace shop. */
export function configMap(name: string, uid?: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "shop", ...(uid && { uid }) } };
}

/** A Work of member m1 for one object, with what it has on record. */
export function workFor(
  manifest: KubeObject,
  record?: { uid: string; origin: "Created" | "Adopted" | "Unknown" },
): Work {
  const { name, namespace } = manifest.metadata;
  const identifier = { ordinal: 0, version: "v1", kind: manifest.kind, resource: "", namespace, name };
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name: `${name}-work`, namespace: "karmada-es-m1" },
    spec: { workload: { manifests: [manifest] } },
    ...(record && { status: { manifestStatuses: [{ identifier, ...record }] } }),
  };
}

/** The object as the Work has written it. */
export function liveOf(work: Work, uid: string): KubeObject {
  const [manifest = configMap("none")] = work.spec.workload?.manifests ?? [];
  const marked = withMarks(manifest, work);
  return { ...marked, metadata: { ...marked.metadata, uid, creationTimestamp: "2026-01-01T00:00:00Z" } };
}
