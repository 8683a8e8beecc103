// How do Deployments, ReplicaSets, StatefulSets and DaemonSets in many members look as one?
import type { KubeObject } from "../../../crds/object.js";
import { type ConditionRules, mergeConditions, reflectConditions, timedConditions } from "./conditions.js";
import { type JsonRecord, countAt, defined, integerAt, pick, sumAt, textAt } from "./read.js";
import {
  type Aggregation,
  type Health,
  type KnownItem,
  type ReflectContext,
  type StatusRule,
  type StatusRules,
  healthIf,
  specOf,
  statusOf,
} from "./rule.js";

/**
 * What of a kind's status travels, and which count may not exceed which: the API server refuses the whole status
 * otherwise.
 */
interface Shape {
  readonly counts: readonly string[];
  /** Pairs of (smaller, larger), applied in this order. */
  readonly limits: readonly (readonly [string, string])[];
  readonly extra?: readonly string[];
  /** What `kubectl wait`, `kubectl rollout status` and kstatus (Flux, helm) read beside the counts. */
  readonly conditions?: ConditionRules;
}

const REPLICA_LIMITS = [
  ["readyReplicas", "replicas"],
  ["availableReplicas", "readyReplicas"],
] as const;
const REVISIONS = ["currentRevision", "updateRevision"] as const;
const REPLICA_FAILURE: ConditionRules = { ReplicaFailure: { good: "False", onlyInTrouble: true } };
const DEPLOYMENT_CONDITIONS: ConditionRules = {
  Available: { good: "True" },
  // One without a deadline has never such a condition.
  Progressing: { good: "True", settledReason: "NewReplicaSetAvailable", mayLack: true, badUnapplied: true },
  ...REPLICA_FAILURE,
};

const DEPLOYMENT: Shape = {
  counts: ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas"],
  limits: [...REPLICA_LIMITS, ["updatedReplicas", "replicas"]],
  conditions: DEPLOYMENT_CONDITIONS,
};
const REPLICA_SET: Shape = {
  counts: ["replicas", "readyReplicas", "availableReplicas"],
  limits: REPLICA_LIMITS,
  conditions: REPLICA_FAILURE,
};
const STATEFUL_SET: Shape = {
  counts: ["replicas", "readyReplicas", "availableReplicas", "currentReplicas", "updatedReplicas"],
  limits: [...REPLICA_LIMITS, ["currentReplicas", "replicas"], ["updatedReplicas", "replicas"]],
  extra: REVISIONS,
};
const DAEMON_SET: Shape = {
  counts: [
    "currentNumberScheduled",
    "desiredNumberScheduled",
    "numberAvailable",
    "numberMisscheduled",
    "numberReady",
    "updatedNumberScheduled",
    "numberUnavailable",
  ],
  limits: [],
};

/**
 * Rules of the apps/v1 workloads (spec/karmada.md 5.6).
 *
 * Beyond the spec, a StatefulSet carries its two revisions: `kubectl rollout status` and Argo CD see only by them that
 * a rollout has been observed but has not replaced a Pod yet.
 */
export const workloadRules: StatusRules = {
  "apps/Deployment": { ...ruleOf(DEPLOYMENT), aggregate: aggregateDeployment, health: rolledOutHealth },
  "apps/ReplicaSet": { ...ruleOf(REPLICA_SET), health: replicaSetHealth },
  "apps/StatefulSet": { ...ruleOf(STATEFUL_SET), aggregate: aggregateStatefulSet, health: rolledOutHealth },
  "apps/DaemonSet": { ...ruleOf(DAEMON_SET), health: daemonSetHealth },
};

function ruleOf(shape: Shape): StatusRule {
  return {
    reflect: (live, context) => reflectShape(live, context, shape),
    aggregate: aggregation => aggregateShape(aggregation, shape),
  };
}

