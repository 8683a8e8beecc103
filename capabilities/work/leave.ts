// Sees a Work off: its order is carried out in the member, what was kept for it goes, and then the Work itself.
import type { Work } from "../../crds/work.js";
import { DELETING, FINALIZER_BLOCKED } from "../../lib/domain/applied.js";
import { WORK_FINALIZER } from "../../lib/domain/marks.js";
import { clusterOf } from "../../lib/domain/names.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import type { Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { messageOf } from "../../lib/kube/errors.js";
import type { Member } from "../../lib/kube/member.js";
import { farewell } from "./farewell.js";
import { isLastWitness, isUnnamed, orderOf } from "./order.js";
import { failed, type Outcomes } from "./outcomes.js";
import type { Before, Snapshots } from "./snapshots.js";
import { troubleOf } from "./trouble.js";
import type { Order } from "../../lib/domain/work-word.js";

/** How soon a Work without an order looks whether its binding has gone without giving one; it costs no request. */
const UNDECIDED_RETRY_MS = 5_000;
const WAITING_RETRY_MS = 2_000;
/** How soon a binding that was deleted by hand may be there again. */
const WITNESS_RETRY_MS = 300;
/** Whoever reads or removes snapshots wakes the Work; this is for a call that went astray. */
const SNAPSHOT_RETRY_MS = 5_000;

/** A Work that is to go, on its way. */
interface Leaving {
  readonly key: string;
  readonly work: Work;
  readonly order: Order;
}

/** Level-triggered and safe to replay, as the reconciler that calls it. */
export function leaver(deps: Dependencies, outcomes: Outcomes, snapshots: Snapshots) {
  const { host, members, metrics, events, log } = deps;
  const letGoOf = farewell(deps);

  return async function sayFarewell(
    key: string,
    work: Work,
    member: Member | undefined,
    signal: AbortSignal,
  ): Promise<Result> {
    if (!work.metadata.finalizers?.includes(WORK_FINALIZER)) return {};
    // Whatever is wanted now: its snapshots are on their way out, and the next Work of this name may store its own.
    if (outcomes.isDone(work)) return discard(key, work);
    const order = await orderOf(work, deps, signal);
    // The template's going wakes us, and so does an order; until then the decision is still on its way.
    if (order === "wait") return { requeueAfterMs: UNDECIDED_RETRY_MS };
    if (order === "unordered") return dismiss(key, work, signal);
    if (!member?.ready) return withoutMember({ key, work, order });
    const before = snapshots.read(work);
    return before ? carryOut({ key, work, order }, member, before) : { requeueAfterMs: SNAPSHOT_RETRY_MS };
  };

  /** Nobody ordered it: it is made again, and what was kept for it is kept for the next one. */
  async function dismiss(key: string, work: Work, signal: AbortSignal): Promise<Result> {
    if (await isLastWitness(work, deps, signal)) return stay(key, work);
    // Its order may have been written in this very moment: it goes only as it was read.
    return finish(key, work, { asRead: true });
  }

  /** It is the last that tells of its copy, and must wait for who decides about that. */
  function stay(key: string, work: Work): Result {
    if (!isUnnamed(work, deps)) return { requeueAfterMs: WITNESS_RETRY_MS };
    const note = `its binding does not name cluster ${clusterOf(work)}: it goes with its template, or is made again when the placement names the cluster`;
    outcomes.set(key, failed(work, FINALIZER_BLOCKED, note));
    return { requeueAfterMs: WAITING_RETRY_MS };
  }

  async function carryOut({ key, work, order }: Leaving, member: Member, before: Before): Promise<Result> {
    const steps = [];
    for (const manifest of work.spec.workload?.manifests ?? []) {
      const witnessed = outcomes.origin(key, manifest);
      const request = { work, manifest, member, order, witnessed, before, snapshots: snapshots.of(work) };
      steps.push(await attempt(key, work, member, () => letGoOf(request)));
    }
    if (steps.includes("waiting")) {
      outcomes.set(key, failed(work, DELETING, `waits for cluster ${member.name} to finish deleting`));
      return { requeueAfterMs: WAITING_RETRY_MS };
    }
    log.debug("work let go", { cluster: member.name, work: work.metadata.name, order });
    return discard(key, work);
  }

  /** A failed farewell says on the Work what it waits for, and is tried again. */
  async function attempt<T>(key: string, work: Work, member: Member, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === "cluster") members.suspect(member.name);
      if (trouble !== "process") outcomes.set(key, failed(work, FINALIZER_BLOCKED, messageOf(error)));
      throw error;
    }
  }

  /** Not reachable is not gone: a Work waits for its cluster, unless the cluster itself is leaving (design 5). */
  async function withoutMember({ key, work, order }: Leaving): Promise<Result> {
    const cluster = clusterOf(work);
    const object = host.clusters.get(cluster);
    // Just started and not looked yet: a healthy cluster that leaves is cleaned up, not left behind.
    const unknown = object && conditionOf(object, "Ready")?.status === "True";
    if (object && (unknown || !object.metadata.deletionTimestamp)) {
      const note = `waits for cluster ${cluster} to be ready again, ${PURPOSE[order]}`;
      outcomes.set(key, failed(work, FINALIZER_BLOCKED, note));
      return {};
    }
    const left = (work.spec.workload?.manifests ?? []).map(
      m => `${m.kind} ${m.metadata.namespace ?? ""}/${m.metadata.name}`,
    );
    const note = `cluster ${cluster} left without an answer; what may still be there, with marks: ${left.join(", ")}`;
    events.warning(object ?? work, "ResourcesLeftBehind", note);
    return discard(key, work);
  }

  /** The snapshots go before the Work: nothing would ask for them again. */
  async function discard(key: string, work: Work): Promise<Result> {
    outcomes.setDone(work);
    return snapshots.discard(work) ? finish(key, work) : { requeueAfterMs: SNAPSHOT_RETRY_MS };
  }

  async function finish(key: string, work: Work, guard?: { readonly asRead: true }): Promise<Result> {
    await host.works.removeFinalizer(work, WORK_FINALIZER, guard);
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
  restore: "to put its copy back and let go of it",
  adopted: "to let go of its copy, or to delete it if this Work made it",
};
