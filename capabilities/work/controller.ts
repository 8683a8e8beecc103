// Decides which change wakes which Work. Every cluster has queues and workers of its own: a slow one delays no other.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { Cluster } from "../../crds/cluster.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { TEMPLATE_UID_ANNOTATION, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { clusterOf, clusterOfExecutionNamespace, executionNamespace } from "../../lib/domain/names.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import { Controller } from "../../lib/engine/controller.js";
import { Debouncer } from "../../lib/engine/debounce.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Runnable } from "../../lib/engine/runnable.js";
import { WORKS_BY_ID, WORKS_BY_NAMESPACE, type AnyBinding, type AnyPolicy } from "../../lib/kube/host.js";
import { isStatusOnly } from "../../lib/kube/changes.js";
import { storeKey, type StoreChange } from "../../lib/kube/store.js";
import { worksAskedFor } from "./asked-again.js";
import { Outcomes } from "./outcomes.js";
import { workReconciler } from "./reconcile.js";
import { snapshotsIn, type Snapshots } from "./snapshots.js";
import { workStatusReconciler } from "./status.js";

const REPORT = { stillMs: 200, maxMs: 1_000 };

/** The two queues of one cluster. */
interface Lane {
  readonly works: Controller;
  readonly reports: Controller;
  readonly reportSoon: Debouncer;
  readonly snapshots: Snapshots;
}

