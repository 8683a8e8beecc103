// How many Pods do disruption budgets and autoscalers see, taken over all members?
import type { KubeObject } from "../../../crds/object.js";
import { type JsonRecord, countAt, pick, recordAt, sumAt, timeAt } from "./read.js";
import { type Aggregation, type KnownItem, type StatusRules, healthIf, statusOf } from "./rule.js";

/** Rules of PodDisruptionBudget and HorizontalPodAutoscaler (spec/karmada.md 5.6). */
export const scalingRules: StatusRules = {
  "policy/PodDisruptionBudget": {
    reflect: live => reflectFields(live, [...BUDGET_COUNTS, "disruptedPods"]),
    health: (_live, status) => healthIf(countAt(status, "currentHealthy") >= countAt(status, "desiredHealthy")),
    aggregate: aggregateBudget,
  },
  "autoscaling/HorizontalPodAutoscaler": {
    reflect: live => reflectFields(live, AUTOSCALER_COUNTS),
    aggregate: ({ known }) => sumsOf(known, AUTOSCALER_COUNTS),
  },
};

const BUDGET_COUNTS = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];
const AUTOSCALER_COUNTS = ["currentReplicas", "desiredReplicas"];

function reflectFields(live: KubeObject, fields: readonly string[]): JsonRecord | undefined {
  const status = statusOf(live);
  return status && pick(status, fields);
}

function sumsOf(known: readonly KnownItem[], fields: readonly string[]): JsonRecord {
  const statuses = known.map(item => item.status);
  return Object.fromEntries(fields.map(field => [field, sumAt(statuses, field)]));
}

function aggregateBudget({ known }: Aggregation): JsonRecord {
  const disrupted = known.flatMap(disruptedPods);
  const sums = sumsOf(known, BUDGET_COUNTS);
  return disrupted.length > 0 ? { ...sums, disruptedPods: Object.fromEntries(disrupted) } : sums;
}

/** Pods of one name may exist in many members, so each is named with its cluster. */
function disruptedPods({ clusterName, status }: KnownItem): readonly (readonly [string, string])[] {
  const pods = recordAt(status, "disruptedPods");
  return Object.keys(pods).flatMap(pod => {
    const since = timeAt(pods, pod);
    return since === undefined ? [] : [[`${clusterName}/${pod}`, since] as const];
  });
}
