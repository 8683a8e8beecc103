// Which kinds do the stories about GitOps read that other tests do not?
import type { ApiResource } from "../../lib/kube/resource.js";
import { namespacedKind } from "../integration/support/namespaced-kind.js";
import type { Site } from "../integration/support/site.js";

const KINDS: readonly ApiResource[] = [
  namespacedKind("v1", "Service", "services"),
  namespacedKind("apps/v1", "StatefulSet", "statefulsets"),
  namespacedKind("apps/v1", "DaemonSet", "daemonsets"),
  namespacedKind("batch/v1", "CronJob", "cronjobs"),
  namespacedKind("batch/v1", "Job", "jobs"),
  namespacedKind("v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
  namespacedKind("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"),
  namespacedKind("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"),
];

/** A site that knows them. */
export function learnAll(site: Site): Site {
  for (const kind of KINDS) site.learn(kind);
  return site;
}
