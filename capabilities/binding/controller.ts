// Decides which change wakes which binding, and when its state is reported.
import type { Cluster } from "../../crds/cluster.js";
import type { Work } from "../../crds/work.js";
import { gvkOf } from "../../crds/object.js";
import { specInEffect } from "../../lib/domain/cluster-taints.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { bindingName } from "../../lib/domain/names.js";
import { Controller } from "../../lib/engine/controller.js";
import { Debouncer } from "../../lib/engine/debounce.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Runnable } from "../../lib/engine/runnable.js";
import { WORKS_BY_BINDING, type AnyBinding } from "../../lib/kube/host.js";
import { sameMetadata } from "../../lib/kube/changes.js";
import { storeKey, type StoreChange } from "../../lib/kube/store.js";
import type { TemplateRef } from "../../lib/kube/templates.js";
import { Expectations } from "./expectations.js";
import { OVERRIDE_LINGER_MS, overrideSources } from "./override-sources.js";
import { bindingKeyOf, idOf } from "./naming.js";
import { LeavingTemplates } from "./leaving-templates.js";
import { LeftPlaces } from "./left-places.js";
import { bindingReconciler } from "./reconcile.js";
import { bindingStatusReconciler } from "./status.js";

/** Many: most of a farewell is waiting, for others to share a list with and for the host. */
const WORKERS = 48;
const NO_FAILURES: ReadonlyMap<string, string> = new Map();
/**
 * A generation may move though nothing that goes to members does: a Deployment's annotations are part of it. Its binding
 * stays as it is then, and the Works have to say that they hold this one too; where it does change, it has come before.
 */
const GENERATION_LINGER_MS = 500;
/** A member's state is reported when it has been still for a moment, at the latest after a second (design). */
const REPORT = { stillMs: 200, maxMs: 1_000 };

