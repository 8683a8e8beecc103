// Keeps a Cluster object in step: finalizer, execution namespace, what is known of the member, and its leaving.
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import { CLUSTER_FINALIZER, SYSTEM_LABEL } from "../../lib/domain/marks.js";
import { executionNamespace } from "../../lib/domain/names.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { isConflict } from "../../lib/kube/errors.js";
import { apiVersionOf } from "../../lib/kube/resource.js";
import { NAMESPACES } from "../../lib/kube/kinds.js";
import type { Inventories } from "./inventory.js";
import { leaving as leavingBy, type LeaveOptions } from "./leave.js";
import { mergePatchOf } from "./merge-patch.js";
import type { Session, Sessions } from "./session.js";
import type { Verdict } from "./verdict.js";
import { statusFor, taintsFor } from "./status.js";

/** What the reconciler needs. */
export interface ClusterOptions {
  readonly deps: Dependencies;
  readonly sessions: Sessions;
  readonly inventories: Inventories;
  readonly leave: Omit<LeaveOptions, "deps">;
  /** Called when a cluster must be looked at for the first time, or under another address. */
  readonly look: (name: string) => void;
}

/** The key is the name of the Cluster. Talks to the host only, so that no member can hold up another one. */
export function clusterReconciler({ deps, sessions, inventories, look, ...options }: ClusterOptions): Reconciler {
  const { host, events, log, metrics } = deps;
  const leave = leavingBy({ deps, ...options.leave });

  return async function reconcileCluster(name): Promise<Result> {
    const cluster = host.clusters.get(name);
    if (!cluster) return forget(name);
    const leaving = cluster.metadata.deletionTimestamp !== undefined;
    if (!leaving) await prepare(cluster);
    // Others may still hold the object; ours to do is done.
    else if (!cluster.metadata.finalizers?.includes(CLUSTER_FINALIZER)) return forget(name);

    const { session, fresh } = await sessions.of(cluster);
    if (fresh) look(name);
    await tell(host.clusters.get(name) ?? cluster, session);
    return leaving ? depart(name, session) : {};
  };

  async function forget(name: string): Promise<Result> {
    inventories.forget(name);
    await sessions.drop(name);
    metrics.clusterReady.remove({ member_cluster: name });
    return {};
  }

  /** Before anything else: nothing of this cluster may be made that its deletion would not wait for. */
  async function prepare({ metadata }: Cluster): Promise<void> {
    const { name, uid, resourceVersion, finalizers = [] } = metadata;
    if (!finalizers.includes(CLUSTER_FINALIZER)) {
      const wanted = [...finalizers, CLUSTER_FINALIZER];
      await host.clusters.mergePatch({ name }, { metadata: { uid, resourceVersion, finalizers: wanted } });
    }
    await ensureExecutionNamespace(name);
  }

  async function ensureExecutionNamespace(cluster: string): Promise<void> {
    const name = executionNamespace(cluster);
    const live = host.namespaces.get(name);
    const labels = { [SYSTEM_LABEL]: "true" };
    if (live) {
      // One that somebody deletes is made again when it is gone; its going wakes us.
      if (live.metadata.deletionTimestamp || live.metadata.labels?.[SYSTEM_LABEL] === "true") return;
      await host.namespaces.mergePatch({ name }, { metadata: { labels } });
      return;
    }
    const namespace: KubeObject = {
      apiVersion: apiVersionOf(NAMESPACES),
      kind: NAMESPACES.kind,
      metadata: { name, labels },
    };
    await host.namespaces.create(namespace).catch((error: unknown) => {
      if (!isConflict(error)) throw error;
    });
  }

  /** Taints and identity first: they raise the generation that the status is then about. */
  async function tell(cluster: Cluster, session: Session): Promise<void> {
    const { facts } = session;
    const verdict = tellable(cluster, session);
    const taints = taintsFor(cluster, verdict?.status);
    const id = cluster.spec.id || verdict?.status !== "True" ? undefined : session.identity;
    const { name, uid, resourceVersion } = cluster.metadata;
    let current = cluster;
    if (taints || id) {
      current = await host.clusters.mergePatch({ name }, { metadata: { uid, resourceVersion }, spec: { taints, id } });
    }
    const status = mergePatchOf(current.status, statusFor(current, { verdict, facts }));
    if (!status) return;
    const after = await host.clusters.patchStatus({ name }, status);
    if (after) announce(current, after);
  }

  /** A cluster is shown ready for the first time together with what it serves: placements ask for both at once. */
  function tellable(cluster: Cluster, { health, asked }: Session): Verdict | undefined {
    const known = asked || cluster.status?.apiEnablements !== undefined;
    return health.verdict?.status === "True" && !known ? undefined : health.verdict;
  }

  function announce(before: Cluster, after: Cluster): void {
    const [was, is] = [conditionOf(before, "Ready"), conditionOf(after, "Ready")];
    if (!was || !is || was.status === is.status) return;
    const { name } = after.metadata;
    log.info("cluster readiness changed", { cluster: name, ready: is.status, reason: is.reason, message: is.message });
    if (is.status === "True") events.normal(after, "ClusterReady", `cluster ${name} is back: ${is.message}`);
    if (was.status === "True") events.warning(after, "ClusterNotReady", `cluster ${name} is lost: ${is.message}`);
  }

  async function depart(name: string, session: Session): Promise<Result> {
    const cluster = host.clusters.get(name);
    if (!cluster) return forget(name);
    const waits = await leave(cluster, session);
    if (waits) return waits;
    await host.clusters.removeFinalizer(cluster, CLUSTER_FINALIZER);
    log.info("cluster has left", { cluster: name });
    return forget(name);
  }
}
