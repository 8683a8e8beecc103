// Tells on a Cluster that leaves, and in an Event, what became of everything that was in it.
import type { Cluster } from "../../crds/cluster.js";
import { FAREWELL_ANNOTATION, farewellOf, reportOf, summaryOf } from "../../lib/domain/farewell-report.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import type { Inventories } from "./inventory.js";
import { leftBehind, takeStock } from "./stocktaking.js";

/** What taking stock needs. */
export interface StockOptions {
  readonly deps: Dependencies;
  readonly inventories: Inventories;
}

/** The key is the name of a Cluster that leaves and whose Works have gone. Tells once; its own write wakes the leaving. */
export function stockReconciler({ deps, inventories }: StockOptions): Reconciler {
  const { host, members, events, log } = deps;

  return async function reconcileStock(name): Promise<Result> {
    const cluster = host.clusters.get(name);
    if (!cluster?.metadata.deletionTimestamp || farewellOf(cluster.metadata)) return {};
    const { uid = "" } = cluster.metadata;
    const inventory = inventories.begin(cluster);
    const items = inventory.items.values();
    const member = members.get(name);
    const entries = member?.ready ? await takeStock(member, items) : leftBehind(items, whyUnknown(cluster));
    const report = reportOf({ cluster: uid, sent: inventory.sent.size }, entries);
    const annotations = { [FAREWELL_ANNOTATION]: JSON.stringify(report) };
    await host.clusters.mergePatch({ name }, { metadata: { uid, annotations } });
    const { kept, deleted, left } = report;
    const summary = `cluster ${name} has left: ${summaryOf(report)}`;
    if (left > 0) events.warning(cluster, "ResourcesLeftBehind", summary);
    else events.normal(cluster, "ClusterLeft", summary);
    log.info("what was in a leaving cluster is told", { cluster: name, kept, deleted, left });
    return {};
  };
}

function whyUnknown(cluster: Cluster): string {
  const reason = conditionOf(cluster, "Ready")?.reason ?? "nothing is known about it";
  return `the cluster left without an answer (${reason})`;
}
