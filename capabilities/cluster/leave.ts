// Takes a leaving cluster's things off the host, once nothing needs them any more.
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
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

type Uses = Pick<Leftovers, "works" | "bindings">;

/** Returns what to wait for, or `undefined` when only the finalizer is left. Deletes the execution namespace. */
export function farewellOf({ host, members }: Dependencies) {
  return async function leave(cluster: Cluster, session: Session): Promise<Result | undefined> {
    // Started a moment ago: before the first look an unready member is not known to be one. The look wakes us.
    if (!session.health.verdict) return {};
    const { name } = cluster.metadata;
    const namespace = host.namespaces.get(executionNamespace(name));
    const uses = usesOf(name);
    const patienceMs = patienceLeft(session, uses);
    const memberNamespaces = patienceMs > 0 ? ourNamespaces(name) : 0;
    const plan = planLeaving({ ...uses, memberNamespaces, namespace: stateOf(namespace) });
    switch (plan.action) {
      case "wait":
        return plan.wokenByEvent ? {} : { requeueAfterMs: patienceMs };
      case "deleteNamespace":
        // Not through the collection: what a namespace waits for stands in its spec, so the answer is not its end.
        if (namespace) await host.namespaces.client.delete({ name: namespace.metadata.name }, uidOf(namespace));
        return {};
      case "finish":
        return undefined;
    }
  };

  function usesOf(cluster: string): Uses {
    const works = host.works.store.byIndex(WORKS_BY_NAMESPACE, executionNamespace(cluster)).length;
    const namespaced = host.bindings.store.byIndex(BINDINGS_BY_CLUSTER, cluster).length;
    return { works, bindings: namespaced + host.clusterBindings.store.byIndex(BINDINGS_BY_CLUSTER, cluster).length };
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

function uidOf({ metadata: { uid } }: KubeObject): { uid?: string } {
  return { uid };
}

function stateOf(namespace: KubeObject | undefined): Leftovers["namespace"] {
  if (!namespace) return "gone";
  return namespace.metadata.deletionTimestamp ? "going" : "there";
}
