// Gives one template the policy that wins it, and the binding that follows from it.
import type { KubeObject } from "../../crds/object.js";
import { claimBy, claimOf, describeClaim, type Claim } from "../../lib/domain/claims.js";
import { gvkOf } from "../../crds/object.js";
import { isHeld } from "../../lib/domain/hold.js";
import { namedObject } from "../../lib/domain/names.js";
import { choosePolicy, whyUnclaimed, type Candidate } from "../../lib/domain/policy-choice.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { POLICIES_BY_KIND, selectedKind, type AnyBinding, type AnyPolicy } from "../../lib/kube/host.js";
import { lapsesInStores } from "../../lib/kube/lapses.js";
import { lastSelectingReader, preserveSaid } from "../../lib/kube/last-selecting.js";
import { parseTemplateKey, type TemplateRef } from "../../lib/kube/templates.js";
import { declaresFinalizers, planClaim } from "./claim.js";
import { deletionRecord } from "./deletion.js";
import { missingOverrides } from "./dependent-overrides.js";
import type { ClaimsUnderWay } from "./claims-under-way.js";
import { lostBindings } from "./lost-bindings.js";
import { bindingNames } from "./naming.js";
import { clustersOf, rememberedSpec, worksOf } from "./remembered.js";
import { planBinding, planTargets, sameBinding, stayingTargets } from "./plan.js";

const LAST_POLICY = "the last policy of the template";

/**
 * Level-triggered and safe to replay. Writes at most twice: the claim with our finalizer first, so that nothing is ever
 * sent to a member that we could not let go of again; then the binding, already scheduled.
 */