/** The controllers of this capability, wired to the stores. */
export function bindingControllers(deps: Dependencies): Runnable {
  const { host, log, metrics, mayWork } = deps;
  const leaving = new LeavingTemplates();
  const failures = new Map<string, ReadonlyMap<string, string>>();
  const expected = new Expectations();
  const sources = overrideSources(host);
  const left = new LeftPlaces();

  const reconcile = bindingReconciler(deps, {
    templateOf: key => leaving.behind(key),
    overridesFor: template => sources.for(template),
    leaving: template => leaving.firstSight(template),
    failed(key, found) {
      if (!sameJson([...(failures.get(key) ?? [])], [...found])) reportSoon.poke(key);
      if (found.size > 0) failures.set(key, found);
      else failures.delete(key);
    },
    leftPlaces: left,
    sent: work => expected.sent(work),
    rendered(binding) {
      if (expected.rendered(binding)) reportSoon.poke(storeKey(binding.metadata));
    },
  });
  const bindings = new Controller({ name: "binding", reconcile, workers: WORKERS, log, metrics, mayWork });
  const reports = new Controller({
    name: "binding-status",
    reconcile: bindingStatusReconciler(deps, { failuresOf: key => failures.get(key) ?? NO_FAILURES, expected }),
    workers: 8,
    log,
    metrics,
    mayWork,
  });
  const reportSoon = new Debouncer(key => reports.queue.add(key), REPORT);

  function onBinding({ key, before, after }: StoreChange<AnyBinding>): void {
    if (before && after && sameMetadata(before, after)) return;
    left.note(key, before, after);
    bindings.queue.add(key);
    if (after) reportSoon.poke(key);
    else {
      failures.delete(key);
      if (before) expected.forgetBinding(before);
    }
  }

  function onTemplate(ref: TemplateRef, change: StoreChange): void {
    const { before, after } = change;
    // Edits reach us through the binding; what only concerns the report does not.
    if (after && !after.metadata.deletionTimestamp) {
      if (before && before.metadata.generation !== after.metadata.generation) {
        bindings.queue.addAfter(keyOf(ref), GENERATION_LINGER_MS);
      }
      if (before && !sameJson(before["status"], after["status"])) reportSoon.poke(keyOf(ref));
      return;
    }
    const key = keyOf(ref);
    if (after) leaving.note(key, ref, change);
    else leaving.forget(key, before?.metadata.uid ?? "");
    bindings.queue.add(key);
  }

  /**
   * The one name of a template's binding: the plain one, or the one with a suffix where that is what exists. Exactly one,
   * since whoever reconciles a name lets go of the template for it.
   */
  function keyOf(ref: TemplateRef): string {
    const named = { group: gvkOf(ref).group, kind: ref.kind, namespace: ref.namespace, name: ref.name };
    const plain = storeKey({ namespace: ref.namespace, name: bindingName(named) });
    const suffixed = storeKey({ namespace: ref.namespace, name: bindingName(named, { suffix: true }) });
    if (host.bindingAt(suffixed)) return suffixed;
    if (!isBindingFor(plain, ref)) return suffixed;
    if (host.bindingAt(plain) || plain === suffixed) return plain;
    // Only Works are left: they know whose they are.
    return host.works.store.byIndex(WORKS_BY_BINDING, idOf(suffixed)).length > 0 ? suffixed : plain;
  }

  /** False when the name belongs to the binding of another kind that shares it. */
  function isBindingFor(key: string, ref: TemplateRef): boolean {
    const binding = host.bindingAt(key);
    if (!binding) return true;
    const { resource } = binding.spec;
    return resource.kind === ref.kind && resource.name === ref.name && gvkOf(resource).group === gvkOf(ref).group;
  }

  function onWork({ before, after }: StoreChange<Work>): void {
    const work = after ?? before;
    const key = work && bindingKeyOf(work);
    if (!key) return;
    if (!after) expected.forget(work);
    reportSoon.poke(key);
    // Ours to make again: a Work that went, or that somebody edited. Its status is only for the report.
    const edited = before && after && before.metadata.generation !== after.metadata.generation;
    if (!after || edited || after.metadata.deletionTimestamp) bindings.queue.add(key);
  }

  function* allBindings(): Generator<[string, AnyBinding]> {
    for (const collection of [host.bindings, host.clusterBindings]) {
      for (const binding of collection.store.values()) yield [storeKey(binding.metadata), binding];
    }
  }

  function onCluster({ before, after }: StoreChange<Cluster>): void {
    const facts = (cluster: Cluster | undefined) =>
      cluster && [cluster.metadata.labels, specInEffect(cluster), cluster.metadata.deletionTimestamp];
    if (before && after && sameJson(facts(before), facts(after))) return;
    // Overrides choose clusters by labels and fields; placement reports why a cluster was left out.
    for (const [key] of allBindings()) {
      bindings.queue.add(key);
      reportSoon.poke(key);
    }
  }

  function onOverride({ before, after }: StoreChange): void {
    const namespace = (after ?? before)?.metadata.namespace;
    for (const [key, binding] of allBindings()) {
      if (namespace !== undefined && binding.metadata.namespace !== namespace) continue;
      if (after) bindings.queue.add(key);
      else bindings.queue.addAfter(key, OVERRIDE_LINGER_MS);
    }
  }

  return {
    start() {
      bindings.start();
      reports.start();
      host.bindings.subscribe(onBinding);
      host.clusterBindings.subscribe(onBinding);
      host.works.subscribe(onWork);
      host.templates.subscribe(onTemplate);
      host.clusters.subscribe(onCluster);
      host.overrides.subscribe(change => sources.note("OverridePolicy", change));
      host.clusterOverrides.subscribe(change => sources.note("ClusterOverridePolicy", change));
      host.overrides.subscribe(onOverride);
      host.clusterOverrides.subscribe(onOverride);
      for (const [key, binding] of allBindings()) {
        host.templates.ensure(binding.spec.resource.apiVersion, binding.spec.resource.kind);
        bindings.queue.add(key);
        reportSoon.poke(key);
      }
      // Works whose binding went while no process ran.
      for (const work of host.works.store.values()) {
        const key = bindingKeyOf(work);
        if (key) bindings.queue.add(key);
      }
    },
    async stop() {
      reportSoon.cancelAll();
      await Promise.all([bindings.stop(), reports.stop()]);
    },
  };
}
