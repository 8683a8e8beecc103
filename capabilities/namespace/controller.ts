// What wakes the decision about namespaces that we made in members?
import { clusterOfExecutionNamespace } from "../../lib/domain/names.js";
import { Controller } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Runnable } from "../../lib/engine/runnable.js";
import { NAMESPACES } from "../../lib/kube/kinds.js";
import type { Member } from "../../lib/kube/member.js";
import { groupKindOf } from "../../lib/kube/resource.js";
import { keyOf, targetNamespaces } from "./keys.js";
import { NAMESPACE_TIMES, namespaceReconciler, type NamespaceTimes } from "./reconcile.js";
import { NamespaceWords } from "./words.js";

const WORKERS = 8;

/** The removing side of on-demand namespaces (design 10). Start it when the host's collections are synced. */
export function namespaceControllers(deps: Dependencies, times: NamespaceTimes = NAMESPACE_TIMES): Runnable {
  const { host, members, log, metrics } = deps;
  const words = new NamespaceWords(deps);
  const reconcile = namespaceReconciler(deps, times, words);
  const controller = new Controller({
    name: "namespace",
    reconcile,
    workers: WORKERS,
    log,
    metrics,
    mayWork: deps.mayWork,
  });
  let unsubscribe: (() => void)[] = [];

  function wakeAll(member: Member | undefined): void {
    if (!member?.ready) return;
    for (const name of member.objects(NAMESPACES).store.keys()) {
      controller.queue.add(keyOf({ cluster: member.name, name }));
    }
  }

  function subscribe(): void {
    members.subscribe({
      onReadiness: wakeAll,
      onObject({ name: cluster }, resource, { key, after }) {
        if (after && groupKindOf(resource) === groupKindOf(NAMESPACES))
          controller.queue.add(keyOf({ cluster, name: key }));
      },
    });
    unsubscribe = [
      host.namespaces.subscribe(({ key: name, after }) => {
        if (after && !after.metadata.deletionTimestamp) return;
        for (const { name: cluster } of members.all()) controller.queue.add(keyOf({ cluster, name }));
      }),
      host.works.subscribe(({ before, after }) => {
        const cluster = clusterOfExecutionNamespace(before?.metadata.namespace ?? "");
        if (!before || after || cluster === undefined) return;
        for (const name of targetNamespaces(before)) controller.queue.add(keyOf({ cluster, name }));
      }),
      host.clusters.subscribe(({ key, after }) => {
        if (after?.metadata.deletionTimestamp) wakeAll(members.get(key));
      }),
    ];
  }

  return {
    start() {
      // First: whoever is woken asks it.
      words.start();
      subscribe();
      controller.start();
      for (const member of members.all()) wakeAll(member);
    },
    async stop() {
      words.stop();
      for (const stop of unsubscribe) stop();
      await controller.stop();
    },
  };
}
