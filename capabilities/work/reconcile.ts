// Keeps one member cluster in step with its Works.
import type { Work } from "../../crds/work.js";
import { clusterOfExecutionNamespace } from "../../lib/domain/names.js";
import { CLUSTER_NOT_READY } from "../../lib/domain/applied.js";
import { TEMPLATE_GENERATION_ANNOTATION } from "../../lib/domain/marks.js";
import { FIELDS_LEFT_OUT } from "../../lib/engine/conditions.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { isFinal, messageOf } from "../../lib/kube/errors.js";
import type { Member } from "../../lib/kube/member.js";
import { RefusedError } from "./adopt.js";
import { applier, type ApplyResult } from "./apply.js";
import { leaver } from "./leave.js";
import { failed, type Outcome, type Outcomes } from "./outcomes.js";
import type { Snapshots } from "./snapshots.js";
import { isNamespaceLeaving, reasonOf, troubleOf } from "./trouble.js";

/**
 * An object that we may not touch is looked at again now and then: whoever holds it may let go of it. So is a manifest
 * that the member finds wrong: what it is checked against may change.
 */
const REFUSED_RETRY_MS = 30_000;
const NAMESPACE_RETRY_MS = 1_000;
/** The order wakes us; this is for one that goes astray. */
const WITHHELD_RETRY_MS = 5_000;

/** Level-triggered and safe to replay; the key is `namespace/name` of a Work. */
export function workReconciler(deps: Dependencies, outcomes: Outcomes, snapshots: Snapshots): Reconciler {
  const { host, members, metrics } = deps;
  const applyOne = applier(deps, outcomes, snapshots);
  const sayFarewell = leaver(deps, outcomes, snapshots);

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
      // What an earlier process knew of the member stands as long as there is no answer.
      if (!outcomes.get(key) && conditionOf(work, "Applied") === undefined)
        outcomes.set(key, failed(work, CLUSTER_NOT_READY, `cluster ${cluster} is not ready`));
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
      done({ result: "success" });
      return tellApplied(key, applied(work, member.name, results), results);
    } catch (error) {
      done({ result: "error" });
      const trouble = troubleOf(error);
      if (trouble === "cluster") members.suspect(member.name);
      if (trouble === "object") {
        const reason = reasonOf(error, outcomes.failingMs(key, work));
        outcomes.set(key, failed(work, reason, messageOf(error)));
      }
      if (error instanceof RefusedError || isFinal(error)) return { requeueAfterMs: REFUSED_RETRY_MS };
      if (isNamespaceLeaving(error)) return { requeueAfterMs: NAMESPACE_RETRY_MS };
      throw error;
    }
  }

  /** A change that concerns only the Work (who keeps what) is nothing to report from the member. */
  function tellApplied(key: string, outcome: Outcome, results: readonly ApplyResult[]): Result {
    if (results.some(({ withheld }) => withheld)) return { requeueAfterMs: WITHHELD_RETRY_MS };
    const before = outcomes.get(key);
    const known = before?.applied && before.templateGeneration === outcome.templateGeneration;
    if (!known || results.some(r => r.written)) outcomes.set(key, outcome);
    return {};
  }
}

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