export function propagationReconciler(deps: Dependencies, claims: Pick<ClaimsUnderWay, "during">): Reconciler {
  const { host, events, metrics, ownNamespace } = deps;
  const names = bindingNames(host);
  const lost = lostBindings(host);
  const lastSelecting = lastSelectingReader(host);
  const lapsesOf = lapsesInStores(host);
  return async function reconcileTemplate(key): Promise<Result> {
    const ref = parseTemplateKey(key);
    const template = host.templates.find(ref);
    // What becomes of a template that leaves is the binding's business; its claim stays readable until then.
    if (!template || template.metadata.deletionTimestamp) return {};

    const ended = metrics.matchSeconds.startTimer();
    const current = claimOf(template);
    const choice = choosePolicy(template, candidatesFor(template), current, { ownNamespace });
    const { winner } = choice;
    ended();
    const existing = names.find(template);
    if (!winner) {
      tellHeld(template, whyUnclaimed(choice));
      return release(ref, template, existing, current);
    }
    const claim = claimBy(winner.kind, winner.policy);
    // The webhook gives every policy an id; one made while it was away gets it from the policy's own reconcile.
    if (!claim) return {};
    const missing = missingOverrides(host, winner.policy);
    if (missing.length > 0 && !existing) {
      const note = `waiting for dependent override(s) ${missing.join(", ")} named by ${winner.kind} ${winner.policy.metadata.name}; create them, or remove them from spec.dependentOverrides`;
      events.warning(template, "WaitingForDependentOverrides", note);
      return {};
    }
    await claims.during(claim.id, () => bind(ref, template, existing, { claim, policy: winner.policy }));
    metrics.policyApplies.inc({ result: "success" });
    return {};
  };

  async function bind(
    ref: TemplateRef,
    template: KubeObject,
    existing: AnyBinding | undefined,
    { claim, policy }: { claim: Claim; policy: AnyPolicy },
  ): Promise<void> {
    const collection = host.templates.of(ref.apiVersion, ref.kind);
    const patch = planClaim(template, claim, mayHold(template));
    if (patch) await collection?.mergePatch(ref, patch);

    const clusters = [...host.clusters.store.values()];
    // Where it is, it stays, even when somebody has deleted the binding that said so.
    const works = worksOf(host, template, namedObject(template));
    const past = existing ?? lost(template.metadata.uid);
    const current = past?.spec.clusters ?? clustersOf(works);
    const { targets } = planTargets({ template, placement: policy.spec.placement, clusters, current });
    const name = existing?.metadata.name ?? names.free(template);
    const word = { preserve: policy.spec.preserveResourcesOnDeletion, decidedBy: describeClaim(claim) };
    const lapsed = await lapsesOf(template);
    const clusterDeletion = deletionRecord(host, { template, policy: word, targets, existing: past, works, lapsed });
    const wanted = planBinding({ template, claim, policy: policy.spec, targets, clusterDeletion, name, existing });
    await write(wanted, existing);
  }

  /** What is held here and claimed by nobody runs nowhere: whoever wrote the policy meant something else. */
  function tellHeld(template: KubeObject, why: string | undefined): void {
    const space = host.namespaces.get(template.metadata.namespace ?? "");
    if (why && isHeld(template, space)) events.warning(template, "NotATemplate", `held here, and sent nowhere: ${why}`);
  }

  /** No policy any more: the marks go, binding first; what is in the members stays as it is (design 5, 3). */
  async function release(
    ref: TemplateRef,
    template: KubeObject,
    existing: AnyBinding | undefined,
    current: Claim | undefined,
  ): Promise<Result> {
    const known = existing ?? remembered(template);
    if (!current && !known) return {};
    if (known) await write(await frozen(template, known, current), existing);
    const patch = planClaim(template, undefined, known !== undefined && mayHold(template));
    if (patch) await host.templates.of(ref.apiVersion, ref.kind)?.mergePatch(ref, patch);
    return {};
  }

  /** A policy that is being deleted has said its last word: it stands on the binding before the claim goes. */
  async function frozen(template: KubeObject, known: AnyBinding, current: Claim | undefined): Promise<AnyBinding> {
    const last = current && host.policyOf(current);
    const targets = stayingTargets(known.spec.clusters ?? [], [...host.clusters.store.values()]);
    const existing = last ? withLastWord(known, last, await lastSelecting(last, template)) : known;
    const { name } = known.metadata;
    const policy = { preserve: existing.spec.preserveResourcesOnDeletion ?? false, decidedBy: LAST_POLICY };
    const works = worksOf(host, template, namedObject(template));
    const lapsed = await lapsesOf(template);
    const clusterDeletion = deletionRecord(host, { template, policy, targets, existing, works, lapsed });
    return planBinding({ template, claim: undefined, policy: undefined, targets, clusterDeletion, name, existing });
  }

  /** A binding that was deleted by hand after its policy: as this process knew it, else from what its Works say. */
  function remembered(template: KubeObject): AnyBinding | undefined {
    const { apiVersion, kind, metadata } = template;
    const { namespace, name, uid, resourceVersion } = metadata;
    const works = worksOf(host, template, namedObject(template));
    const past = lost(uid)?.spec ?? (works.length > 0 ? rememberedSpec(works) : undefined);
    if (!past) return undefined;
    const spec = { ...past, resource: { apiVersion, kind, namespace, name, uid, resourceVersion } };
    return { metadata: { namespace, name: names.free(template) }, spec } as AnyBinding;
  }

  function mayHold(template: KubeObject): boolean {
    const plural = host.templates.of(template.apiVersion, template.kind)?.resource.plural ?? "";
    return !declaresFinalizers(template, host.crds.get(crdNameOf(template, plural)) !== undefined);
  }

  async function write(wanted: AnyBinding, existing: AnyBinding | undefined): Promise<void> {
    const bindings = host.bindingsLike(wanted);
    if (!existing) await bindings.create(wanted);
    else if (!sameBinding(wanted, existing)) await bindings.replace(wanted);
  }

  function candidatesFor(template: KubeObject): Candidate<AnyPolicy>[] {
    const { apiVersion, kind } = template;
    const { namespace } = template.metadata;
    const own = namespace
      ? host.policies.store.byIndex(POLICIES_BY_KIND, selectedKind(apiVersion, kind, namespace))
      : [];
    const wide = host.clusterPolicies.store.byIndex(POLICIES_BY_KIND, selectedKind(apiVersion, kind, undefined));
    return [
      ...own.map(policy => ({ kind: "PropagationPolicy" as const, policy })),
      ...wide.map(policy => ({ kind: "ClusterPropagationPolicy" as const, policy })),
    ];
  }
}

function crdNameOf(template: KubeObject, plural: string): string {
  return `${plural}.${gvkOf(template).group}`;
}

/**
 * The last word of a policy that leaves, or no longer selects, changes what is decided about the copies, not what they are
 * or where. Where its word from before that cannot be read any more, what is on record stands.
 */
function withLastWord(existing: AnyBinding, policy: AnyPolicy, last: AnyPolicy | undefined): AnyBinding {
  const { suspension } = policy.spec;
  const said = preserveSaid(policy, last) ?? { preserve: existing.spec.preserveResourcesOnDeletion };
  const preserveResourcesOnDeletion = said.preserve;
  return { ...existing, spec: { ...existing.spec, preserveResourcesOnDeletion, suspension } } as AnyBinding;
}
