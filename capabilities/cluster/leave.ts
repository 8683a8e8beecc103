// Takes a leaving cluster's things off the host, once nothing needs them any more.
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { farewellOf } from "../../lib/domain/farewell-report.js";
import { WORK_FINALIZER } from "../../lib/domain/marks.js";
import { executionNamespace } from "../../lib/domain/names.js";
import type { Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { BINDINGS_BY_CLUSTER, WORKS_BY_NAMESPACE } from "../../lib/kube/host.js";
import { NAMESPACES } from "../../lib/kube/kinds.js";
import { isOurNamespace, isSystemNamespace } from "../../lib/kube/member-namespace.js";
import { planLeaving, type Leftovers } from "./plan.js";
import type { Session } from "./session.js";

/** After this, what is left of ours in a member's namespaces no longer holds up the removal of its cluster. */
const NAMESPACES_PATIENCE_MS = 60_000;
/** When Works and bindings have stood still for this long, they are left behind: somebody waits for the removal. */
export const STALLED_MS = 60_000;

type Uses = Pick<Leftovers, "works" | "worksOfOurs" | "bindings">;

/** How leaving goes on where it is not the host's objects that are looked at. */
export interface LeaveOptions {
  readonly deps: Dependencies;
  readonly stalledMs: number;
  /** Called when it is time to look at what became of everything in the member. */
  readonly takeStock: (cluster: string) => void;
}

/** Returns what to wait for, or `undefined` when only the finalizer is left. Deletes the execution namespace. */
export function leaving({ deps, stalledMs, takeStock }: LeaveOptions) {
  const { host, members, log } = deps;
  const steps = { abandon, takeStock, deleteNamespace };

  return async function leave(cluster: Cluster, session: Session): Promise<Result | undefined> {
    // Started a moment ago: before the first look an unready member is not known to be one. The look wakes us.
    if (!session.health.verdict) return {};
    const { name } = cluster.metadata;
    const uses = usesOf(name);
    const waits = {
      event: undefined,
      stalled: session.stalledIn(uses, stalledMs),
      patience: patienceLeft(session, uses),
    };
    const plan = planLeaving({
      ...uses,
      stalled: waits.stalled <= 0,
      memberNamespaces: waits.patience > 0 ? ourNamespaces(name) : 0,
      told: farewellOf(cluster.metadata) !== undefined,
      namespace: stateOf(host.namespaces.get(executionNamespace(name))),
    });
    if (plan.action === "finish") return undefined;
    if (plan.action === "wait") return { requeueAfterMs: waits[plan.until] };
    await steps[plan.action](name);
    return {};
  };

  async function deleteNamespace(cluster: string): Promise<void> {
    const namespace = host.namespaces.get(executionNamespace(cluster));
    // Not through the collection: what a namespace waits for stands in its spec, so the answer is not its end.
    if (namespace) await host.namespaces.client.delete({ name: namespace.metadata.name }, uidOf(namespace));
  }

  function worksOf(cluster: string): Work[] {
    return host.works.store.byIndex(WORKS_BY_NAMESPACE, executionNamespace(cluster));
  }

  function usesOf(cluster: string): Uses {
    const works = worksOf(cluster);
    const namespaced = host.bindings.store.byIndex(BINDINGS_BY_CLUSTER, cluster).length;
    const wide = host.clusterBindings.store.byIndex(BINDINGS_BY_CLUSTER, cluster).length;
    return { works: works.length, worksOfOurs: works.filter(isOurs).length, bindings: namespaced + wide };
  }

  /** Nothing is done in the member: what these Works stand for stays there, with our marks, and is told. */
  async function abandon(cluster: string): Promise<void> {
    const works = worksOf(cluster).filter(isOurs);
    log.warn("Works of a leaving cluster do not move and are left behind", { cluster, works: works.length });
    for (const work of works) {
      if (!work.metadata.deletionTimestamp) await host.works.delete(work);
      await host.works.removeFinalizer(host.works.find(work.metadata) ?? work, WORK_FINALIZER);
    }
  }

  /** Namespaces that we made in the member and that the namespace capability has not yet removed or let go. */
  function ourNamespaces(cluster: string): number {
    const member = members.get(cluster);
    if (!member?.ready) return 0;
    const { store } = member.objects(NAMESPACES);
    if (!store.synced) return 1;
    return [...store.values()].filter(
      ns => isOurNamespace(cluster, ns) && !ns.metadata.deletionTimestamp && !isSystemNamespace(ns.metadata.name),
    ).length;
  }
}

/** Milliseconds that member namespaces may still hold up the removal; counted from when the last Work went. */
function patienceLeft(session: Session, { works, bindings }: Uses): number {
  if (works + bindings > 0) return NAMESPACES_PATIENCE_MS;
  session.emptySince ??= performance.now();
  return NAMESPACES_PATIENCE_MS - (performance.now() - session.emptySince);
}

function isOurs({ metadata }: Work): boolean {
  return !metadata.deletionTimestamp || (metadata.finalizers ?? []).includes(WORK_FINALIZER);
}

function uidOf({ metadata: { uid } }: KubeObject): { uid?: string } {
  return { uid };
}

function stateOf(namespace: KubeObject | undefined): Leftovers["namespace"] {
  if (!namespace) return "gone";
  return namespace.metadata.deletionTimestamp ? "going" : "there";
}
