// Keeps the Works of one binding in step with its template, or lets go of them.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { claimOf } from "../../lib/domain/claims.js";
import { BINDING_FINALIZER, CRB_FINALIZER } from "../../lib/domain/marks.js";
import { executionNamespace } from "../../lib/domain/names.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { applyOverrides, OverrideError, type OverrideCandidate } from "../../lib/domain/overrides.js";
import { ownedManifest } from "../../lib/domain/owned-fields.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { KubeError, messageOf } from "../../lib/kube/errors.js";
import { WORKS_BY_BINDING, type AnyBinding } from "../../lib/kube/host.js";
import type { TemplateRef } from "../../lib/kube/templates.js";
import { Absences, removeLeftovers, templateBehind } from "./absence.js";
import { decisionMaker, type Leaving } from "./decisions.js";
import type { LeftPlaces } from "./left-places.js";
import { letGo } from "./let-go.js";
import { idOf, workNameFor } from "./naming.js";
import { placeLeaver, withLeftPlaces } from "./leave-places.js";
import { holdsForUs } from "./plan.js";
import { heldBack, planWork, sameWork, withLastWords, withWordOf } from "./render.js";

/** What one reconciler of bindings knows beside the stores. */
export interface BindingContext {
  /** The template behind a binding's name, also when the binding itself is gone. */
  templateOf(bindingKey: string): TemplateRef | undefined;
  /** How a Terminating template looked when that was first seen. */
  leaving(template: KubeObject): Leaving;
  /** The override policies that count for a template. */
  overridesFor(template: KubeObject): OverrideCandidate[];
  /** What could not be rendered, for the status: cluster -> why. */
  failed(bindingKey: string, failures: ReadonlyMap<string, string>): void;
  /** The Works of this generation of the binding are written. */
  rendered(binding: AnyBinding): void;
  /** Clusters that bindings have dropped, and whose copies may have no order yet. */
  readonly leftPlaces: Pick<LeftPlaces, "of" | "ordered">;
  /** A Work got new content: its next report is worth waiting for. */
  sent(work: Work): void;
}

