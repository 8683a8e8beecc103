// Which objects of its namespace does a workload refer to?
import type { KubeObject } from "../../crds/object.js";
import { isRecord } from "../../lib/domain/json-value.js";

/** One object that is referred to, in the namespace of the workload. */
export interface Dependency {
  readonly kind: "ConfigMap" | "Secret" | "ServiceAccount" | "PersistentVolumeClaim";
  readonly name: string;
}

/** What its Pods mount, read into their environment, run as, and pull with; sorted, each once. Pure. */
export function dependenciesOf(workload: KubeObject): readonly Dependency[] {
  const found = new Map<string, Dependency>();
  const pod = podSpecOf(workload);
  walk(pod, (key, value) => {
    for (const dependency of dependenciesAt(key, value)) found.set(`${dependency.kind}/${dependency.name}`, dependency);
  });
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, dependency]) => dependency);
}

const PLACES: readonly (readonly string[])[] = [
  ["spec", "template", "spec"],
  ["spec", "jobTemplate", "spec", "template", "spec"],
];

function podSpecOf(workload: KubeObject): unknown {
  if (workload.kind === "Pod" && workload.apiVersion === "v1") return workload["spec"];
  return PLACES.map(path =>
    path.reduce<unknown>((part, key) => (isRecord(part) ? part[key] : undefined), workload),
  ).find(isRecord);
}

function walk(value: unknown, visit: (key: string, value: unknown) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  if (!isRecord(value)) return;
  for (const [key, part] of Object.entries(value)) {
    visit(key, part);
    walk(part, visit);
  }
}

/** Fields of a Pod that name an object by a field of their own. */
const REFERENCES: Readonly<Record<string, readonly [kind: Dependency["kind"], field: string]>> = {
  configMapRef: ["ConfigMap", "name"],
  configMapKeyRef: ["ConfigMap", "name"],
  configMap: ["ConfigMap", "name"],
  secretRef: ["Secret", "name"],
  secretKeyRef: ["Secret", "name"],
  persistentVolumeClaim: ["PersistentVolumeClaim", "claimName"],
};

function dependenciesAt(key: string, value: unknown): readonly Dependency[] {
  if (key === "serviceAccountName") return named("ServiceAccount", value === "default" ? undefined : value);
  if (key === "imagePullSecrets" && Array.isArray(value))
    return value.flatMap(item => named("Secret", at(item, "name")));
  // A volume calls it secretName, a projected source name.
  if (key === "secret") return named("Secret", at(value, "secretName") ?? at(value, "name"));
  const reference = REFERENCES[key];
  return reference ? named(reference[0], at(value, reference[1])) : [];
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function named(kind: Dependency["kind"], name: unknown): readonly Dependency[] {
  return typeof name === "string" && name !== "" ? [{ kind, name }] : [];
}
