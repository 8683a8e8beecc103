// Reports what the members say: into the binding, and where nobody else does, into the template.
import type { AggregatedStatusItem, ResourceBindingStatus } from "../../crds/binding-status.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { clusterOf } from "../../lib/domain/names.js";
import { withoutAlarms } from "../../lib/domain/hold.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { aggregateStatus } from "../../lib/domain/status/index.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { WORKS_BY_BINDING } from "../../lib/kube/host.js";
import type { Expectations } from "./expectations.js";
import { idOf } from "./naming.js";
import { planBindingStatus } from "./status-plan.js";

/** What the reporter knows beside the stores. */
export interface StatusContext {
  /** cluster -> why its manifest could not be rendered. */
  readonly failuresOf: (bindingKey: string) => ReadonlyMap<string, string>;
  readonly expected: Expectations;
}

/** Writes at most the binding's status and the template's, each only when it changed. */
export function bindingStatusReconciler(deps: Dependencies, { failuresOf, expected }: StatusContext): Reconciler {
  const { host, members, events } = deps;
  return async function reportBinding(key): Promise<Result> {
    const binding = host.bindingAt(key);
    if (!binding || binding.metadata.deletionTimestamp) return {};
    const bindings = host.bindingsLike(binding);
    const { resource } = binding.spec;
    const template = host.templates.find(resource);
    const works = host.works.store.byIndex(WORKS_BY_BINDING, idOf(key));
    const waitMs = expected.renderMs(binding) || expected.waitMs(works.filter(isExpected));
    if (waitMs > 0) return { requeueAfterMs: waitMs };
    const clusters = [...host.clusters.store.values()];
    const status = planBindingStatus({ binding, template, works, clusters, failures: failuresOf(key) });
    if (!sameJson(status, binding.status)) await bindings.patchStatus(binding.metadata, status);
    if (!template || template.metadata.uid !== resource.uid) return {};
    tellFailures(template, status);
    await reportTemplate(template, status.aggregatedStatus ?? []);
    return {};
  };

  /** A cluster that is not ready says nothing: the others are not kept waiting for it. */
  function isExpected(work: Work): boolean {
    return members.get(clusterOf(work))?.ready === true;
  }

  /** People look at the object they applied: each member's own words go there. The binding says them in conditions. */
  function tellFailures(template: KubeObject, status: ResourceBindingStatus): void {
    const scheduled = status.conditions?.find(c => c.type === "Scheduled");
    if (scheduled?.status === "False") events.warning(template, "ScheduleBindingFailed", scheduled.message);
    for (const { clusterName, applied, appliedMessage } of status.aggregatedStatus ?? []) {
      if (!applied && appliedMessage) events.warning(template, "SyncFailed", `${clusterName}: ${appliedMessage}`);
    }
  }

  async function reportTemplate(template: KubeObject, items: readonly AggregatedStatusItem[]): Promise<void> {
    if (!deps.writesStatusOf(template) || template.metadata.deletionTimestamp) return;
    const collection = host.templates.of(template.apiVersion, template.kind);
    if (!collection || !hasStatus(template)) return;
    const status = aggregateStatus({
      template,
      items: items.map(item => ({
        ...item,
        status: withoutAlarms(template, item.status),
        applied: item.applied ?? false,
      })),
    });
    if (status === undefined) return;
    // Whole and guarded: a merge patch would leave behind what the members no longer say.
    await collection.replaceStatus({ ...template, status });
  }

  function hasStatus(template: KubeObject): boolean {
    return host.discovery.find(template.apiVersion, template.kind)?.subresources.includes("status") ?? false;
  }
}
