// What is wrong or doubtful in an override policy, told to the person who applies it?
import { ClusterOverridePolicy } from "../../crds/cluster-override-policy.js";
import type { KubeObject } from "../../crds/object.js";
import { OverridePolicy } from "../../crds/override-policy.js";
import type { OverrideSpec } from "../../crds/override-spec.js";
import { findUnsupported } from "../../crds/unsupported.js";
import { type AdmissionContext, refuse, together, type Verdict, warnIf } from "../../lib/domain/admission.js";
import { fieldErrorsOf, type FieldError } from "../../lib/domain/field-error.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { validateAffinity } from "../../lib/domain/validate-affinity.js";
import { validateSelectors } from "../../lib/domain/validate-selectors.js";
import { hasOverriders, overriderErrors } from "./validate-overriders.js";

/**
 * Everything at once about an OverridePolicy or ClusterOverridePolicy. Pure: what it knows is in the context.
 * Rules: spec/karmada 3.3, and what would fail later for each Work alone.
 */
export function validate(object: KubeObject, context: AdmissionContext): Verdict {
  const schema = object.kind === "OverridePolicy" ? OverridePolicy : ClusterOverridePolicy;
  const parsed = schema.safeParse(object, { reportInput: true });
  if (!parsed.success) return refuse(fieldErrorsOf(parsed.error));

  const { kind, metadata, spec } = parsed.data;
  return together([
    refuse(findUnsupported(kind, spec)),
    validateSelectors(spec.resourceSelectors ?? [], { kind, namespace: metadata.namespace }, context),
    refuse(formErrors(spec)),
    rulesVerdict(spec, context),
    oldStyleVerdict(spec, context),
  ]);
}

/** Old and new form would both be meant, in an order that nobody wrote down. */
function formErrors({ overrideRules = [], targetCluster, overriders }: OverrideSpec): FieldError[] {
  if (overrideRules.length === 0) return [];
  const detail = "the old form cannot stand beside overrideRules; move it into a rule";
  const errors: FieldError[] = [];
  if (targetCluster) errors.push({ path: "spec.targetCluster", kind: "Forbidden", detail });
  if (hasOverriders(overriders)) errors.push({ path: "spec.overriders", kind: "Forbidden", detail });
  return errors;
}

function rulesVerdict({ overrideRules = [] }: OverrideSpec, context: AdmissionContext): Verdict {
  const each = overrideRules.map((rule, index) => {
    const path = `spec.overrideRules[${index}]`;
    const twin = overrideRules.findIndex(other => sameJson(other, rule));
    const detail = `the same as spec.overrideRules[${twin}]; remove one of them`;
    return together([
      refuse(twin < index ? [{ path, kind: "Duplicate", detail }] : []),
      validateAffinity(rule.targetCluster, `${path}.targetCluster`, context),
      refuse(overriderErrors(rule.overriders, `${path}.overriders`)),
      warnIf(!hasOverriders(rule.overriders), `${path}.overriders: says nothing; the rule has no effect`),
    ]);
  });
  return together(each);
}

function oldStyleVerdict(
  { overrideRules = [], targetCluster, overriders }: OverrideSpec,
  context: AdmissionContext,
): Verdict {
  const isOld = targetCluster !== undefined || hasOverriders(overriders);
  return together([
    validateAffinity(targetCluster, "spec.targetCluster", context),
    refuse(overriders ? overriderErrors(overriders, "spec.overriders") : []),
    warnIf(isOld, "spec: targetCluster and overriders are the old form; write overrideRules instead"),
    warnIf(
      overrideRules.length === 0 && !hasOverriders(overriders),
      "spec.overrideRules: empty; the policy has no effect",
    ),
  ]);
}