/** Level-triggered and safe to replay. The key is `namespace/name` of a ResourceBinding or `name` of a cluster-wide one. */
export function bindingReconciler(deps: Dependencies, context: BindingContext): Reconciler {
  const { host, events, metrics } = deps;
  const decisions = decisionMaker(deps);
  const farewell = letGo(deps, decisions);
  const leavePlaces = placeLeaver({ host, decisions, farewell, leftPlaces: context.leftPlaces });
  const absences = new Absences(host);

  return async function reconcileBinding(key, signal): Promise<Result> {
    const binding = host.bindingAt(key);
    const works = host.works.store.byIndex(WORKS_BY_BINDING, idOf(key));
    const ref = templateOf(key, binding, works);
    if (!ref) return {};
    const collection = host.templates.ensure(ref.apiVersion, ref.kind);
    // The host does not serve the kind at the moment: that says nothing about the template.
    if (!collection) return { requeueAfterMs: 30_000 };
    await collection.whenSynced(signal);
    const template = collection.find(ref);

    if (template && isLeaving(template))
      return leave(template, withLeftPlaces(binding, works, context.leftPlaces.of(key)), works);
    if (!binding) return template ? {} : leftovers(ref, works);
    if (!template || !isOf(binding, template)) return goneOrReplaced(binding, template, works);
    return isLeaving(binding) ? endUnordered(binding, template, works) : render(key, binding, template, works);
  };

  /** Nobody ordered this: nothing happens in the members, and propagation makes the binding again. */
  async function endUnordered(binding: AnyBinding, template: KubeObject, works: readonly Work[]): Promise<Result> {
    const last = withLastWords(works, await decisions.now(template, binding, works));
    await Promise.all(last.map(work => host.works.replace(work)));
    return dropFinalizer(binding);
  }

  async function leave(template: KubeObject, binding: AnyBinding | undefined, works: readonly Work[]): Promise<Result> {
    // Somebody may have taken our finalizer off: what the template said is there to be read all the same.
    const isOurs = holdsForUs(template) || (binding !== undefined && isOf(binding, template));
    if (isOurs) await farewell.template(template, binding, works, context.leaving(template));
    return {};
  }

  async function leftovers(ref: TemplateRef, works: readonly Work[]): Promise<Result> {
    const waits = await removeLeftovers(host, absences, ref, works);
    return waits ? { requeueAfterMs: 1_000 } : {};
  }

  function templateOf(key: string, binding: AnyBinding | undefined, works: readonly Work[]): TemplateRef | undefined {
    return binding?.spec.resource ?? context.templateOf(key) ?? templateBehind(works);
  }

  async function goneOrReplaced(
    binding: AnyBinding,
    template: KubeObject | undefined,
    works: readonly Work[],
  ): Promise<Result> {
    const { uid } = binding.spec.resource;
    // Made again under its name: propagation hands binding and Works over to the new one.
    if (template && !binding.metadata.deletionTimestamp) return {};
    if (!uid || !(await absences.isCertain(binding.spec.resource, uid))) return { requeueAfterMs: 1_000 };
    if (template) await dropFinalizer(binding);
    else await farewell.absent(binding, works);
    return {};
  }

  async function render(
    key: string,
    binding: AnyBinding,
    template: KubeObject,
    works: readonly Work[],
  ): Promise<Result> {
    const done = metrics.bindingSyncSeconds.startTimer();
    const targets = binding.spec.clusters ?? [];
    const wanted = new Set(targets.map(({ name }) => executionNamespace(name)));
    const orphans = works.filter(work => !wanted.has(work.metadata.namespace ?? ""));
    const frozen = isFrozen(binding);
    const manifest = ownedManifest(template);
    const overrides = context.overridesFor(template);
    const failures = new Map<string, string>();

    const outcomes = await Promise.allSettled([
      ...targets.map(({ name }) => sync(name)),
      leavePlaces({ key, binding, template, works, orphans }),
    ]);
    context.failed(key, failures);
    const failure = outcomes.find(outcome => outcome.status === "rejected");
    done({ result: failure ? "error" : "success" });
    if (failure) throw failure.reason;
    context.rendered(binding);
    return {};

    async function sync(clusterName: string): Promise<void> {
      const cluster = host.clusters.get(clusterName);
      const existing = works.find(work => work.metadata.namespace === executionNamespace(clusterName));
      if (!cluster || isLeaving(cluster) || isLeaving(existing)) return;
      if (existing && frozen) return write(withWordOf(binding, existing, clusterName), existing);
      try {
        const rendered = applyOverrides({ manifest, cluster, policies: overrides });
        const name = workNameIn(clusterName, existing);
        const wanted = planWork({ binding, template, cluster: clusterName, name, rendered, existing });
        await write(frozen ? heldBack(wanted) : wanted, existing);
      } catch (error) {
        if (!failed(error, clusterName)) throw error;
      }
    }

    function workNameIn(clusterName: string, existing: Work | undefined): string {
      return existing?.metadata.name ?? workNameFor(host, binding, clusterName);
    }

    /** What trying again cannot help is told on the template and in the status; the other clusters go on. */
    function failed(error: unknown, clusterName: string): boolean {
      const tooLarge = error instanceof KubeError && (error.status === 413 || /too large/i.test(error.message));
      if (!(error instanceof OverrideError) && !tooLarge) return false;
      failures.set(clusterName, messageOf(error));
      const reason = tooLarge ? "SyncFailed" : "ApplyOverridePolicyFailed";
      events.warning(template, reason, `${clusterName}: ${messageOf(error)}`);
      return true;
    }
  }

  async function write(wanted: Work, existing: Work | undefined): Promise<void> {
    if (!existing) context.sent(await host.works.create(wanted));
    else if (!sameWork(wanted, existing)) {
      const written = await host.works.replace(wanted);
      if (!sameJson(wanted.spec.workload, existing.spec.workload)) context.sent(written);
    }
  }

  /** Without a policy, or with one that leaves, everything is frozen. */
  function isFrozen(binding: AnyBinding): boolean {
    const claim = claimOf(binding);
    if (!claim) return true;
    const policy = host.policyOf(claim);
    return !policy || isLeaving(policy);
  }

  async function dropFinalizer(binding: AnyBinding): Promise<Result> {
    await host
      .bindingsLike(binding)
      .removeFinalizer(binding, binding.metadata.namespace ? BINDING_FINALIZER : CRB_FINALIZER);
    return {};
  }
}

const isLeaving = (object: KubeObject | undefined): boolean => object?.metadata.deletionTimestamp !== undefined;

/** True when the binding is about this very object, not about one that bore its name. */
function isOf(binding: AnyBinding, template: KubeObject): boolean {
  const { uid } = binding.spec.resource;
  return uid === undefined || uid === template.metadata.uid;
}
