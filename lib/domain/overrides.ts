// How does a manifest look in one cluster, after every override policy that means it?
import type { OverrideSpec, RuleWithCluster } from "../../crds/override-spec.js";
import type { Overriders } from "../../crds/overriders.js";
import type { KubeObject, ObjectMeta } from "../../crds/object.js";
import { matchesAffinity, type ClusterFacts } from "./affinity.js";
import { formatPointer, getAt } from "./json-pointer.js";
import { sameJson } from "./json-value.js";
import { applyOverriders, OverrideRuleError } from "./override-rule.js";
import { bestSelectorMatch } from "./resource-selector.js";

/** An override policy of either kind, as far as it is looked at here. */
export interface OverrideCandidate {
  readonly kind: "OverridePolicy" | "ClusterOverridePolicy";
  readonly metadata: Pick<ObjectMeta, "name" | "namespace">;
  readonly spec: OverrideSpec;
}

/** One applied rule, as the Work's `policy.karmada.io/applied-*overrides` annotations list it. */
export interface AppliedOverride {
  readonly policyName: string;
  readonly overriders: Overriders;
}

/** The manifest for one cluster and what shaped it; the lists are sorted by policy name. */
export interface OverrideResult {
  readonly manifest: KubeObject;
  readonly applied: {
    readonly policies: readonly AppliedOverride[];
    readonly clusterPolicies: readonly AppliedOverride[];
  };
}

/** A rule that cannot be applied to this object. The message names the policy, the place in it and the reason. */
export class OverrideError extends Error {
  constructor(
    /** `OverridePolicy shop/web` or `ClusterOverridePolicy web`. */
    readonly policyRef: string,
    /** Such as `spec.overrideRules[0].overriders.plaintext[1]`. */
    readonly rulePath: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${policyRef}: ${rulePath}: ${message}`, options);
    this.name = "OverrideError";
  }
}

/**
 * Applies every policy that selects the manifest, for one cluster: first cluster policies, then those of its namespace;
 * within each the less precise selector first, then by name; so the most precise is applied last and wins. Throws
 * {@link OverrideError} for a rule that does not fit or that would make another object of it. Source: spec/karmada 6.
 */
export function applyOverrides(input: {
  readonly manifest: KubeObject;
  readonly cluster: ClusterFacts;
  readonly policies: readonly OverrideCandidate[];
}): OverrideResult {
  const steps = orderedPolicies(input.policies, input.manifest).flatMap(policy => rulesFor(policy, input.cluster));
  const manifest = steps.reduce(applyStep, input.manifest);
  return {
    manifest,
    applied: { policies: applied(steps, "OverridePolicy"), clusterPolicies: applied(steps, "ClusterOverridePolicy") },
  };
}

function orderedPolicies(policies: readonly OverrideCandidate[], manifest: KubeObject): readonly OverrideCandidate[] {
  return policies
    .map(policy => ({ policy, rank: rankOf(policy, manifest), layer: policy.kind === "OverridePolicy" ? 1 : 0 }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => a.layer - b.layer || a.rank - b.rank || compareNames(a.policy, b.policy))
    .map(({ policy }) => policy);
}

// No selector at all selects everything, as imprecisely as one by kind.
function rankOf({ kind, metadata, spec }: OverrideCandidate, manifest: KubeObject): number {
  const isOwn = kind === "ClusterOverridePolicy" || metadata.namespace === manifest.metadata.namespace;
  if (!isOwn) return 0;
  const selectors = spec.resourceSelectors ?? [];
  if (selectors.length === 0) return 1;
  return bestSelectorMatch(selectors, manifest, kind === "OverridePolicy" ? metadata.namespace : undefined);
}

function compareNames(a: OverrideCandidate, b: OverrideCandidate): number {
  if (a.metadata.name === b.metadata.name) return 0;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

interface Step {
  readonly policy: OverrideCandidate;
  readonly path: string;
  readonly overriders: Overriders;
}

function rulesFor(policy: OverrideCandidate, cluster: ClusterFacts): readonly Step[] {
  const { overrideRules = [], overriders, targetCluster } = policy.spec;
  const rules: readonly (RuleWithCluster & { path: string })[] =
    overrideRules.length === 0 && overriders
      ? [{ targetCluster, overriders, path: "spec.overriders" }]
      : overrideRules.map((rule, index) => ({ ...rule, path: `spec.overrideRules[${index}].overriders` }));
  return rules
    .filter(rule => matchesAffinity(rule.targetCluster, cluster))
    .map(rule => ({ policy, path: rule.path, overriders: rule.overriders }));
}

function applyStep(manifest: KubeObject, { policy, path, overriders }: Step): KubeObject {
  try {
    const result = applyOverriders(manifest, overriders);
    const changed = FIXED_FIELDS.find(field => !sameJson(getAt(manifest, field), getAt(result, field)));
    if (changed) throw new OverrideRuleError("", `must not touch ${formatPointer(changed)}: ${FIXED_REASON}`);
    return result;
  } catch (cause) {
    if (!(cause instanceof OverrideRuleError)) throw cause;
    const rulePath = cause.path ? `${path}.${cause.path}` : path;
    throw new OverrideError(refOf(policy), rulePath, cause.message, { cause });
  }
}

const FIXED_REASON = "an override changes how an object looks in a cluster, not which object it is; remove that rule";

/** What says which object it is, and what only its API server may write. */
const FIXED_FIELDS: readonly (readonly string[])[] = [
  ["apiVersion"],
  ["kind"],
  ["metadata", "name"],
  ["metadata", "generateName"],
  ["metadata", "namespace"],
  ["metadata", "uid"],
  ["metadata", "resourceVersion"],
  ["metadata", "generation"],
  ["metadata", "creationTimestamp"],
  ["metadata", "deletionTimestamp"],
  ["metadata", "deletionGracePeriodSeconds"],
  ["metadata", "ownerReferences"],
  ["metadata", "managedFields"],
  ["status"],
];

function refOf({ kind, metadata }: OverrideCandidate): string {
  return metadata.namespace ? `${kind} ${metadata.namespace}/${metadata.name}` : `${kind} ${metadata.name}`;
}

function applied(steps: readonly Step[], kind: OverrideCandidate["kind"]): readonly AppliedOverride[] {
  return steps
    .filter(({ policy }) => policy.kind === kind)
    .sort((a, b) => compareNames(a.policy, b.policy))
    .map(({ policy, overriders }) => ({ policyName: policy.metadata.name, overriders }));
}
