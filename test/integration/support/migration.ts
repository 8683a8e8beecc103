// How does a migration's test fill a member with what people run there?
import type { KubeObject } from "../../../crds/object.js";
import { objectPath, type ApiResource } from "../../../lib/kube/resource.js";
import { namespacedKind } from "./namespaced-kind.js";
import type { Site } from "./site.js";

const KINDS: readonly ApiResource[] = [
  namespacedKind("v1", "Service", "services"),
  namespacedKind("v1", "ServiceAccount", "serviceaccounts"),
  namespacedKind("v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
  namespacedKind("apps/v1", "StatefulSet", "statefulsets"),
  namespacedKind("apps/v1", "DaemonSet", "daemonsets"),
  namespacedKind("batch/v1", "Job", "jobs"),
  namespacedKind("batch/v1", "CronJob", "cronjobs"),
  namespacedKind("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"),
  namespacedKind("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"),
  namespacedKind("networking.k8s.io/v1", "Ingress", "ingresses"),
  namespacedKind("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies"),
  namespacedKind("rbac.authorization.k8s.io/v1", "Role", "roles"),
  namespacedKind("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings"),
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
