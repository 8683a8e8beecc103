// Keeps one member cluster in step with its Works.
import type { Work } from "../../crds/work.js";
import { clusterOfExecutionNamespace } from "../../lib/domain/names.js";
import { TEMPLATE_GENERATION_ANNOTATION, WORK_FINALIZER } from "../../lib/domain/marks.js";
import { conditionOf, FIELDS_LEFT_OUT } from "../../lib/engine/conditions.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { messageOf } from "../../lib/kube/errors.js";
import type { Member } from "../../lib/kube/member.js";
import { applier, RefusedError, type ApplyResult } from "./apply.js";
import { farewell } from "./farewell.js";
import { isLastWitness, orderOf } from "./order.js";
import type { Outcome, Outcomes } from "./outcomes.js";
import type { Order } from "./word.js";
import { isNamespaceLeaving, troubleOf } from "./trouble.js";

/** An object that we may not touch is looked at again now and then: whoever holds it may let go of it. */
const REFUSED_RETRY_MS = 30_000;
const WAITING_RETRY_MS = 2_000;
/** How soon a binding that was deleted by hand may be there again; looking costs no request. */
const WITNESS_RETRY_MS = 300;

/** Level-triggered and safe to replay; the key is `namespace/name` of a Work. */
export function workReconciler(deps: Dependencies, outcomes: Outcomes): Reconciler {
  const { host, members, metrics, events, log } = deps;
  const applyOne = applier(deps, outcomes);
  const letGoOf = farewell(deps);

  return async function reconcileWork(key, signal): Promise<Result> {
    const work = host.works.get(key);
    if (!work) {
      outcomes.forget(key);
      return {};
    }
    const cluster = clusterOfExecutionNamespace(work.metadata.namespace ?? "");
    const member = cluster === undefined ? undefined : members.get(cluster);
    if (work.metadata.deletionTimestamp) return sayFarewell(key, work, member, signal);
    if (work.spec.suspendDispatching) return {};
    // Readiness wakes every Work of a cluster: no need to ask again.
    if (!member?.ready) {
      if (!outcomes.get(key)) outcomes.set(key, failed(work, "ClusterNotReady", `cluster ${cluster} is not ready`));
      return {};
    }
    return bring(key, work, member, signal);
  };

  async function bring(key: string, work: Work, member: Member, signal: AbortSignal): Promise<Result> {
    const done = metrics.workSyncSeconds.startTimer();
    try {
      const results = [];
      for (const manifest of work.spec.workload?.manifests ?? []) {
        signal.throwIfAborted();
        results.push(await applyOne({ work, workKey: key, member, manifest, signal }));
      }
      tellApplied(key, applied(work, member.name, results), results);
      done({ result: "success" });
      return {};
    } catch (error) {
      done({ result: "error" });
      const trouble = troubleOf(error);
      if (trouble === "cluster") members.suspect(member.name);
      if (trouble === "object") outcomes.set(key, failed(work, "AppliedFailed", messageOf(error)));
      if (error instanceof RefusedError) return { requeueAfterMs: REFUSED_RETRY_MS };
      if (isNamespaceLeaving(error)) return { requeueAfterMs: WAITING_RETRY_MS / 2 };
      throw error;
    }
  }

  /** A change that concerns only the Work (who keeps what) is nothing to report from the member. */
  function tellApplied(key: string, outcome: Outcome, results: readonly ApplyResult[]): void {
    const before = outcomes.get(key);
    const known = before?.applied && before.templateGeneration === outcome.templateGeneration;
    if (!known || results.some(r => r.written)) outcomes.set(key, outcome);
  }

  async function sayFarewell(
    key: string,
    work: Work,
    member: Member | undefined,
    signal: AbortSignal,
  ): Promise<Result> {
    if (!work.metadata.finalizers?.includes(WORK_FINALIZER)) return {};
    const order = await orderOf(work, deps, signal);
    // The template's going wakes us; until then its decision is still on its way.
    if (order === "wait") return { requeueAfterMs: 30_000 };
    if (order === "unordered" && isLastWitness(work, deps)) return { requeueAfterMs: WITNESS_RETRY_MS };
    if (order === "unordered") return finish(key, work);
    if (!member?.ready) return withoutMember(key, work, order);
    return carryOut(key, work, member, order);
  }

  async function carryOut(key: string, work: Work, member: Member, order: Order): Promise<Result> {
    const steps = [];
    for (const manifest of work.spec.workload?.manifests ?? []) {
      const witnessed = outcomes.origin(key, manifest);
      steps.push(await attempt(key, work, member, () => letGoOf({ work, manifest, member, order, witnessed })));
    }
    if (steps.includes("waiting")) {
      outcomes.set(key, failed(work, "Deleting", `waits for cluster ${member.name} to finish deleting`));
      return { requeueAfterMs: WAITING_RETRY_MS };
    }
    log.debug("work let go", { cluster: member.name, work: work.metadata.name, order });
    return finish(key, work);
  }

  /** A failed farewell says on the Work what it waits for, and is tried again. */
  async function attempt<T>(key: string, work: Work, member: Member, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === "cluster") members.suspect(member.name);
      if (trouble !== "process") {
        outcomes.set(key, failed(work, "FinalizerBlocked", messageOf(error)));
      }
      throw error;
    }
  }

  /** Not reachable is not gone: a Work waits for its cluster, unless the cluster itself is leaving (design 5). */
  async function withoutMember(key: string, work: Work, order: Order): Promise<Result> {
    const cluster = clusterOf(work);
    const object = host.clusters.get(cluster);
    // Just started and not looked yet: a healthy cluster that leaves is cleaned up, not left behind.
    const unknown = object && conditionOf(object, "Ready")?.status === "True";
    if (object && (unknown || !object.metadata.deletionTimestamp)) {
      const note = `waits for cluster ${cluster} to be ready again, ${PURPOSE[order]}`;
      outcomes.set(key, failed(work, "FinalizerBlocked", note));
      return {};
    }
    const left = (work.spec.workload?.manifests ?? []).map(
      m => `${m.kind} ${m.metadata.namespace ?? ""}/${m.metadata.name}`,
    );
    const note = `cluster ${cluster} left without an answer; what may still be there, with marks: ${left.join(", ")}`;
    events.warning(object ?? work, "ResourcesLeftBehind", note);
    return finish(key, work);
  }

  async function finish(key: string, work: Work): Promise<Result> {
    await host.works.removeFinalizer(work, WORK_FINALIZER);
    outcomes.forget(key);
    const cluster = clusterOf(work);
    const since = Date.parse(work.metadata.deletionTimestamp ?? "");
    if (since) metrics.finalizerWaitSeconds.observe({ member_cluster: cluster }, (Date.now() - since) / 1000);
    return {};
  }
}

const PURPOSE: Readonly<Record<Order, string>> = {
  keep: "to let go of its copy",
  delete: "to delete its copy",
  adopted: "to let go of its copy, or to delete it if this Work made it",
};

const clusterOf = (work: Work): string => clusterOfExecutionNamespace(work.metadata.namespace ?? "") ?? "";

function applied(work: Work, cluster: string, results: readonly ApplyResult[]): Outcome {
  const dropped = results.flatMap(r => r.dropped);
  const left = dropped.length > 0 ? `; left out, since the cluster does not know them: ${dropped.join(", ")}` : "";
  return {
    applied: true,
    reason: dropped.length > 0 ? FIELDS_LEFT_OUT : "AppliedSuccessful",
    message: `${results.length} manifest(s) applied to ${cluster}${left}`,
    generation: work.metadata.generation,
    templateGeneration: Number(work.metadata.annotations?.[TEMPLATE_GENERATION_ANNOTATION]) || undefined,
    at: performance.now(),
  };
}

function failed(work: Work, reason: string, message: string): Outcome {
  const { generation } = work.metadata;
  return { applied: false, reason, message, generation, templateGeneration: undefined, at: performance.now() };
}
