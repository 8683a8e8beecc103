// What stands in a Cluster's status and taints, for what we know of it?
import type { Cluster, ClusterStatus } from "../../crds/cluster.js";
import type { Taint } from "../../crds/taint.js";
import { isReadinessTaint, readinessTaint } from "../../lib/domain/cluster-taints.js";
import { withConditions, type ConditionStatement } from "../../lib/engine/conditions.js";
import type { Facts } from "./facts.js";
import type { Verdict } from "./verdict.js";

/**
 * The status of a cluster; what is not known (yet, or any more) stays as it was. Without a verdict nobody has looked
 * since we started, and the old one stands.
 */
export function statusFor(
  cluster: Cluster,
  known: { readonly verdict?: Verdict; readonly facts?: Facts },
  now?: () => Date,
): ClusterStatus {
  const { verdict, facts } = known;
  if (!verdict) return cluster.status ?? {};
  const observedGeneration = cluster.metadata.generation;
  const { status, reason, message } = verdict;
  const statements: ConditionStatement[] = [{ type: "Ready", status, reason, message, observedGeneration }];
  if (facts) statements.push({ ...enablementsCondition(facts), observedGeneration });
  const conditions = withConditions(cluster.status?.conditions, statements, now);
  if (!facts) return { ...cluster.status, observedGeneration, conditions };
  const { kubernetesVersion, apiEnablements, nodeSummary } = facts;
  const resourceSummary = { ...cluster.status?.resourceSummary, ...facts.resourceSummary };
  const told = { kubernetesVersion, apiEnablements, nodeSummary, resourceSummary };
  return { ...cluster.status, ...told, observedGeneration, conditions };
}

function enablementsCondition({ apiEnablements, complete }: Facts): ConditionStatement {
  const type = "CompleteAPIEnablements";
  if (apiEnablements.length === 0) {
    return { type, status: "False", reason: "Empty", message: "the cluster names no API that objects can be sent to" };
  }
  if (complete) return { type, status: "True", reason: "Complete", message: "all APIs of the cluster are known" };
  const message = "an aggregated API of the cluster does not answer; what it served before is taken to be there still";
  return { type, status: "False", reason: "Partial", message };
}

/**
 * The taints with ours as they should be, everyone else's as they are; `undefined` when nothing changes. A list that people keep
 * gets none of ours: placement reads the readiness itself.
 */
export function taintsFor(cluster: Cluster, ready: Verdict["status"] | undefined): readonly Taint[] | undefined {
  if (ready === undefined) return undefined;
  const wanted = readinessTaint(ready);
  const taints = cluster.spec.taints ?? [];
  const kept = taints.filter(taint => !isReadinessTaint(taint) || taint.key === wanted);
  const isDone = wanted === undefined || kept.length > 0;
  if (isDone && kept.length === taints.length) return undefined;
  return isDone ? kept : [{ key: wanted, effect: "NoSchedule" }];
}
