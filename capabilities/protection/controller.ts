// Decides which change wakes which policy about deletion.
import type { Cluster } from "../../crds/cluster.js";
import { describeRule } from "../../lib/domain/cascade.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { Controller } from "../../lib/engine/controller.js";
import { Debouncer } from "../../lib/engine/debounce.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Runnable } from "../../lib/engine/runnable.js";
import { isStatusOnly, sameMetadata } from "../../lib/kube/changes.js";
import { POLICIES_BY_KIND, selectedKind, type AnyBinding, type AnyCascadePolicy } from "../../lib/kube/host.js";
import type { StoreChange } from "../../lib/kube/store.js";
import { templateRefOf, type TemplateRef } from "../../lib/kube/templates.js";
import { Hearings, type FirstUnseen } from "./hearings.js";
import { cascadeKey, cascadeReconciler, cascadeReporter } from "./reconcile.js";

/** The controllers of this capability, wired to the stores. */
export function protectionControllers(deps: Dependencies, firstUnseen: FirstUnseen): Runnable {
  const { host, log, metrics, mayWork } = deps;
  const hearings = new Hearings(host, firstUnseen);
  const reports = new Controller({
    name: "cascade-status",
    reconcile: cascadeReporter({ ...deps, hearings }),
    workers: 1,
    log,
    metrics,
    mayWork,
  });
  // Counting looks at every binding of a kind: often told, seldom done.
  const reportSoon = new Debouncer(key => reports.queue.add(key), { stillMs: 1_000, maxMs: 5_000 });
  const policies = new Controller({
    name: "cascade-policy",
    reconcile: cascadeReconciler({ ...deps, hearings }, key => reportSoon.poke(key)),
    workers: 2,
    log,
    metrics,
    mayWork,
  });

  function all(): AnyCascadePolicy[] {
    return [...host.cascadePolicies.store.values(), ...host.clusterCascadePolicies.store.values()];
  }

  /** One that leaves waits for just such changes; the others have something to count. */
  function touch(policy: AnyCascadePolicy): void {
    const key = cascadeKey(policy);
    if (policy.metadata.deletionTimestamp) policies.queue.add(key);
    else reportSoon.poke(key);
  }

  function touchAll(): void {
    for (const policy of all()) touch(policy);
  }

  function touchAbout({ apiVersion, kind, namespace }: TemplateRef): void {
    const wide = selectedKind(apiVersion, kind, undefined);
    for (const policy of host.clusterCascadePolicies.store.byIndex(POLICIES_BY_KIND, wide)) touch(policy);
    if (!namespace) return;
    const own = selectedKind(apiVersion, kind, namespace);
    for (const policy of host.cascadePolicies.store.byIndex(POLICIES_BY_KIND, own)) touch(policy);
  }

  function onPolicy({ before, after }: StoreChange<AnyCascadePolicy>): void {
    // Our own status write is no news.
    if (before && after && sameMetadata(before, after)) return;
    if (after) policies.queue.add(cascadeKey(after));
    else hearings.forget(before?.metadata.uid ?? "");
    // The others may contradict it now, or no longer.
    touchAll();
  }

  function onBinding({ before, after }: StoreChange<AnyBinding>): void {
    const binding = after ?? before;
    if (!binding || (before && after && sameMetadata(before, after))) return;
    touchAbout(binding.spec.resource);
    // One whose kind it no longer names may have its word on record.
    const recorded = [before, after].flatMap(b => b?.spec.clusterDeletion ?? []).map(({ decidedBy }) => decidedBy);
    for (const rule of new Set(recorded)) touchNamed(rule);
  }

  /** `rule` is a policy's kind and name, as `describeRule` writes them. */
  function touchNamed(rule: string): void {
    const path = rule.slice(rule.indexOf(" ") + 1);
    for (const policy of [host.cascadePolicies.get(path), host.clusterCascadePolicies.get(path)]) {
      if (policy && describeRule(policy) === rule) touch(policy);
    }
  }

  function onTemplate(change: StoreChange): void {
    const template = change.after ?? change.before;
    if (template && !isStatusOnly(change)) touchAbout(templateRefOf(template));
  }

  function onCluster({ before, after }: StoreChange<Cluster>): void {
    if (!before || !after || !sameJson(affinityFacts(before), affinityFacts(after))) touchAll();
  }

  function onCrd({ before, after }: StoreChange): void {
    if (!before || !after || !sameJson(before["status"], after["status"])) touchAll();
  }

  return {
    start() {
      for (const controller of [policies, reports]) controller.start();
      host.cascadePolicies.subscribe(onPolicy);
      host.clusterCascadePolicies.subscribe(onPolicy);
      host.bindings.subscribe(onBinding);
      host.clusterBindings.subscribe(onBinding);
      host.templates.subscribe((_, change) => onTemplate(change));
      host.clusters.subscribe(onCluster);
      host.crds.subscribe(onCrd);
      for (const policy of all()) policies.queue.add(cascadeKey(policy));
    },
    async stop() {
      reportSoon.cancelAll();
      await Promise.all([policies, reports].map(controller => controller.stop()));
    },
  };
}

function affinityFacts({ metadata, spec }: Cluster): readonly unknown[] {
  const { provider, region, zone, zones } = spec;
  return [metadata.labels, provider, region, zone, zones];
}
