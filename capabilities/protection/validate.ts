// What is wrong or doubtful in a policy about deletion, told to the person who applies it?
import type { ResourceSelector } from "../../crds/affinity.js";
import { CascadeDeletionPolicy } from "../../crds/cascade-deletion-policy.js";
import type { Cascade, CascadeDeletionSpec } from "../../crds/cascade-deletion-spec.js";
import { ClusterCascadeDeletionPolicy } from "../../crds/cluster-cascade-deletion-policy.js";
import type { KubeObject } from "../../crds/object.js";
import {
  type AdmissionContext,
  FINE,
  refuse,
  together,
  type Verdict,
  warn,
  warnIf,
} from "../../lib/domain/admission.js";
import { cascadeOf, describeRule, keepsLess } from "../../lib/domain/cascade.js";
import { fieldErrorsOf, type FieldError } from "../../lib/domain/field-error.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { whyNeverTemplate } from "../../lib/domain/never-template.js";
import { validateAffinity } from "../../lib/domain/validate-affinity.js";
import { validateSelectors } from "../../lib/domain/validate-selectors.js";
import { contradictions } from "./contradiction.js";
import { counted } from "./words.js";

type Policy = CascadeDeletionPolicy | ClusterCascadeDeletionPolicy;

/**
 * Everything at once about a CascadeDeletionPolicy or ClusterCascadeDeletionPolicy. Pure: what it knows is in the context.
 * A selector that selects nothing harms nobody, so it is only mentioned.
 */
export function validate(object: KubeObject, context: AdmissionContext): Verdict {
  const schema = object.kind === "CascadeDeletionPolicy" ? CascadeDeletionPolicy : ClusterCascadeDeletionPolicy;
  const parsed = schema.safeParse(object, { reportInput: true });
  if (!parsed.success) return refuse(fieldErrorsOf(parsed.error));
  const policy = parsed.data;
  const { resourceSelectors, targetCluster } = policy.spec;
  const owner = { kind: policy.kind, namespace: policy.metadata.namespace };
  return together([
    validateSelectors(resourceSelectors, owner, context),
    together(resourceSelectors.map((selector, index) => selectorVerdict(selector, index, policy, context))),
    validateAffinity(targetCluster, "spec.targetCluster", context),
    warnIf(
      selectsNoCluster(targetCluster),
      "spec.targetCluster: exclude takes out every name of clusterNames; the policy has no effect",
    ),
    together(contradictions(policy, context).map(text => warn(text))),
    changeVerdict(policy, context),
  ]);
}

function selectorVerdict(
  selector: ResourceSelector,
  index: number,
  policy: Policy,
  context: AdmissionContext,
): Verdict {
  const path = `spec.resourceSelectors[${index}]`;
  if (!selector.apiVersion || !selector.kind) return FINE;
  return together([
    refuse(wildcardErrors(selector, path)),
    scopeVerdict(selector, path, policy, context),
    neverVerdict(selector, path, policy, context),
  ]);
}

/** What is meant for every kind would also be about Secrets and volumes that nobody thought of. */
function wildcardErrors({ kind, name, namespace }: ResourceSelector, path: string): FieldError[] {
  return Object.entries({ kind, name, namespace })
    .filter(([, value]) => value?.includes("*"))
    .map(([field, value]) => {
      const detail =
        "taken literally, there are no wildcards; write one selector for each kind, and leave out what shall not count";
      return { path: `${path}.${field}`, kind: "Invalid", value, detail };
    });
}

function scopeVerdict(
  { apiVersion, kind, namespace }: ResourceSelector,
  path: string,
  { kind: policyKind, metadata }: Policy,
  { isNamespaced }: AdmissionContext,
): Verdict {
  if (isNamespaced?.(apiVersion, kind) !== false) return FINE;
  if (metadata.namespace)
    return warn(`${path}: ${kind} has no namespace, so only a Cluster${policyKind} can select it`);
  return warnIf(Boolean(namespace), `${path}.namespace: ${kind} has no namespace, so this selects nothing; remove it`);
}

function neverVerdict(
  { apiVersion, kind, namespace, name }: ResourceSelector,
  path: string,
  { metadata }: Policy,
  { ownNamespace }: AdmissionContext,
): Verdict {
  const where = metadata.namespace ?? (namespace || undefined);
  const example = { apiVersion, kind, metadata: { name: name || "any", namespace: where } };
  const why = whyNeverTemplate(example, { named: true, ownNamespace });
  return why ? warn(`${path}: without effect, it is never sent to a cluster: ${why}`) : FINE;
}

function selectsNoCluster(target: CascadeDeletionSpec["targetCluster"]): boolean {
  const { clusterNames = [], exclude = [] } = target ?? {};
  return clusterNames.length > 0 && clusterNames.every(name => exclude.includes(name));
}

/** What an edit means for what the policy has decided about already. */
function changeVerdict(policy: Policy, { old, propagated }: AdmissionContext): Verdict {
  const before = old && policyOf(old);
  const held = propagated?.bindingsDecidedBy(describeRule(policy)).length ?? 0;
  if (!before || held === 0) return FINE;
  const [was, is] = [cascadeOf(before), cascadeOf(policy)];
  const templates = counted(held, "template");
  return together([
    warnIf(keepsLess(is, was), weakened(is, templates)),
    warnIf(
      isNarrower(before.spec, policy.spec),
      `spec: what is no longer selected keeps the last word, ${was} (on record for ${templates})`,
    ),
  ]);
}

const EFFECTS: Readonly<Record<Cascade, (templates: string) => string>> = {
  background: templates => `the copies of ${templates} go when these are deleted`,
  adopted: templates => `of ${templates} only copies that were there before stay`,
  restore: templates => `the copies of ${templates} go back to their values of before, which may restart Pods`,
  orphan: templates => `the copies of ${templates} stay`,
};

function weakened(cascade: Cascade, templates: string): string {
  return `spec.cascadeDeletion: ${cascade} now; ${EFFECTS[cascade](templates)}`;
}

function policyOf(object: KubeObject): Policy | undefined {
  const schema = object.kind === "CascadeDeletionPolicy" ? CascadeDeletionPolicy : ClusterCascadeDeletionPolicy;
  const parsed = schema.safeParse(object);
  return parsed.success ? parsed.data : undefined;
}

/** True when something that was selected may no longer be. */
function isNarrower(before: CascadeDeletionSpec, after: CascadeDeletionSpec): boolean {
  const lost = before.resourceSelectors.some(one => !after.resourceSelectors.some(other => sameJson(one, other)));
  return lost || !sameJson(before.targetCluster, after.targetCluster);
}
