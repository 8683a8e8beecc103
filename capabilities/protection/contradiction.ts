// Which policy about deletion says otherwise, of equal rank and about the same objects?
import type { ResourceSelector } from "../../crds/affinity.js";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { cascadeOf, describeRule, type CascadeRule } from "../../lib/domain/cascade.js";
import { sameJson } from "../../lib/domain/json-value.js";

/**
 * One sentence for each other policy that certainly contradicts this one: what both select is written alike. What meets
 * only in some objects is told in the condition `Conflict`.
 */
export function contradictions(policy: CascadeRule, { propagated }: AdmissionContext): readonly string[] {
  const others = (propagated?.rules() ?? []).filter(other => {
    return describeRule(other) !== describeRule(policy) && !other.metadata.deletionTimestamp;
  });
  return others.flatMap(other => {
    const shared = cascadeOf(other) === cascadeOf(policy) ? undefined : sharedSelector(policy, other);
    if (!shared) return [];
    const what = shared.name ? `${shared.kind} ${shared.name}` : `the same ${shared.kind} objects`;
    return [`${describeRule(other)} says ${cascadeOf(other)} about ${what}; the word that keeps more wins`];
  });
}

function sharedSelector(policy: CascadeRule, other: CascadeRule): ResourceSelector | undefined {
  if (!sameJson(targetOf(policy), targetOf(other))) return undefined;
  return policy.spec.resourceSelectors.find(selector =>
    other.spec.resourceSelectors.some(twin => isAlike(selector, twin) && meets(policy, selector, other, twin)),
  );
}

/** An affinity of nothing selects as much as none. */
function targetOf({ spec }: CascadeRule): unknown {
  const entries = Object.entries(spec.targetCluster ?? {});
  return entries.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0));
}

function isAlike(a: ResourceSelector, b: ResourceSelector): boolean {
  if (a.apiVersion !== b.apiVersion || a.kind !== b.kind) return false;
  if (a.name || b.name) return a.name === b.name;
  return sameJson(a.labelSelector, b.labelSelector);
}

function meets(policy: CascadeRule, a: ResourceSelector, other: CascadeRule, b: ResourceSelector): boolean {
  const [one, two] = [policy.metadata.namespace ?? a.namespace, other.metadata.namespace ?? b.namespace];
  return !one || !two || one === two;
}
