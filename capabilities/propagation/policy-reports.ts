// When does a policy tell anew what it holds, and how that does?
import { Controller } from "../../lib/engine/controller.js";
import { Debouncer } from "../../lib/engine/debounce.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Runnable } from "../../lib/engine/runnable.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { storeKey, type StoreChange } from "../../lib/kube/store.js";
import { policiesWithId, policyKey, policyReporter } from "./policy.js";
import { StandingsByPolicy } from "./standings.js";

/** A burst is one report, or one every five seconds. */
const REPORT = { stillMs: 1_000, maxMs: 5_000 };

/** The queue of reports. */
export interface PolicyReports extends Runnable {
  /** Counts and conditions of this policy may have changed; told often, written seldom. */
  soon(key: string): void;
}

/** Reports of both kinds of policies, wired to what their bindings tell. */
export function policyReports(deps: Dependencies): PolicyReports {
  const { host, log, metrics, mayWork } = deps;
  const standings = new StandingsByPolicy();
  const reconcile = policyReporter(deps, id => standings.of(id));
  const reports = new Controller({ name: "policy-status", reconcile, workers: 2, log, metrics, mayWork });
  const reportSoon = new Debouncer(key => reports.queue.add(key), REPORT);

  function onBinding(change: StoreChange<AnyBinding>): void {
    for (const id of standings.note(change)) {
      for (const { kind, policy } of policiesWithId(host, id)) reportSoon.poke(policyKey(kind, policy.metadata));
    }
  }

  return {
    soon: key => reportSoon.poke(key),
    start() {
      reports.start();
      for (const collection of [host.bindings, host.clusterBindings]) {
        for (const binding of collection.store.values()) {
          onBinding({ key: storeKey(binding.metadata), before: undefined, after: binding });
        }
        collection.subscribe(onBinding);
      }
    },
    async stop() {
      reportSoon.cancelAll();
      await reports.stop();
    },
  };
}
