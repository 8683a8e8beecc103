// How many replicas does a template ask for?
import { gvkOf, type KubeObject } from "../../crds/object.js";

const REPLICATED_KINDS: ReadonlySet<string> = new Set(["apps/Deployment", "apps/ReplicaSet", "apps/StatefulSet"]);

/**
 * The replicas that a template asks for: `spec.replicas` of Deployment, ReplicaSet and StatefulSet (absent is 1), how
 * many Pods of a Job run at a time, 1 for a Pod. `undefined` for everything that has no replicas to divide.
 * Source: spec/karmada 5.6.
 */
export function replicasOf(template: KubeObject): number | undefined {
  const { group, kind } = gvkOf(template);
  const groupKind = `${group}/${kind}`;
  if (REPLICATED_KINDS.has(groupKind)) return specCount(template, "replicas") ?? 1;
  if (groupKind === "batch/Job") return jobReplicas(template);
  return groupKind === "/Pod" ? 1 : undefined;
}

/** Whether a template runs a number of Pods that a placement may divide. */
export function isWorkload(template: KubeObject): boolean {
  return replicasOf(template) !== undefined;
}

function jobReplicas(template: KubeObject): number {
  const parallelism = specCount(template, "parallelism") ?? 1;
  return Math.min(parallelism, specCount(template, "completions") ?? parallelism);
}

function specCount(template: KubeObject, field: string): number | undefined {
  const spec = template["spec"];
  if (typeof spec !== "object" || spec === null) return undefined;
  const count: unknown = Reflect.get(spec, field);
  return typeof count === "number" ? count : undefined;
}
