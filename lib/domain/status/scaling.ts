// How many Pods do disruption budgets and autoscalers see, taken over all members?
import type { KubeObject } from "../../../crds/object.js";
import { type ConditionRules, mergeConditions, reflectConditions } from "./conditions.js";
import { type JsonRecord, countAt, defined, pick, recordAt, sumAt, timeAt } from "./read.js";
import { type Aggregation, type KnownItem, type StatusRules, healthIf, statusOf } from "./rule.js";

/** Rules of PodDisruptionBudget and HorizontalPodAutoscaler (spec/karmada.md 5.6). */
export const scalingRules: StatusRules = {
  "policy/PodDisruptionBudget": {
    reflect: live => reflectFields(live, [...BUDGET_COUNTS, "disruptedPods"], BUDGET_CONDITIONS),
    health: (_live, status) => healthIf(countAt(status, "currentHealthy") >= countAt(status, "desiredHealthy")),
    aggregate: aggregateBudget,
  },
  "autoscaling/HorizontalPodAutoscaler": {
    reflect: live => reflectFields(live, AUTOSCALER_COUNTS, AUTOSCALER_CONDITIONS),
    aggregate: aggregation => ({
      ...sumsOf(aggregation.known, AUTOSCALER_COUNTS),
      ...mergeConditions(aggregation, conditionsOf(aggregation.template)),
    }),
  },
};

const BUDGET_COUNTS = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];
const BUDGET_CONDITIONS: ConditionRules = { DisruptionAllowed: { good: "True" } };
const AUTOSCALER_COUNTS = ["currentReplicas", "desiredReplicas"];
/** Without them Argo CD waits for an autoscaler for ever. */
const AUTOSCALER_CONDITIONS: ConditionRules = {
  // The autoscaler names any one of the Pods that it misses something of, another one each time.
  AbleToScale: { good: "True", restless: true },
  ScalingActive: { good: "True", restless: true },
  ScalingLimited: { good: "False", restless: true },
};

/** The first version has no place for conditions: the API server leaves them out, and they would be written for ever. */
function conditionsOf({ apiVersion }: KubeObject): ConditionRules {
  return apiVersion === "autoscaling/v1" ? {} : AUTOSCALER_CONDITIONS;
}

function reflectFields(
  live: KubeObject,
  fields: readonly string[],
  conditions: ConditionRules,
): JsonRecord | undefined {
  const status = statusOf(live);
  return status && { ...pick(status, fields), ...reflectConditions(status, conditions) };
}

function sumsOf(known: readonly KnownItem[], fields: readonly string[]): JsonRecord {
  const statuses = known.map(item => item.status);
  return Object.fromEntries(fields.map(field => [field, sumAt(statuses, field)]));
}

function aggregateBudget(aggregation: Aggregation): JsonRecord {
  const disrupted = aggregation.known.flatMap(disruptedPods);
  return defined({
    ...sumsOf(aggregation.known, BUDGET_COUNTS),
    disruptedPods: disrupted.length > 0 ? Object.fromEntries(disrupted) : undefined,
    ...mergeConditions(aggregation, BUDGET_CONDITIONS),
  });
}

/** Pods of one name may exist in many members, so each is named with its cluster. */
function disruptedPods({ clusterName, status }: KnownItem): readonly (readonly [string, string])[] {
  const pods = recordAt(status, "disruptedPods");
  return Object.keys(pods).flatMap(pod => {
    const since = timeAt(pods, pod);
    return since === undefined ? [] : [[`${clusterName}/${pod}`, since] as const];
  });
}
