// What does Git hold of the kinds in which the hold sets a field, and of those that it only marks?
import type { KubeObject } from "../../crds/object.js";

type Spec = Readonly<Record<string, unknown>>;

/** One of each kind, beyond what the shop has, as small as it can be. */
export function everyHeldKind(namespace: string): KubeObject[] {
  const make = (apiVersion: string, kind: string, name: string, spec: Spec): KubeObject =>
    ({ apiVersion, kind, metadata: { name, namespace }, spec }) as KubeObject;
  const containers = [{ name: "c", image: "registry.example/tool:1.0" }];
  const labels = { app: "extra" };
  const selector = { matchLabels: labels };
  const template = { metadata: { labels }, spec: { containers } };
  const target = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  const storage = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  return [
    make("batch/v1", "Job", "once", { template: { spec: { restartPolicy: "Never", containers } } }),
    make("v1", "Pod", "bare", { containers }),
    make("v1", "Service", "door", { type: "LoadBalancer", selector: labels, ports: [{ port: 80 }] }),
    make("v1", "PersistentVolumeClaim", "disk", storage),
    make("apps/v1", "DaemonSet", "agent", { selector, template }),
    make("apps/v1", "ReplicaSet", "bare", { replicas: 1, selector, template }),
    make("apps/v1", "Deployment", "idle", { replicas: 1, paused: true, selector, template }),
    make("batch/v1", "CronJob", "late", {
      ...{ schedule: "0 3 1 1 *", startingDeadlineSeconds: 60, suspend: true },
      jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", containers } } } },
    }),
    make("policy/v1", "PodDisruptionBudget", "web", { minAvailable: 1, selector }),
    make("autoscaling/v2", "HorizontalPodAutoscaler", "web", {
      ...{ scaleTargetRef: target, minReplicas: 2, maxReplicas: 4 },
      metrics: [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
      ],
    }),
  ];
}
