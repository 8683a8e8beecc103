// Which controllers look after the joined clusters, and what wakes them?
import type { Cluster } from "../../crds/cluster.js";
import { Controller, type Reconciler } from "../../lib/engine/controller.js";
import { Debouncer } from "../../lib/engine/debounce.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Runnable } from "../../lib/engine/runnable.js";
import { clusterOfExecutionNamespace } from "../../lib/domain/names.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { groupKindOf } from "../../lib/kube/resource.js";
import { NAMESPACES } from "../../lib/kube/kinds.js";
import type { StoreChange } from "../../lib/kube/store.js";
import { collectReconciler } from "./collect.js";
import { CREDENTIAL_TIMES, type CredentialTimes } from "./credentials.js";
import { RHYTHM, type Rhythm } from "./health.js";
import { Inventories } from "./inventory.js";
import { STALLED_MS } from "./leave.js";
import { lookReconciler } from "./look.js";
import { clusterReconciler } from "./reconcile.js";
import { SecretWatch } from "./secret-watch.js";
import { stockReconciler } from "./stock.js";
import { Sessions } from "./session.js";

/** Milliseconds; tests shorten them. */
export interface ClusterTimes {
  readonly rhythm?: Rhythm;
  readonly credentials?: CredentialTimes;
  /** Between two collections of what a cluster has and serves. */
  readonly collectMs?: number;
  /** How long a leaving may stand still before it goes on without what holds it up. */
  readonly stalledMs?: number;
}

const COLLECT_MS = 10_000;
/** A look at a dead cluster takes seconds and must not delay the look at another one; an idle worker costs nothing. */
const LOOKERS = 64;
const COLLECTORS = 4;
const STOCKTAKERS = 4;
/** Hundreds of requests can fail in the same moment; one look answers for all of them. */
const SUSPICION_MS = 100;
/** A Secret and its Cluster are often deleted together: whoever deletes the Cluster a moment later still has it in order. */
const SECRET_LINGER_MS = 1_000;

/** Joined clusters: lifecycle, connection, readiness, status. Start it when the host's collections are synced. */
export function clusterControllers(deps: Dependencies, times: ClusterTimes = {}): Runnable {
  const { host, members, log, metrics } = deps;
  const sessions = new Sessions(deps, times.credentials ?? CREDENTIAL_TIMES);
  const inventories = new Inventories(deps);
  const cluster = controller(
    "cluster",
    4,
    clusterReconciler({
      deps,
      sessions,
      inventories,
      look: name => look.queue.add(name),
      leave: { stalledMs: times.stalledMs ?? STALLED_MS, takeStock: name => stock.queue.add(name) },
    }),
  );
  const look = controller(
    "cluster-look",
    LOOKERS,
    lookReconciler({ deps, sessions, rhythm: times.rhythm ?? RHYTHM, onChange: lookedDifferent }),
  );
  const collect = controller(
    "cluster-collect",
    COLLECTORS,
    collectReconciler({ deps, sessions, everyMs: times.collectMs ?? COLLECT_MS, onChange: wake }),
  );
  const stock = controller("cluster-stock", STOCKTAKERS, stockReconciler({ deps, inventories }));
  const parts = [cluster, look, collect, stock];
  const secrets = new SecretWatch(deps, onSecret);
  const secretsGone = new Debouncer(rereadSecret, { stillMs: SECRET_LINGER_MS, maxMs: SECRET_LINGER_MS });
  let unsubscribe: (() => void)[] = [];

  function controller(name: string, workers: number, reconcile: Reconciler): Controller {
    return new Controller({ name, reconcile, workers, log, metrics, mayWork: deps.mayWork });
  }

  function wake(name: string): void {
    cluster.queue.add(name);
  }

  function lookedDifferent(name: string): void {
    cluster.queue.add(name);
    collect.queue.add(name);
  }

  function onCluster({ key, before, after }: StoreChange<Cluster>): void {
    if (after) secrets.follow(after);
    if (after?.metadata.deletionTimestamp) inventories.begin(after);
    wake(key);
    // Somebody has accepted another identity.
    if (before && after && before.spec.id !== after.spec.id) look.queue.add(key);
  }

  function onSecret(name: string, gone: boolean): void {
    if (gone) secretsGone.poke(name);
    else rereadSecret(name);
  }

  function rereadSecret(name: string): void {
    sessions.get(name)?.credentials.expire();
    look.queue.add(name);
  }

  function wakeLeaving(name: string | undefined): void {
    if (name !== undefined && host.clusters.get(name)?.metadata.deletionTimestamp) wake(name);
  }

  function onBinding({ before, after }: StoreChange<AnyBinding>): void {
    const now = new Set((after?.spec.clusters ?? []).map(target => target.name));
    for (const { name } of before?.spec.clusters ?? []) if (!now.has(name)) wakeLeaving(name);
  }

  function onNamespace({ key }: StoreChange): void {
    const name = clusterOfExecutionNamespace(key);
    if (name !== undefined && host.clusters.get(name)) wake(name);
  }

  function subscribe(): void {
    unsubscribe = [
      host.clusters.subscribe(onCluster),
      host.namespaces.subscribe(onNamespace),
      host.works.subscribe(({ before, after }) => {
        if (after) inventories.noteWork(after);
        else wakeLeaving(clusterOfExecutionNamespace(before?.metadata.namespace ?? ""));
      }),
      host.bindings.subscribe(onBinding),
      host.clusterBindings.subscribe(onBinding),
    ];
    members.onSuspicion(name => look.queue.addAfter(name, SUSPICION_MS));
    members.subscribe({
      onReadiness: ({ name }) => wakeLeaving(name),
      onObject({ name }, resource, { after }) {
        if (groupKindOf(resource) !== groupKindOf(NAMESPACES)) return;
        if (after) inventories.noteNamespace(name, after);
        wakeLeaving(name);
      },
    });
  }

  return {
    start() {
      subscribe();
      for (const part of parts) part.start();
      for (const known of host.clusters.store.values())
        onCluster({ key: known.metadata.name, before: undefined, after: known });
    },
    async stop() {
      for (const stop of unsubscribe) stop();
      secretsGone.cancelAll();
      await secrets.stop();
      await Promise.all(parts.map(part => part.stop()));
      await sessions.close();
    },
  };
}
