// What does a team run? Objects of many kinds, by several tools, for the round trip of a migration.
import type { KubeObject } from "../../../crds/object.js";

const RBAC = "rbac.authorization.k8s.io/v1";

/** One app: thirteen objects, and `replicas` Pods for its Deployment, one for its StatefulSet, one for each node. */
export function appObjects(namespace: string, app: string): readonly KubeObject[] {
  const meta = (suffix = "") => ({ name: `${app}${suffix}`, namespace, labels: { app, team: "blue" } });
  const selector = { matchLabels: { app } };
  const port = { name: "http", port: 80, targetPort: 8080 };
  const account = { serviceAccountName: app };
  const pod = (role: string, more: object = {}) => ({
    metadata: { labels: { app, role } },
    spec: {
      containers: [{ name: "c", image: "registry.example/web:1", envFrom: [{ configMapRef: { name: app } }] }],
      ...more,
    },
  });
  const labels = (role: string) => ({ matchLabels: { app, role } });
  const once = { restartPolicy: "Never" };
  const target = { apiVersion: "apps/v1", kind: "Deployment", name: `${app}-scaled` };
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: meta() },
    { apiVersion: "v1", kind: "ConfigMap", metadata: meta(), data: { mode: "fast" } },
    {
      apiVersion: RBAC,
      kind: "Role",
      metadata: meta(),
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    },
    {
      apiVersion: RBAC,
      kind: "RoleBinding",
      metadata: meta(),
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: app },
      subjects: [{ kind: "ServiceAccount", name: app, namespace }],
    },
    {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: meta(),
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(),
      spec: { type: "NodePort", selector: { app }, ports: [port] },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: meta(),
      spec: { replicas: 1, selector: labels("web"), template: pod("web", account) },
    },
    {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: meta(),
      spec: { replicas: 1, serviceName: app, selector: labels("db"), template: pod("db") },
    },
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: meta(),
      spec: { schedule: "0 0 1 1 *", jobTemplate: { spec: { template: pod("cron", once) } } },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: meta("-scaled"),
      spec: { replicas: 1, selector: labels("scaled"), template: pod("scaled") },
    },
    {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: meta(),
      spec: { scaleTargetRef: target, minReplicas: 1, maxReplicas: 3 },
    },
    { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: meta(), spec: { minAvailable: 1, selector } },
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: meta(),
      spec: { podSelector: {}, policyTypes: ["Ingress"] },
    },
  ];
}

/** `count` objects of as many apps as that takes, and the tool that makes each of them. */
export function mixedObjects(
  namespace: string,
  count: number,
): readonly { readonly object: KubeObject; readonly manager: string }[] {
  const managers = ["kubectl-client-side-apply", "helm", "argocd-controller"];
  const apps = Array.from({ length: Math.ceil(count / 13) }, (_, i) => appObjects(namespace, `app-${i}`));
  return apps
    .flatMap((objects, i) => objects.map(object => ({ object, manager: managers[i % managers.length] ?? "helm" })))
    .slice(0, count);
}
