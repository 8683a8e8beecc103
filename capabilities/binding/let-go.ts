// Lets go of the copies of a template that leaves, or of a place that it leaves: first the order, then the Works.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { claimOf } from "../../lib/domain/claims.js";
import { BINDING_FINALIZER, CRB_FINALIZER, LET_GO_FINALIZER } from "../../lib/domain/marks.js";
import { clusterOfExecutionNamespace, executionNamespace } from "../../lib/domain/names.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import type { Collection } from "../../lib/kube/collection.js";
import { templateRefOf } from "../../lib/kube/templates.js";
import {
  decide,
  isOrdered,
  mayBeWrittenSinceDeletion,
  recordedPreserve,
  wasOrphaned,
  withOrder,
  worksToOrder,
  type Decision,
  type PolicyReading,
} from "./plan.js";
import type { PolicyReader } from "./policy-at.js";
import { wasOrphanDeletion } from "./deletion-history.js";
import { gapWork } from "./gap.js";
import { workNameFor } from "./naming.js";

/** How a template looked when its deletion was first seen. */
export interface Leaving {
  /** Revision at which deletionTimestamp appeared, as far as we saw. */
  readonly revision: string;
  readonly orphaned: boolean;
  /** We saw the deletion happen. Otherwise somebody may have written to the template since, and the revision is late. */
  readonly witnessed: boolean;
}

/** The farewell of one template or one place. */
export interface LetGo {
  /** A Terminating template: decides once, orders, and drops our finalizer. Members need not be reachable for it. */
  template(template: KubeObject, binding: AnyBinding | undefined, works: readonly Work[], seen: Leaving): Promise<void>;
  /** A template that is certainly gone without having waited for us. */
  absent(binding: AnyBinding, works: readonly Work[]): Promise<void>;
  /** Works in places where the template no longer goes. */
  places(works: readonly Work[], decision: Decision): Promise<void>;
}

const REMEMBERED = 10_000;

