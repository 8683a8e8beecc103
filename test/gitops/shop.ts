// What stands in Git: a shop with a workload of each kind, where it goes, and what differs in one member?
import { randomUUID } from "node:crypto";
import type { KubeObject } from "../../crds/object.js";
import { TEMPLATES_LABEL } from "../../lib/domain/marks.js";

/** The key of Argo CD's order of application: lower ones first. */
const WAVE = "argocd.argoproj.io/sync-wave";

/** A namespace name that nobody else uses. */
export function freshName(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 6)}`;
}

/** The object, in a sync wave. */
export function inWave<T extends KubeObject>(wave: number, object: T): T {
  const annotations = { ...object.metadata.annotations, [WAVE]: String(wave) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** A namespace whose objects are templates and run in members only. */
export function templateNamespace(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { [TEMPLATES_LABEL]: "true" } } };
}

/** Selects everything of a shop and sends it to both members; says nothing that has a default. */
export function shopPolicy(namespace: string, spec: object = {}): KubeObject {
  const kinds = ["apps/v1 Deployment", "apps/v1 StatefulSet", "batch/v1 CronJob", "v1 Service", "v1 ConfigMap"];
  const resourceSelectors = kinds.map(words => {
    const [apiVersion, kind] = words.split(" ");
    return { apiVersion, kind };
  });
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: "shop", namespace },
    spec: { resourceSelectors, placement: { clusterAffinity: { clusterNames: ["member1", "member2"] } }, ...spec },
  };
}

/** One replica more in the first member. */
export function shopOverride(namespace: string): KubeObject {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "OverridePolicy",
    metadata: { name: "shop", namespace },
    spec: {
      resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }],
      overrideRules: [
        {
          targetCluster: { clusterNames: ["member1"] },
          overriders: { labelsOverrider: [{ operator: "add", value: { place: "one" } }] },
        },
      ],
    },
  };
}

/** The Deployment `web`. */
export function web(namespace: string, image = "registry.example/web:1.0", replicas = 2): KubeObject {
  return workload("Deployment", namespace, "web", { replicas, ...pods("web", image) });
}

/** What a shop consists of. */
export function shopTemplates(namespace: string, image?: string): KubeObject[] {
  const port = { name: "http", port: 80, targetPort: 8080 };
  return [
    web(namespace, image),
    workload("StatefulSet", namespace, "db", { replicas: 1, serviceName: "db", ...pods("db") }),
    {
      ...{ apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace } },
      spec: { selector: { app: "web" }, ports: [port] },
    },
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace }, data: { colour: "green" } },
    {
      ...{ apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "report", namespace } },
      spec: { schedule: "0 3 1 1 *", jobTemplate: { spec: { template: jobPod() } } },
    },
  ];
}

function workload(kind: string, namespace: string, name: string, spec: object): KubeObject {
  return { apiVersion: "apps/v1", kind, metadata: { name, namespace, labels: { app: name } }, spec } as KubeObject;
}

function pods(app: string, image = `registry.example/${app}:1.0`): object {
  const labels = { app };
  return {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "c", image }] } },
  };
}

function jobPod(): object {
  return { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "registry.example/report:1.0" }] } };
}
