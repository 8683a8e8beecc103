// Lets go of the copies of a template that leaves, or of a place that it leaves: first the order, then the Works.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { BINDING_FINALIZER, CRB_FINALIZER, LET_GO_FINALIZER, ORDER_ANNOTATION } from "../../lib/domain/marks.js";
import { clusterOf, executionNamespace } from "../../lib/domain/names.js";
import { keepsAll } from "../../lib/domain/work-word.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { isConflict } from "../../lib/kube/errors.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { templateRefOf } from "../../lib/kube/templates.js";
import type { DecisionMaker, Leaving } from "./decisions.js";
import { gapWork, lostBinding } from "./gap.js";
import { workNameFor } from "./naming.js";
import { isOrdered, withOrder, worksToOrder, type Decisions } from "./plan.js";

/** The farewell of one template or one place. */
export interface LetGo {
  /** A Terminating template: decides once, orders, and drops our finalizer. Members need not be reachable for it. */
  template(template: KubeObject, binding: AnyBinding | undefined, works: readonly Work[], seen: Leaving): Promise<void>;
  /** A template that is certainly gone without having waited for us. */
  absent(binding: AnyBinding, works: readonly Work[]): Promise<void>;
  /** Works for places where there should be one and is none: they carry the order there. */
  fill(binding: AnyBinding, clusters: readonly string[]): Promise<Work[]>;
  /** Works in places where the template no longer goes. */
  places(template: KubeObject, works: readonly Work[], decisions: Decisions): Promise<void>;
}

/** Every write here is replayable: what is ordered stays ordered, what is gone is done. */
export function letGo({ host, log, events }: Dependencies, decisions: DecisionMaker): LetGo {
  /**
   * Orders and deletes Works. An order is written only where the Work does not say the same already, and into one that
   * somebody else deleted: it may be about to go without an order, and this write tells which came first. It is deleted
   * only as it was when it said so: another leader, on its way out, may have written another word into it since.
   */
  async function order(works: readonly Work[], decided: Decisions, explicit: boolean): Promise<void> {
    await Promise.all(
      works.map(async work => {
        const mustSay = explicit || (work.metadata.deletionTimestamp !== undefined && !isOrdered(work));
        const ordered = withOrder(work, decided(clusterOf(work)), mustSay);
        await remove(ordered === work ? work : await host.works.replace(ordered));
      }),
    );
  }

  async function remove(work: Work): Promise<void> {
    const { deletionTimestamp, resourceVersion } = work.metadata;
    if (deletionTimestamp) return;
    try {
      await host.works.delete(work, { resourceVersion });
    } catch (error) {
      const live = isConflict(error) ? await host.works.client.find(work.metadata) : undefined;
      // A report moves it as well, and changes no word.
      if (!live || !saysTheSame(live, work)) throw error;
      await host.works.delete(work, { resourceVersion: live.metadata.resourceVersion });
    }
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

  async function gapsOf(
    template: KubeObject,
    binding: AnyBinding | undefined,
    works: readonly Work[],
  ): Promise<Work[]> {
    if (binding) return fillGaps(binding, template, works);
    return !host.decided.has(template.metadata.uid ?? "") ? fillGaps(lostBinding(host, template), template, works) : [];
  }

  async function deleteBinding(binding: AnyBinding): Promise<void> {
    if (!binding.metadata.deletionTimestamp) await host.bindingsLike(binding).delete(binding);
  }

  async function releaseBinding(binding: AnyBinding): Promise<void> {
    const collection = host.bindingsLike(binding);
    const left = collection.find(binding.metadata);
    if (!left || left.metadata.uid !== binding.metadata.uid) return;
    await collection.removeFinalizer(left, left.metadata.namespace ? BINDING_FINALIZER : CRB_FINALIZER);
  }

  /** One Event for all copies: whoever let go wants to read that they stay, and where (design, "events"). */
  function tell(template: KubeObject, works: readonly Work[], decided: Decisions): void {
    const kept = works.map(clusterOf).filter(cluster => keepsAll(decided(cluster).order));
    const [first] = kept.sort();
    if (first === undefined) return;
    const note = `stays in ${kept.join(", ")}, free of every mark; decided by: ${decided(first).source}`;
    events.normal(template, "ResourcesPreserved", note);
  }

  return {
    async template(template, binding, works, seen) {
      const decided = await decisions.leaving(binding, works, seen);
      const { uid = "", namespace, name } = template.metadata;
      const gaps = await gapsOf(template, binding, works);
      await order([...worksToOrder(works, uid, keptIn(binding, decided)), ...gaps], decided, false);
      host.decided.add(uid);
      if (binding) await deleteBinding(binding);
      const ref = templateRefOf(template);
      const collection = host.templates.of(ref.apiVersion, ref.kind);
      await collection?.removeFinalizer(template, LET_GO_FINALIZER);
      // Last: by the binding, a process that starts here knows that the template waits.
      if (binding) await releaseBinding(binding);
      tell(template, binding ? [...works, ...gaps] : works, decided);
      const orders = summaryOf([...works, ...gaps], decided);
      log.info("let go", { kind: template.kind, namespace, name, ...orders });
    },

    async absent(binding, works) {
      const decided = await decisions.absent(binding, works);
      const { kind, namespace, name, uid } = binding.spec.resource;
      const isOrderedAlready = host.decided.has(uid ?? "");
      const gaps = isOrderedAlready ? [] : await fillGaps(binding, undefined, works);
      const open = works.filter(work => !isOrdered(work));
      await order([...worksToOrder(open, uid, keptIn(binding, decided)), ...gaps], decided, false);
      host.decided.add(uid ?? "");
      // What was ordered before the template went stands.
      await Promise.all(works.filter(isOrdered).map(remove));
      await deleteBinding(binding);
      await releaseBinding(binding);
      log.info("let go of an absent template", { kind, namespace, name, ...summaryOf([...open, ...gaps], decided) });
    },

    fill: (binding, clusters) => {
      const spec = { ...binding.spec, clusters: clusters.map(name => ({ name })) };
      return fillGaps({ ...binding, spec } as AnyBinding, undefined, []);
    },

    async places(template, works, decided) {
      await order(works, decided, true);
      tell(template, works, decided);
    },
  };
}

/** The same Work, with the same word and order, and not yet on its way. */
function saysTheSame(live: Work, work: Work): boolean {
  const sayOf = ({ metadata: { uid, deletionTimestamp, annotations }, spec }: Work) => ({
    uid,
    deletionTimestamp,
    order: annotations?.[ORDER_ANNOTATION],
    spec,
  });
  return sameJson(sayOf(live), sayOf(work));
}

/** The execution namespaces of the places that the template wanted and where its copy is to stay. */
function keptIn(binding: AnyBinding | undefined, decided: Decisions): string[] {
  const kept = (binding?.spec.clusters ?? []).filter(({ name }) => keepsAll(decided(name).order));
  return kept.map(({ name }) => executionNamespace(name));
}

/** For the log: cluster -> order, and what decided. */
function summaryOf(works: readonly Work[], decided: Decisions) {
  const clusters = [...new Set(works.map(clusterOf))].sort();
  const sources = new Set(clusters.map(cluster => decided(cluster).source));
  return { orders: clusters.map(c => `${c}: ${decided(c).order}`).join(", "), source: [...sources].join("; ") };
}
