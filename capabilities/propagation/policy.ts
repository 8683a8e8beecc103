// Looks after one policy: its finalizer, the kinds it needs watched, and what it tells about itself.
import type { ConditionStatement } from "../../lib/engine/conditions.js";
import { withConditions } from "../../lib/engine/conditions.js";
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { CPP_FINALIZER, CPP_ID_LABEL, PP_FINALIZER, PP_ID_LABEL } from "../../lib/domain/marks.js";
import { sameJson } from "../../lib/domain/json-value.js";
import type { Candidate, PolicyKind } from "../../lib/domain/policy-choice.js";
import { bestSelectorMatch } from "../../lib/domain/resource-selector.js";
import { whyNeverTemplate } from "../../lib/domain/never-template.js";
import { BINDINGS_BY_CLAIM, POLICIES_BY_ID, type AnyBinding, type AnyPolicy } from "../../lib/kube/host.js";
import { templateKey, templateRefOf } from "../../lib/kube/templates.js";
import { randomUUID } from "node:crypto";
import { appliedCondition } from "./applied-condition.js";
import { missingOverrides } from "./dependent-overrides.js";
import type { Standings } from "./standings.js";

/** A policy's key for queues. */
export function policyKey(kind: PolicyKind, metadata: { readonly namespace?: string; readonly name: string }): string {
  return [kind, metadata.namespace ?? "", metadata.name].join("|");
}

/** What a policy's key says. */
export function parsePolicyKey(key: string): {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
} {
  const [kind = "", namespace, name = ""] = key.split("|");
  return { kind, name, ...(namespace ? { namespace } : {}) };
}

/** The policies that bear a permanent id, of either kind. */
export function policiesWithId(
  { policies, clusterPolicies }: Pick<Dependencies["host"], "policies" | "clusterPolicies">,
  id: string,
): Candidate<AnyPolicy>[] {
  const own = policies.store.byIndex(POLICIES_BY_ID, id);
  const wide = clusterPolicies.store.byIndex(POLICIES_BY_ID, id);
  return [
    ...own.map(policy => ({ kind: "PropagationPolicy" as const, policy })),
    ...wide.map(policy => ({ kind: "ClusterPropagationPolicy" as const, policy })),
  ];
}

const REMEMBERED = 10_000;
/** How soon a policy that leaves looks whether a claim for it has ended; it costs no request. */
const CLAIMING_RETRY_MS = 200;

/** What reconciling a policy may set off. */
export interface PolicyWakes {
  readonly template: (key: string) => void;
  /** True, once, when something else than the policy changed what it means: a kind or an override that appeared. */
  readonly isForced: (key: string) => boolean;
  /** Counts and conditions may have changed; told often, written seldom. */
  readonly report: (key: string) => void;
  /** A template may be getting the claim of the policy with this id right now. */
  readonly isClaiming: (id: string) => boolean;
}

/** Reads one policy of either kind from its key. */
function policyAt({ host }: Dependencies, key: string) {
  const [kind = "", namespace = "", name = ""] = key.split("|");
  const namespaced = kind === "PropagationPolicy";
  const collection = host.policiesLike({ metadata: { namespace } });
  const policy = collection.find({ namespace, name });
  return {
    kind: kind as PolicyKind,
    policy,
    collection,
    finalizer: namespaced ? PP_FINALIZER : CPP_FINALIZER,
    idLabel: namespaced ? PP_ID_LABEL : CPP_ID_LABEL,
  };
}