/** Every write here is replayable: what is ordered stays ordered, what is gone is done. */
export function letGo({ host, log, events }: Dependencies, policies: PolicyReader): LetGo {
  // Templates whose Works all have their order: one that is gone since needs none again.
  const ordered = new Set<string>();

  async function decideFor(
    template: KubeObject,
    binding: AnyBinding | undefined,
    works: readonly Work[],
    seen: Leaving,
  ): Promise<Decision> {
    const orphaned = seen.orphaned || wasOrphaned(template, binding) || (await orphanedUnseen(template, seen));
    const claim = claimOf(template);
    const policy = claim && !orphaned ? await policies.at(claim, seen.revision) : undefined;
    const certain = policy && !seen.witnessed ? await doubted(policy, template) : policy;
    return decide({ orphaned, policy: certain, recorded: recordedPreserve(binding, works) });
  }

  /** Nobody was there: the collector has done its part, and may not even have known the binding's kind to orphan it. */
  async function orphanedUnseen(template: KubeObject, { witnessed }: Leaving): Promise<boolean> {
    const collection = host.templates.of(template.apiVersion, template.kind);
    if (witnessed || !collection) return false;
    return (await wasOrphanDeletion(collection.client, template)) ?? false;
  }

  /** A policy that was edited after the deletion counts only as of the deletion's own revision. */
  async function doubted(policy: PolicyReading, template: KubeObject): Promise<PolicyReading> {
    if (!policy.exact || !policy.past) return policy;
    const { apiVersion, kind } = template;
    const live = await host.templates.of(apiVersion, kind)?.client.find(template.metadata);
    if (live && !mayBeWrittenSinceDeletion(live)) return policy;
    return { exact: false, found: policy.found, preserve: policy.preserve, edited: true };
  }

  /** Nobody saw it go: the binding has the last word, unless its policy has come to say keep and it had not heard. */
  async function decideForAbsent(binding: AnyBinding, works: readonly Work[]): Promise<Decision> {
    const claim = claimOf(binding);
    const now = claim && (await policies.now(claim));
    const policy = now && { exact: false as const, found: now.found, preserve: now.preserve };
    return decide({ orphaned: false, policy, recorded: recordedPreserve(binding, works) });
  }

  /** Orders and deletes Works. An order is written only where the Work does not say the same already. */
  async function order(works: readonly Work[], decision: Decision, explicit: boolean): Promise<void> {
    await Promise.all(
      works.map(async work => {
        const ordered = withOrder(work, decision, explicit);
        await remove(ordered === work ? work : await host.works.replace(ordered));
      }),
    );
  }

  function keptIn(binding: AnyBinding | undefined, decision: Decision): string[] {
    if (decision.order !== "keep") return [];
    return (binding?.spec.clusters ?? []).map(({ name }) => executionNamespace(name));
  }

  async function remove(work: Work): Promise<void> {
    if (!work.metadata.deletionTimestamp) await host.works.delete(work);
  }

  /**
   * Places that the binding lists but that have no Work, because it was not made yet or was removed by hand a moment ago:
   * something may be in the member all the same, so the order goes there too.
   */
  async function fillGaps(
    binding: AnyBinding,
    template: KubeObject | undefined,
    works: readonly Work[],
  ): Promise<Work[]> {
    const covered = new Set(works.map(work => work.metadata.namespace));
    const missing = (binding.spec.clusters ?? []).filter(({ name }) => !covered.has(executionNamespace(name)));
    const known = missing.filter(({ name }) => host.clusters.get(name));
    const uid = template?.metadata.uid ?? binding.spec.resource.uid ?? "";
    return Promise.all(
      known.map(({ name }) => host.works.create(gapWork(binding, uid, name, workNameFor(host, binding, name)))),
    );
  }

  function collectionOf({ metadata }: AnyBinding): Collection<AnyBinding> {
    return (metadata.namespace ? host.bindings : host.clusterBindings) as unknown as Collection<AnyBinding>;
  }

  async function deleteBinding(binding: AnyBinding): Promise<void> {
    if (!binding.metadata.deletionTimestamp) await collectionOf(binding).delete(binding);
  }

  async function releaseBinding(binding: AnyBinding): Promise<void> {
    const collection = collectionOf(binding);
    const left = collection.find(binding.metadata);
    if (!left || left.metadata.uid !== binding.metadata.uid) return;
    await collection.removeFinalizer(left, left.metadata.namespace ? BINDING_FINALIZER : CRB_FINALIZER);
  }

  function remember(templateUid: string): void {
    if (ordered.size >= REMEMBERED) ordered.clear();
    ordered.add(templateUid);
  }

  /** One Event for all copies: whoever let go wants to read that they stay, and where (design, "events"). */
  function tell(template: KubeObject, works: readonly Work[], { order, source }: Decision): void {
    if (order !== "keep" || works.length === 0) return;
    const clusters = works.map(work => clusterOfExecutionNamespace(work.metadata.namespace ?? "")).sort();
    const note = `stays in ${clusters.join(", ")}, free of every mark; decided by: ${source}`;
    events.normal(template, "ResourcesPreserved", note);
  }

  return {
    async template(template, binding, works, seen) {
      const decision = await decideFor(template, binding, works, seen);
      const gaps = binding ? await fillGaps(binding, template, works) : [];
      const { uid } = template.metadata;
      await order([...worksToOrder(works, uid, keptIn(binding, decision)), ...gaps], decision, false);
      remember(template.metadata.uid ?? "");
      if (binding) await deleteBinding(binding);
      const ref = templateRefOf(template);
      const collection = host.templates.of(ref.apiVersion, ref.kind);
      await collection?.removeFinalizer(template, LET_GO_FINALIZER);
      // Last: by the binding, a process that starts here knows that the template waits.
      if (binding) await releaseBinding(binding);
      tell(template, [...works, ...gaps], decision);
      const { namespace, name } = template.metadata;
      log.info("let go", { kind: template.kind, namespace, name, ...decision, works: works.length + gaps.length });
    },

    async absent(binding, works) {
      const decision = await decideForAbsent(binding, works);
      const isOrderedAlready = ordered.has(binding.spec.resource.uid ?? "");
      const gaps = isOrderedAlready ? [] : await fillGaps(binding, undefined, works);
      const { uid } = binding.spec.resource;
      const open = works.filter(work => !isOrdered(work));
      await order([...worksToOrder(open, uid, keptIn(binding, decision)), ...gaps], decision, false);
      // What was ordered before the template went stands.
      await Promise.all(works.filter(isOrdered).map(remove));
      await deleteBinding(binding);
      await releaseBinding(binding);
      const { kind, namespace, name } = binding.spec.resource;
      log.info("let go of an absent template", { kind, namespace, name, ...decision });
    },

    places: (works, decision) => order(works, decision, true),
  };
}
