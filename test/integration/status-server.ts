// Which templates does the status test create, and how does it talk to the server?
import { KubeConfig } from "@kubernetes/client-node";
import { Agent, request } from "undici";
import type { KubeObject } from "../../crds/object.js";

/** What the server said. */
export interface Answer {
  readonly code: number;
  readonly body: KubeObject;
}
/** One request with a JSON body. */
export type Call = (method: "POST" | "PUT" | "DELETE", path: string, body?: object) => Promise<Answer>;
/** Calls the API server that a kubeconfig with embedded certificates names. */
export function connect(kubeconfig: string): { call: Call; close: () => Promise<void> } {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  const pem = (data?: string): string => Buffer.from(data ?? "", "base64").toString();
  const dispatcher = new Agent({
    connect: { ca: pem(cluster?.caData), cert: pem(user?.certData), key: pem(user?.keyData) },
  });
  async function call(method: "POST" | "PUT" | "DELETE", path: string, body?: object): Promise<Answer> {
    const answer = await request(`${cluster?.server}${path}`, {
      dispatcher,
      method,
      headers: { "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    return { code: answer.statusCode, body: (await answer.body.json()) as KubeObject };
  }
  return { call, close: () => dispatcher.close() };
}

const container = { name: "c", image: "registry.example/c:1" };
const podSpec = { containers: [container] };
const labels = { app: "x" };
const podTemplate = { metadata: { labels }, spec: podSpec };
const workload = { selector: { matchLabels: labels }, template: podTemplate };
/** A Job that a bare API server accepts. */
export const jobSpec = { template: { spec: { ...podSpec, restartPolicy: "Never" } } };
const address = { resources: { requests: { storage: "1Gi" } }, accessModes: ["ReadWriteOnce"] };

/** A kind whose status is made from the members', with a spec to create one. */
export interface Kind {
  /** `<group>/<kind>` */
  readonly key: string;
  readonly path: string;
  readonly spec: object;
  readonly version?: string;
}

/** Long enough that no TTL controller takes a Job away while a test looks: members here finished in the past. */
export const TTL_SECONDS = 2_000_000_000;

/** Every aggregated kind, some in more than one shape that the API server judges differently. */
export const KINDS: readonly Kind[] = [
  { key: "apps/Deployment", path: "deployments", spec: { ...workload, replicas: 2 } },
  { key: "apps/ReplicaSet", path: "replicasets", spec: { ...workload, replicas: 2 } },
  { key: "apps/StatefulSet", path: "statefulsets", spec: { ...workload, serviceName: "x", replicas: 2 } },
  { key: "apps/DaemonSet", path: "daemonsets", spec: workload },
  { key: "batch/Job", path: "jobs", spec: jobSpec },
  { key: "batch/Job", path: "jobs", spec: { ...jobSpec, completionMode: "Indexed", completions: 2, parallelism: 2 } },
  { key: "batch/Job", path: "jobs", spec: { ...jobSpec, suspend: true } },
  {
    key: "batch/Job",
    path: "jobs",
    spec: {
      ...jobSpec,
      completionMode: "Indexed",
      completions: 3,
      parallelism: 3,
      ttlSecondsAfterFinished: TTL_SECONDS,
      successPolicy: { rules: [{ succeededCount: 1 }] },
    },
  },
  { key: "batch/CronJob", path: "cronjobs", spec: { schedule: "* * * * *", jobTemplate: { spec: jobSpec } } },
  { key: "/Pod", path: "pods", spec: podSpec },
  { key: "/Pod", path: "pods", spec: { ...podSpec, restartPolicy: "OnFailure" } },
  {
    key: "/Pod",
    path: "pods",
    spec: {
      containers: [container, { ...container, name: "d" }],
      initContainers: [
        { ...container, name: "once" },
        { ...container, name: "sidecar", restartPolicy: "Always" },
      ],
      restartPolicy: "Never",
    },
  },
  { key: "/Service", path: "services", spec: { type: "LoadBalancer", ports: [{ port: 80 }] } },
  {
    key: "networking.k8s.io/Ingress",
    path: "ingresses",
    spec: { defaultBackend: { service: { name: "x", port: { number: 80 } } } },
  },
  { key: "/PersistentVolumeClaim", path: "persistentvolumeclaims", spec: address },
  {
    key: "/PersistentVolume",
    path: "persistentvolumes",
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/data" } },
  },
  { key: "policy/PodDisruptionBudget", path: "poddisruptionbudgets", spec: { minAvailable: 1 } },
  {
    key: "autoscaling/HorizontalPodAutoscaler",
    path: "horizontalpodautoscalers",
    version: "v2",
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "x" } },
  },
  {
    key: "autoscaling/HorizontalPodAutoscaler",
    path: "horizontalpodautoscalers",
    version: "v1",
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "x" } },
  },
];