/** The controllers of this capability, wired to the stores. */
export function workControllers(deps: Dependencies): Runnable {
  const { host, members, log, metrics, mayWork } = deps;
  const lanes = new Map<string, Lane>();
  const leaving = new Map<string, Set<string>>();

  function laneOf(cluster: string): Lane {
    const existing = lanes.get(cluster);
    if (existing) return existing;
    const context = log.child({ cluster });
    const outcomes = new Outcomes(key => reportSoon.poke(key));
    const snapshots = snapshotsIn(executionNamespace(cluster), host, key => works.queue.add(key));
    const reconcile = workReconciler(deps, outcomes, snapshots);
    const report = workStatusReconciler(deps, { cluster, outcomes, snapshots });
    const works = new Controller({ name: `work-${cluster}`, reconcile, workers: 8, log: context, metrics, mayWork });
    const reports = new Controller({
      name: `work-status-${cluster}`,
      reconcile: report,
      workers: 4,
      log: context,
      metrics,
      mayWork,
    });
    const reportSoon = new Debouncer(key => reports.queue.add(key), REPORT);
    const lane = { works, reports, reportSoon, snapshots };
    lanes.set(cluster, lane);
    works.start();
    reports.start();
    return lane;
  }

  async function closeLane(cluster: string): Promise<void> {
    const lane = lanes.get(cluster);
    lanes.delete(cluster);
    lane?.reportSoon.cancelAll();
    lane?.snapshots.stop();
    await Promise.all([lane?.works.stop(), lane?.reports.stop()]);
  }

  function onWork({ key, before, after }: StoreChange<Work>): void {
    const work = after ?? before;
    const cluster = clusterOfExecutionNamespace(work?.metadata.namespace ?? "");
    if (!work || cluster === undefined) return;
    trackLeaving(key, work, after === undefined);
    // Our own status write is no news.
    if (sameJson(workFacts(before), workFacts(after))) return;
    if (isDeserted(cluster)) return void closeLane(cluster);
    laneOf(cluster).works.queue.add(key);
    if (isSuspended(after) !== isSuspended(before)) laneOf(cluster).reportSoon.poke(key);
  }

  /** Terminating Works by the template that they wait for. */
  function trackLeaving(key: string, { metadata }: Work, gone: boolean): void {
    const uid = metadata.annotations?.[TEMPLATE_UID_ANNOTATION];
    if (!uid || !metadata.deletionTimestamp) return;
    const keys = leaving.get(uid) ?? new Set();
    if (gone) keys.delete(key);
    else keys.add(key);
    if (keys.size > 0) leaving.set(uid, keys);
    else leaving.delete(uid);
  }

  /** The template's going, or our finalizer's going from it, is what Terminating Works wait for. */
  function onTemplate({ before, after }: StoreChange): void {
    const uid = (after ?? before)?.metadata.uid ?? "";
    if (after && !after.metadata.deletionTimestamp) return;
    for (const key of leaving.get(uid) ?? []) wake(key);
  }

  /** So is their binding's going, or that it is another template's now. */
  function onBinding({ before, after }: StoreChange<AnyBinding>): void {
    const uid = before?.spec.resource.uid;
    if (uid === undefined || uid === after?.spec.resource.uid) return;
    for (const key of leaving.get(uid) ?? []) wake(key);
  }

  function wake(key: string): void {
    const cluster = clusterOfExecutionNamespace(key.slice(0, key.indexOf("/")));
    if (cluster !== undefined) laneOf(cluster).works.queue.add(key);
  }

  function worksOf(cluster: string): Work[] {
    return host.works.store.byIndex(WORKS_BY_NAMESPACE, executionNamespace(cluster));
  }

  /** True when its Cluster and the last Work for it have gone: nobody needs its queues any more. */
  function isDeserted(cluster: string): boolean {
    return !host.clusters.get(cluster) && worksOf(cluster).length === 0;
  }

  function wakeCluster(cluster: string): void {
    for (const work of worksOf(cluster)) tryAgain(work, cluster);
  }

  /** However long it would still have waited. */
  function tryAgain(work: Work, cluster = clusterOf(work)): void {
    const lane = laneOf(cluster);
    const key = storeKey(work.metadata);
    lane.works.queue.forget(key);
    lane.works.queue.add(key);
    lane.reportSoon.poke(key);
  }

  function onPolicy(change: StoreChange<AnyPolicy>): void {
    for (const work of worksAskedFor(host, change)) tryAgain(work);
  }

  function onObject(cluster: string, change: StoreChange): void {
    const { before, after } = change;
    const drifted = !isStatusOnly(change);
    for (const id of new Set([idLabel(before), idLabel(after)])) {
      if (id === undefined) continue;
      for (const work of host.works.store.byIndex(WORKS_BY_ID, id)) {
        // A label alone proves nothing (design 5): it must be the cluster's own Work.
        if (work.metadata.namespace !== executionNamespace(cluster)) continue;
        const key = storeKey(work.metadata);
        if (drifted) laneOf(cluster).works.queue.add(key);
        laneOf(cluster).reportSoon.poke(key);
      }
    }
  }

  function onCluster({ key: cluster, before, after }: StoreChange<Cluster>): void {
    const facts = (c: Cluster | undefined) => [
      c?.metadata.deletionTimestamp,
      c?.status?.apiEnablements,
      conditionOf(c, "Ready")?.status,
    ];
    if (after && !sameJson(facts(before), facts(after))) wakeCluster(cluster);
    if (after) return;
    if (isDeserted(cluster)) void closeLane(cluster);
    // Works that outlive their Cluster still have to go.
    else wakeCluster(cluster);
  }

  return {
    start() {
      host.works.subscribe(onWork);
      host.templates.subscribe((_ref, change) => onTemplate(change));
      host.bindings.subscribe(onBinding);
      host.clusterBindings.subscribe(onBinding);
      host.clusters.subscribe(onCluster);
      host.policies.subscribe(onPolicy);
      host.clusterPolicies.subscribe(onPolicy);
      members.subscribe({
        onObject: (member, _resource, change) => onObject(member.name, change),
        onReadiness: member => wakeCluster(member.name),
      });
      for (const work of host.works.store.values()) {
        onWork({ key: storeKey(work.metadata), before: undefined, after: work });
      }
    },
    async stop() {
      await Promise.all([...lanes.keys()].map(closeLane));
    },
  };
}

function workFacts(work: Work | undefined) {
  return work && [work.metadata.generation, work.metadata.deletionTimestamp, work.metadata.annotations];
}

function isSuspended(work: Work | undefined): boolean | undefined {
  return work?.spec.suspendDispatching;
}

function idLabel(object: KubeObject | undefined): string | undefined {
  return object?.metadata.labels?.[WORK_ID_LABEL];
}
