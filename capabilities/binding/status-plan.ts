// What a binding tells about its copies: conditions, and the state of each cluster.
import type { AggregatedStatusItem, ResourceBindingStatus } from "../../crds/binding-status.js";
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import { gvkOf } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { isPending } from "../../lib/domain/applied.js";
import { claimOf } from "../../lib/domain/claims.js";
import { executionNamespace } from "../../lib/domain/names.js";
import { planPlacement } from "../../lib/domain/placement.js";
import { presenceIn, presenceOf } from "../../lib/domain/presence.js";
import { conditionOf, FIELDS_LEFT_OUT, withConditions, type ConditionStatement } from "../../lib/engine/conditions.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { protectedCondition } from "./protected.js";

/** Everything a binding's status is made from. */
export interface StatusInput {
  readonly binding: AnyBinding;
  readonly template: KubeObject | undefined;
  readonly works: readonly Work[];
  readonly clusters: readonly Cluster[];
  /** cluster -> why its manifest could not be rendered. */
  readonly failures: ReadonlyMap<string, string>;
}

/** The whole status of a binding; equal to the present one when there is nothing new. */
export function planBindingStatus(input: StatusInput): ResourceBindingStatus {
  const { binding } = input;
  const items = itemsOf(input);
  const observedGeneration = binding.metadata.generation;
  const scheduled = scheduledCondition(input);
  const applied = appliedCondition(items);
  const statements = [
    scheduled,
    applied,
    protectedCondition(
      binding,
      input.template,
      new Map(items.map(item => [item.clusterName, presenceIn(item, binding.spec)])),
    ),
    readyCondition(scheduled, applied),
  ];
  return {
    ...binding.status,
    schedulerObservedGeneration: observedGeneration,
    observedGeneration,
    conditions: withConditions(
      binding.status?.conditions,
      statements.map(statement => ({ ...statement, observedGeneration })),
    ),
    aggregatedStatus: items,
  };
}

/** One item per target cluster, by name. A cluster without a Work yet is told as not applied. */
function itemsOf({ binding, works, failures }: StatusInput): AggregatedStatusItem[] {
  const names = (binding.spec.clusters ?? []).map(c => c.name).sort();
  return names.map(clusterName => {
    const work = works.find(w => w.metadata.namespace === executionNamespace(clusterName));
    return itemOf(clusterName, work, failures.get(clusterName));
  });
}

function itemOf(clusterName: string, work: Work | undefined, failure: string | undefined): AggregatedStatusItem {
  const appliedMessage = failure ?? whyNotApplied(work);
  if (appliedMessage === undefined) return { clusterName, applied: true, ...leftOut(work), ...stateIn(work) };
  const presence = presenceOf(work);
  const whose = presence === "Unknown" ? {} : { presence };
  const said = appliedMessage ? { appliedMessage } : {};
  const waits = failure === undefined && isPending(work) ? { pending: true } : {};
  return { clusterName, applied: false, ...said, ...waits, ...whose, health: "Unknown" };
}

/** The member's words; empty when it has said nothing yet, `undefined` when the object is as it should be. */
function whyNotApplied(work: Work | undefined): string | undefined {
  const applied = conditionOf(work, "Applied");
  return applied?.status === "True" ? undefined : (applied?.message ?? "");
}

/** What the member does not know and did not take: a typo in an override shows nowhere else. */
function leftOut(work: Work | undefined): Pick<AggregatedStatusItem, "appliedMessage"> {
  const applied = conditionOf(work, "Applied");
  return applied?.reason === FIELDS_LEFT_OUT ? { appliedMessage: applied.message } : {};
}

function stateIn(work: Work | undefined): Pick<AggregatedStatusItem, "status" | "health"> {
  const { status, health = "Unknown" } = work?.status?.manifestStatuses?.[0] ?? {};
  return status === undefined ? { health } : { status, health };
}

function scheduledCondition({ binding, template, clusters }: StatusInput): ConditionStatement {
  const type = "Scheduled";
  const { placement, clusters: targets = [], resource } = binding.spec;
  const current = targets.map(c => c.name);
  if (claimOf(binding) === undefined) {
    const message = "no policy claims the template any more; its copies stay as they are until one does";
    return { type, status: "True", reason: "Success", message };
  }
  const plan = planPlacement({ placement, clusters, gvk: gvkOf(template ?? resource), current });
  const whys = plan.rejected.map(r => `${r.cluster}: ${r.why}`);
  const left = whys.length > 8 ? [...whys.slice(0, 8), `and ${whys.length - 8} more`] : whys;
  if (plan.targets.length === 0) {
    const reasons = [plan.unsatisfied, ...left].filter(Boolean).join("; ") || "no cluster has joined";
    const kept = current.length > 0 ? `; the copies in ${current.join(", ")} stay` : "";
    return { type, status: "False", reason: "NoClusterFit", message: `no cluster fits: ${reasons}${kept}` };
  }
  const message = `goes to ${current.length} cluster(s)${left.length > 0 ? `; left out: ${left.join("; ")}` : ""}`;
  return { type, status: "True", reason: "Success", message };
}

function appliedCondition(items: readonly AggregatedStatusItem[]): ConditionStatement {
  const type = "FullyApplied";
  const failed = items.filter(item => !item.applied);
  if (items.length > 0 && failed.length === 0) {
    const notes = items.flatMap(item => (item.appliedMessage ? [`${item.clusterName}: ${item.appliedMessage}`] : []));
    const message = ["all clusters have the object as it should be", ...notes].join("; ");
    return { type, status: "True", reason: "FullyAppliedSuccess", message };
  }
  const message =
    items.length === 0
      ? "no cluster to apply to"
      : failed.map(item => `${item.clusterName}: ${item.appliedMessage ?? "not applied yet"}`).join("; ");
  return { type, status: "False", reason: "FullyAppliedFailed", message };
}

function readyCondition(scheduled: ConditionStatement, applied: ConditionStatement): ConditionStatement {
  const bad = [scheduled, applied].find(c => c.status !== "True");
  if (!bad) return { type: "Ready", status: "True", reason: "Ready", message: "scheduled and applied everywhere" };
  return { type: "Ready", status: "False", reason: bad.reason, message: bad.message };
}
