// How does a migration's test fill a member with what people run there?
import type { KubeObject } from "../../../crds/object.js";
import { objectPath, type ApiResource } from "../../../lib/kube/resource.js";
import type { Site } from "./site.js";

const namespaced = (groupVersion: string, kind: string, plural: string): ApiResource => {
  const [version = "", group = ""] = groupVersion.split("/").reverse();
  return { group, version, kind, plural, namespaced: true };
};

const KINDS: readonly ApiResource[] = [
  namespaced("v1", "Service", "services"),
  namespaced("v1", "ServiceAccount", "serviceaccounts"),
  namespaced("v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
  namespaced("apps/v1", "StatefulSet", "statefulsets"),
  namespaced("apps/v1", "DaemonSet", "daemonsets"),
  namespaced("batch/v1", "Job", "jobs"),
  namespaced("batch/v1", "CronJob", "cronjobs"),
  namespaced("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"),
  namespaced("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"),
  namespaced("networking.k8s.io/v1", "Ingress", "ingresses"),
  namespaced("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies"),
  namespaced("rbac.authorization.k8s.io/v1", "Role", "roles"),
  namespaced("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings"),
];

/** Tells a site of the kinds that people run. */
export function learnAll(site: Site): void {
  for (const kind of KINDS) site.learn(kind);
}

/** As a tool that creates objects without server-side apply. */
export async function createAs(site: Site, manager: string, object: KubeObject): Promise<void> {
  const path = objectPath(site.of(object.kind).resource, object.metadata).replace(/\/[^/]+$/, "");
  await site.client.request("POST", path, { body: object, query: { fieldManager: manager } });
}

/** UIDs of the Pods that are ready, sorted: the same ones again are the same Pods. */
export async function podsIn(site: Site, namespace: string): Promise<readonly string[]> {
  const pods = await site.list("Pod", namespace);
  const ready = pods.filter(
    ({ status }) => JSON.stringify(status ?? {}).includes('"type":"Ready"') && !notReady(status),
  );
  return ready.map(({ metadata }) => metadata.uid ?? "").sort();
}

function notReady(status: unknown): boolean {
  const { conditions = [] } = status as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions.some(({ type, status: word }) => type === "Ready" && word !== "True");
}