function reflectShape(live: KubeObject, context: ReflectContext, shape: Shape): JsonRecord | undefined {
  const status = statusOf(live);
  if (!status) return undefined;
  return defined({
    ...pick(status, [...shape.counts, ...(shape.extra ?? []), "observedGeneration"]),
    ...reflectConditions(status, shape.conditions ?? {}),
    generation: live.metadata.generation,
    resourceTemplateGeneration: context.templateGeneration,
  });
}

function aggregateShape(aggregation: Aggregation, shape: Shape): JsonRecord {
  const statuses = aggregation.known.map(item => item.status);
  const sums = Object.fromEntries(shape.counts.map(field => [field, sumAt(statuses, field)]));
  for (const [smaller, larger] of shape.limits) sums[smaller] = Math.min(countAt(sums, smaller), countAt(sums, larger));
  return defined({
    ...sums,
    observedGeneration: observedGeneration(aggregation),
    // The API server refuses a status in which this one falls; only a host's own controller ever raised it.
    collisionCount: integerAt(aggregation.previous, "collisionCount"),
    ...mergeConditions(aggregation, shape.conditions ?? {}),
  });
}

function aggregateDeployment(aggregation: Aggregation): JsonRecord {
  return { ...aggregateShape(aggregation, DEPLOYMENT), ...timedConditions(aggregation, DEPLOYMENT_CONDITIONS) };
}

function aggregateStatefulSet(aggregation: Aggregation): JsonRecord {
  return { ...aggregateShape(aggregation, STATEFUL_SET), ...revisions(aggregation.known) };
}

/** Those of a member that is still rolling, else those of the first member: equal means that all are done. */
function revisions(known: readonly KnownItem[]): JsonRecord {
  const statuses = known.map(item => item.status).filter(status => textAt(status, "updateRevision") !== undefined);
  const rolling = statuses.find(status => textAt(status, "currentRevision") !== textAt(status, "updateRevision"));
  const shown = rolling ?? statuses[0] ?? {};
  return defined(Object.fromEntries(REVISIONS.map(revision => [revision, textAt(shown, revision)])));
}

/** The template's generation once every member has rolled it in; until then, and with no member at all, what stood there. */
function observedGeneration({ template, previous, items, known }: Aggregation): number | undefined {
  const before = integerAt(previous, "observedGeneration");
  const generation = template.metadata.generation;
  const everyoneKnown = items.length > 0 && known.length === items.length;
  if (generation === undefined || !everyoneKnown) return before;
  return known.every(item => isCurrent(item, generation)) ? generation : before;
}

function isCurrent({ status, applied }: KnownItem, templateGeneration: number): boolean {
  const generation = integerAt(status, "generation");
  const rendered = integerAt(status, "resourceTemplateGeneration");
  if (!applied || generation === undefined || rendered === undefined) return false;
  return (integerAt(status, "observedGeneration") ?? 0) >= generation && rendered >= templateGeneration;
}

function isObserved(live: KubeObject, status: JsonRecord): boolean {
  return (integerAt(status, "observedGeneration") ?? 0) === (live.metadata.generation ?? 0);
}

/** `spec.replicas`; the API server's default is 1. */
function desiredReplicas(live: KubeObject): number {
  return integerAt(specOf(live), "replicas") ?? 1;
}

function rolledOutHealth(live: KubeObject, status: JsonRecord): Health {
  const updated = countAt(status, "updatedReplicas");
  return healthIf(
    isObserved(live, status) && updated >= desiredReplicas(live) && countAt(status, "availableReplicas") >= updated,
  );
}

function replicaSetHealth(live: KubeObject, status: JsonRecord): Health {
  return healthIf(isObserved(live, status) && countAt(status, "availableReplicas") >= desiredReplicas(live));
}

function daemonSetHealth(live: KubeObject, status: JsonRecord): Health {
  const updated = countAt(status, "updatedNumberScheduled");
  return healthIf(
    isObserved(live, status) &&
      updated >= countAt(status, "desiredNumberScheduled") &&
      countAt(status, "numberAvailable") >= updated,
  );
}
