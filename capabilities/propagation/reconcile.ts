// Gives one template the policy that wins it, and the binding that follows from it.
import type { KubeObject } from "../../crds/object.js";
import { claimBy, claimOf, type Claim } from "../../lib/domain/claims.js";
import { bindingName, nameSuffix } from "../../lib/domain/names.js";
import { gvkOf } from "../../crds/object.js";
import { choosePolicy, type Candidate } from "../../lib/domain/policy-choice.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { POLICIES_BY_KIND, selectedKind, type AnyBinding, type AnyPolicy } from "../../lib/kube/host.js";
import { storeKey } from "../../lib/kube/store.js";
import { parseTemplateKey, type TemplateRef } from "../../lib/kube/templates.js";
import { declaresFinalizers, planClaim } from "./claim.js";
import { planBinding, planTargets, sameBinding, stayingTargets } from "./plan.js";

/**
 * Level-triggered and safe to replay. Writes at most twice: the claim with our finalizer first, so that nothing is ever
 * sent to a member that we could not let go of again; then the binding, already scheduled.
 */
export function propagationReconciler({ host, events, metrics, ownNamespace }: Dependencies): Reconciler {
  return async function reconcileTemplate(key): Promise<Result> {
    const ref = parseTemplateKey(key);
    const template = host.templates.find(ref);
    // What becomes of a template that leaves is the binding's business; its claim stays readable until then.
    if (!template || template.metadata.deletionTimestamp) return {};

    const ended = metrics.matchSeconds.startTimer();
    const current = claimOf(template);
    const { winner } = choosePolicy(template, candidatesFor(template), current, { ownNamespace });
    ended();
    const existing = findBinding(template);
    if (!winner) return release(ref, template, existing, current);
    const claim = claimBy(winner.kind, winner.policy);
    // The webhook gives every policy an id; one made while it was away gets it from the policy's own reconcile.
    if (!claim) return {};
    const missing = missingOverrides(winner);
    if (missing.length > 0 && !existing) {
      const note = `waiting for dependent override(s) ${missing.join(", ")} named by ${winner.kind} ${winner.policy.metadata.name}; create them, or remove them from spec.dependentOverrides`;
      events.warning(template, "WaitingForDependentOverrides", note);
      return {};
    }
    await bind(ref, template, existing, { claim, policy: winner.policy });
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
    const custom = host.crds.get(crdNameOf(template, collection?.resource.plural ?? "")) !== undefined;
    const patch = planClaim(template, claim, !declaresFinalizers(template, custom));
    if (patch) await collection?.mergePatch(ref, patch);

    const clusters = [...host.clusters.store.values()];
    const current = existing?.spec.clusters ?? [];
    const { targets } = planTargets({ template, placement: policy.spec.placement, clusters, current });
    const name = existing?.metadata.name ?? freeName(template);
    await write(planBinding({ template, claim, policy: policy.spec, targets, name, existing }), existing);
  }

  /** No policy any more: the marks go, binding first; what is in the members stays as it is (design 5, 3). */
  async function release(
    ref: TemplateRef,
    template: KubeObject,
    existing: AnyBinding | undefined,
    current: Claim | undefined,
  ): Promise<Result> {
    if (!current && !existing) return {};
    if (existing) {
      const { name } = existing.metadata;
      // A policy that is being deleted has said its last word: it stands on the binding before the claim goes.
      const last = current && leavingPolicy(current);
      const clusters = [...host.clusters.store.values()];
      const targets = stayingTargets(existing.spec.clusters ?? [], clusters);
      const spoken = last ? withLastWord(existing, last) : existing;
      await write(
        planBinding({ template, claim: undefined, policy: undefined, targets, name, existing: spoken }),
        existing,
      );
    }
    const patch = planClaim(template, undefined, existing !== undefined);
    if (patch) await host.templates.of(ref.apiVersion, ref.kind)?.mergePatch(ref, patch);
    return {};
  }

  async function write(wanted: AnyBinding, existing: AnyBinding | undefined): Promise<void> {
    const bindings = wanted.metadata.namespace ? host.bindings : host.clusterBindings;
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

  function leavingPolicy(claim: Claim): AnyPolicy | undefined {
    const policy =
      claim.kind === "PropagationPolicy"
        ? host.policies.find({ namespace: claim.namespace, name: claim.name })
        : host.clusterPolicies.get(claim.name);
    return policy && claimBy(claim.kind, policy)?.id === claim.id ? policy : undefined;
  }

  function missingOverrides({ kind, policy }: Candidate<AnyPolicy>): string[] {
    const names = policy.spec.dependentOverrides ?? [];
    const { namespace } = policy.metadata;
    return names.filter(name =>
      kind === "PropagationPolicy" ? !host.overrides.find({ namespace, name }) : !host.clusterOverrides.get(name),
    );
  }

  /** The template's binding under its plain name or, where two kinds share it, under the name with a suffix (design 7). */
  function findBinding(template: KubeObject): AnyBinding | undefined {
    const named = namedObject(template);
    const candidates = [bindingName(named), bindingName(named, { suffix: true })];
    return candidates.map(name => bindingAt(template, name)).find(b => b && isFor(b, template));
  }

  function freeName(template: KubeObject): string {
    const named = namedObject(template);
    const plain = bindingName(named);
    const taken = bindingAt(template, plain);
    return !taken || isFor(taken, template) ? plain : bindingName(named, { suffix: true });
  }

  function bindingAt(template: KubeObject, name: string): AnyBinding | undefined {
    const { namespace } = template.metadata;
    return (namespace ? host.bindings : host.clusterBindings).get(storeKey({ namespace, name }));
  }
}

/** True when the binding is about the object of this group, kind and name; of whichever incarnation. */
function isFor(binding: AnyBinding, template: KubeObject): boolean {
  const { resource } = binding.spec;
  return (
    resource.kind === template.kind &&
    resource.name === template.metadata.name &&
    gvkOf(resource).group === gvkOf(template).group
  );
}

function namedObject(template: KubeObject): Parameters<typeof nameSuffix>[0] {
  const { group, kind } = gvkOf(template);
  const { namespace, name } = template.metadata;
  return { group, kind, namespace, name };
}

function crdNameOf(template: KubeObject, plural: string): string {
  return `${plural}.${gvkOf(template).group}`;
}

/** The last word of a leaving policy changes what is decided about the copies, not what they are or where. */
function withLastWord(existing: AnyBinding, { spec }: AnyPolicy): AnyBinding {
  const { preserveResourcesOnDeletion, suspension } = spec;
  return { ...existing, spec: { ...existing.spec, preserveResourcesOnDeletion, suspension } } as AnyBinding;
}
