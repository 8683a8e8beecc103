// Lets go of the copies of a template that leaves, or of a place that it leaves: first the order, then the Works.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { claimOf } from "../../lib/domain/claims.js";
import {
  BINDING_FINALIZER,
  CRB_FINALIZER,
  LET_GO_FINALIZER,
  TEMPLATE_UID_ANNOTATION,
  WORK_FINALIZER,
  WORK_ID_LABEL,
} from "../../lib/domain/marks.js";
import { executionNamespace, workPermanentId } from "../../lib/domain/names.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import type { Collection } from "../../lib/kube/collection.js";
import { templateRefOf } from "../../lib/kube/templates.js";
import { decide, recordedPreserve, wasOrphaned, withOrder, type Decision } from "./plan.js";
import type { PolicyReader } from "./policy-at.js";
import { workNameFor } from "./naming.js";
import { bindingLabel } from "./render.js";

/** How a template looked when its deletion was first seen. */
export interface Leaving {
  /** Revision at which deletionTimestamp appeared, as far as we saw. */
  readonly revision: string;
  readonly orphaned: boolean;
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

/** Every write here is replayable: what is ordered stays ordered, what is gone is done. */
export function letGo({ host, log }: Dependencies, policies: PolicyReader): LetGo {
  async function decideFor(
    template: KubeObject,
    binding: AnyBinding | undefined,
    works: readonly Work[],
    seen: Leaving,
  ): Promise<Decision> {
    const orphaned = seen.orphaned || wasOrphaned(template, binding);
    const claim = claimOf(template);
    const policy = claim && !orphaned ? await policies.at(claim, seen.revision) : undefined;
    return decide({ orphaned, policy, recorded: recordedPreserve(binding, works) });
  }

  /** Orders and deletes Works. An order is written only where the Work does not say the same already. */
  async function order(works: readonly Work[], decision: Decision, explicit: boolean): Promise<void> {
    await Promise.all(
      works.map(async work => {
        const ordered = withOrder(work, decision, explicit);
        const current = ordered === work ? work : await host.works.replace(ordered);
        if (!current.metadata.deletionTimestamp) await host.works.delete(current);
      }),
    );
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

  async function removeBinding(binding: AnyBinding): Promise<void> {
    const collection = (binding.metadata.namespace
      ? host.bindings
      : host.clusterBindings) as unknown as Collection<AnyBinding>;
    if (!binding.metadata.deletionTimestamp) await collection.delete(binding);
    const left = collection.find(binding.metadata);
    if (!left || left.metadata.uid !== binding.metadata.uid) return;
    await collection.removeFinalizer(left, left.metadata.namespace ? BINDING_FINALIZER : CRB_FINALIZER);
  }

  return {
    async template(template, binding, works, seen) {
      const decision = await decideFor(template, binding, works, seen);
      const gaps = binding ? await fillGaps(binding, template, works) : [];
      await order([...works, ...gaps], decision, false);
      if (binding) await removeBinding(binding);
      const ref = templateRefOf(template);
      const collection = host.templates.of(ref.apiVersion, ref.kind);
      await collection?.removeFinalizer(template, LET_GO_FINALIZER);
      const { namespace, name } = template.metadata;
      log.info("let go", { kind: template.kind, namespace, name, ...decision, works: works.length + gaps.length });
    },

    async absent(binding, works) {
      const decision = decide({ orphaned: false, policy: undefined, recorded: recordedPreserve(binding, works) });
      const gaps = await fillGaps(binding, undefined, works);
      await order([...works, ...gaps], decision, false);
      await removeBinding(binding);
      const { kind, namespace, name } = binding.spec.resource;
      log.info("let go of an absent template", { kind, namespace, name, ...decision });
    },

    places: (works, decision) => order(works, decision, true),
  };
}

/** Held back, so that this bare manifest is never sent: it only names what to let go of. */
function gapWork(binding: AnyBinding, templateUid: string, cluster: string, name: string): Work {
  const namespace = executionNamespace(cluster);
  const { apiVersion, kind, namespace: within, name: of } = binding.spec.resource;
  const manifest = { apiVersion, kind, metadata: { name: of, ...(within ? { namespace: within } : {}) } };
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: {
      name,
      namespace,
      labels: { ...bindingLabel(binding), [WORK_ID_LABEL]: workPermanentId(namespace, name) },
      annotations: { [TEMPLATE_UID_ANNOTATION]: templateUid },
      finalizers: [WORK_FINALIZER],
    },
    spec: {
      workload: { manifests: [manifest] },
      suspendDispatching: true,
      preserveResourcesOnDeletion: binding.spec.preserveResourcesOnDeletion ?? false,
    },
  };
}