/** Keeps a policy's finalizer until nothing depends on its words any more (design 3), and wakes what it selects. */
export function policyReconciler(deps: Dependencies, wakes: PolicyWakes): Reconciler {
  const { host } = deps;
  // uid -> generation whose selection was woken: Pepr's watch tells of our own status writes too.
  const woken = new Map<string, number | undefined>();
  return async function reconcilePolicy(key): Promise<Result> {
    const { policy, collection, finalizer, idLabel } = policyAt(deps, key);
    if (!policy) return {};
    const id = policy.metadata.labels?.[idLabel];
    if (policy.metadata.deletionTimestamp) {
      if (wakeHeld(id)) return {};
      if (id && wakes.isClaiming(id)) return { requeueAfterMs: CLAIMING_RETRY_MS };
      await collection.removeFinalizer(policy, finalizer);
      return {};
    }
    const patch = missingMarks(policy, idLabel, finalizer);
    if (patch) await collection.mergePatch(policy.metadata, patch);
    wakes.report(key);
    if (isNews(policy, key) || patch) wakeSelected(policy, id);
    return {};
  };

  function isNews({ metadata: { uid = "", generation } }: AnyPolicy, key: string): boolean {
    const forced = wakes.isForced(key);
    if (woken.get(uid) === generation && !forced) return false;
    if (woken.size > REMEMBERED) woken.clear();
    woken.set(uid, generation);
    return true;
  }

  /** Wakes what follows a policy that is being deleted; true while there is anything. */
  function wakeHeld(id: string | undefined): boolean {
    if (!id) return false;
    const templates = host.templates.claimedBy(id).map(template => templateRefOf(template));
    const held = [...templates, ...bindingsOf(id).map(binding => binding.spec.resource)];
    for (const ref of held) wakes.template(templateKey(ref));
    return held.length > 0;
  }

  function wakeSelected(policy: AnyPolicy, id: string | undefined): void {
    for (const { apiVersion, kind } of policy.spec.resourceSelectors) {
      const templates = host.templates.ensure(apiVersion, kind);
      // A new kind wakes its templates by itself while it is being listed.
      for (const template of templates?.store.values() ?? []) {
        const selected = bestSelectorMatch(policy.spec.resourceSelectors, template, policy.metadata.namespace);
        if (selected > 0) wakes.template(templateKey(templateRefOf(template)));
      }
    }
    // What it selected before this edit, and no longer does, must be told too.
    for (const template of id ? host.templates.claimedBy(id) : []) wakes.template(templateKey(templateRefOf(template)));
  }

  function bindingsOf(id: string): AnyBinding[] {
    return [
      ...host.bindings.store.byIndex(BINDINGS_BY_CLAIM, id),
      ...host.clusterBindings.store.byIndex(BINDINGS_BY_CLAIM, id),
    ];
  }
}

/** What the webhook would have set, for a policy made while it was away. */
function missingMarks({ metadata }: AnyPolicy, idLabel: string, finalizer: string) {
  const { uid, resourceVersion, labels = {}, finalizers = [] } = metadata;
  if (labels[idLabel] && finalizers.includes(finalizer)) return undefined;
  const wanted = finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer];
  return {
    metadata: { uid, resourceVersion, labels: { [idLabel]: labels[idLabel] ?? randomUUID() }, finalizers: wanted },
  };
}

/** Writes a policy's status when it says something new: how many templates it holds, why not more, and how they do. */
export function policyReporter(deps: Dependencies, standingsOf: (id: string) => Standings): Reconciler {
  const { host } = deps;
  return async function reportPolicy(key): Promise<Result> {
    const { policy, collection, idLabel } = policyAt(deps, key);
    if (!policy || policy.metadata.deletionTimestamp) return {};
    const id = policy.metadata.labels?.[idLabel];
    const matched = id ? host.templates.claimedBy(id).length : 0;
    const observedGeneration = policy.metadata.generation;
    const conditions = withConditions(policy.status?.conditions, [
      { ...state(policy, matched), type: "Ready", observedGeneration },
      { ...appliedCondition(matched, standingsOf(id ?? "")), observedGeneration },
    ]);
    const status = { observedGeneration, matched, conditions };
    const { observedGeneration: og, matched: m, conditions: c } = policy.status ?? {};
    if (!sameJson(status, { observedGeneration: og, matched: m, conditions: c })) {
      await collection.patchStatus(policy.metadata, status);
    }
    return {};
  };

  function state(policy: AnyPolicy, matched: number): Omit<ConditionStatement, "type"> {
    const unknown = policy.spec.resourceSelectors.filter(s => !host.discovery.find(s.apiVersion, s.kind));
    const missing = missingOverrides(host, policy);
    if (missing.length > 0) {
      const message = `spec.dependentOverrides: ${missing.join(", ")} not found; templates wait until it exists or is removed from the list`;
      return { status: "False", reason: "WaitingForDependentOverrides", message };
    }
    if (unknown.length > 0) {
      const names = [...new Set(unknown.map(s => `${s.apiVersion} ${s.kind}`))].slice(0, 10).join(", ");
      const message = `this cluster does not serve ${names}; check apiVersion and kind, or install its CRD and the policy takes effect`;
      return { status: "False", reason: "UnknownKind", message };
    }
    if (matched > 0) return { status: "True", reason: "Matched", message: "claims what it selects" };
    return { status: "False", reason: "NoMatch", message: whyNothing(policy) };
  }

  function whyNothing(policy: AnyPolicy): string {
    for (const selector of policy.spec.resourceSelectors) {
      for (const template of host.templates.of(selector.apiVersion, selector.kind)?.store.values() ?? []) {
        const rank = bestSelectorMatch(policy.spec.resourceSelectors, template, policy.metadata.namespace);
        if (rank === 0) continue;
        const why = whyNeverTemplate(template, { named: rank === 3, ownNamespace: deps.ownNamespace });
        if (why) return `${template.kind} ${template.metadata.name} is selected but is no template: ${why}`;
        return `${template.kind} ${template.metadata.name} is selected but follows another policy`;
      }
    }
    return "no object fits any resourceSelector; check apiVersion, kind, namespace, name and labelSelector";
  }
}
