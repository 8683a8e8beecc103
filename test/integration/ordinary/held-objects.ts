// Which objects does a host hold that runs workloads, as people write them?

const labels = { app: "web" };
const selector = { matchLabels: labels };
const IMAGE = "registry.example/web:1";
/** One object, and what members get of the field that holds it on the host. */
export interface Held {
  readonly object: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly namespace: string; readonly name: string };
    readonly spec: object;
  };
  /** Field of `spec`, the host's value, and the members'; absent for what the admission policy holds alone. */
  readonly field?: { readonly name: string; readonly held: unknown; readonly written: unknown };
}

/** One of each kind. A CronJob that is due every minute shows soonest that it never is. */
export function heldObjects(namespace: string, image = IMAGE): readonly Held[] {
  const podSpec = { containers: [{ name: "web", image }] };
  const template = { metadata: { labels }, spec: podSpec };
  // Not under the disruption budget: its counts would move with each run.
  const task = { metadata: { labels: { app: "task" } }, spec: { ...podSpec, restartPolicy: "Never" } };
  const jobSpec = { template: task };
  const make = (apiVersion: string, kind: string, spec: object, field?: Held["field"]): Held => ({
    object: { apiVersion, kind, metadata: { namespace, name: `a-${kind.toLowerCase()}` }, spec },
    ...(field && { field }),
  });
  const gates = [{ name: "holdfast.dev/held" }];
  const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  const balancer = { type: "LoadBalancer", loadBalancerClass: "example.com/internal", selector: labels };
  const target = { apiVersion: "apps/v1", kind: "Deployment", name: "a-deployment" };
  return [
    make(
      "apps/v1",
      "Deployment",
      { replicas: 2, selector, template },
      { name: "paused", held: true, written: undefined },
    ),
    make("apps/v1", "StatefulSet", { replicas: 2, selector, template }),
    make("apps/v1", "DaemonSet", { selector, template }),
    make("apps/v1", "ReplicaSet", {
      replicas: 2,
      selector: { matchLabels: { app: "rs" } },
      template: { ...template, metadata: { labels: { app: "rs" } } },
    }),
    make("batch/v1", "Job", jobSpec, { name: "managedBy", held: "holdfast.dev/held", written: undefined }),
    make(
      "batch/v1",
      "CronJob",
      { schedule: "* * * * *", jobTemplate: { spec: jobSpec } },
      { name: "startingDeadlineSeconds", held: 0, written: undefined },
    ),
    make("v1", "Pod", podSpec, { name: "schedulingGates", held: gates, written: undefined }),
    make(
      "v1",
      "Service",
      { ...balancer, ports: [{ port: 80 }] },
      { name: "loadBalancerClass", held: "holdfast.dev/held", written: "example.com/internal" },
    ),
    make("v1", "PersistentVolumeClaim", claim, { name: "volumeName", held: "holdfast-held", written: undefined }),
    make("policy/v1", "PodDisruptionBudget", { minAvailable: 1, selector }),
    make("autoscaling/v2", "HorizontalPodAutoscaler", { scaleTargetRef: target, minReplicas: 2, maxReplicas: 9 }),
  ];
}

/** A policy that sends all of them to both members. */
export function policyFor(namespace: string, held: readonly Held[]): object {
  const resourceSelectors = held.map(({ object: { apiVersion, kind } }) => ({ apiVersion, kind }));
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { namespace, name: "all" },
    spec: { resourceSelectors, placement: { clusterAffinity: { clusterNames: ["member1", "member2"] } } },
  };
}
