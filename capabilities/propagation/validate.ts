// What is wrong or doubtful in a propagation policy, told to the person who applies it?
import { ClusterPropagationPolicy } from "../../crds/cluster-propagation-policy.js";
import { PropagationPolicy } from "../../crds/propagation-policy.js";
import type { PropagationSpec } from "../../crds/propagation-spec.js";
import { findUnsupported } from "../../crds/unsupported.js";
import type { KubeObject } from "../../crds/object.js";
import {
  type AdmissionContext,
  FINE,
  refuse,
  refuseIf,
  together,
  type Verdict,
  warn,
  warnIf,
} from "../../lib/domain/admission.js";
import { fieldErrorsOf, notSupported, type FieldError } from "../../lib/domain/field-error.js";
import { isRecord } from "../../lib/domain/json-value.js";
import { CPP_ID_LABEL, PP_ID_LABEL } from "../../lib/domain/marks.js";
import { clustersByPolicyField } from "../../lib/domain/propagated.js";
import { unknownClusters } from "../../lib/domain/validate-affinity.js";
import { validatePlacement } from "../../lib/domain/validate-placement.js";
import { validatePropagated, validateSelectors } from "../../lib/domain/validate-selectors.js";

type Policy = PropagationPolicy | ClusterPropagationPolicy;

const DEFAULT_SCHEDULER = "default-scheduler";
/** Names that mean the default; `default` is what an article shows, and upstream then waits for ever. */
const DEFAULT_NAMES = ["", "default", DEFAULT_SCHEDULER];

/**
 * Everything at once about a PropagationPolicy or ClusterPropagationPolicy. Pure: what it knows is in the context.
 * Rules: spec/karmada 3.2.
 */
export function validate(object: KubeObject, context: AdmissionContext): Verdict {
  const schema = object.kind === "PropagationPolicy" ? PropagationPolicy : ClusterPropagationPolicy;
  const parsed = schema.safeParse(object, { reportInput: true });
  if (!parsed.success) return refuse(fieldErrorsOf(parsed.error));
  return validatePolicy(parsed.data, context);
}

function validatePolicy(policy: Policy, context: AdmissionContext): Verdict {
  const { spec } = policy;
  const owner = { kind: policy.kind, namespace: policy.metadata.namespace };
  return together([
    refuse(findUnsupported(policy.kind, spec)),
    validateSelectors(spec.resourceSelectors, owner, context),
    validatePropagated(spec.resourceSelectors, owner, context),
    validatePlacement(spec.placement, context),
    refuse(preemptionErrors(spec)),
    suspensionVerdict(spec, context),
    schedulerVerdict(spec),
    refuse(dependentOverrideErrors(spec)),
    refuse(identityErrors(policy, context)),
    releaseVerdict(policy, context),
    warnIf(spec.association !== undefined, "spec.association: without effect; propagateDeps has taken its place"),
  ]);
}

function preemptionErrors({ preemption, resourceSelectors }: PropagationSpec): FieldError[] {
  if (preemption !== "Always") return [];
  const detail = "preemption: Always takes over named objects only; name it, or write preemption: Never";
  return resourceSelectors.flatMap((selector, index): FieldError[] =>
    selector.name ? [] : [{ path: `spec.resourceSelectors[${index}].name`, kind: "Required", detail }],
  );
}

function suspensionVerdict({ suspension }: PropagationSpec, context: AdmissionContext): Verdict {
  const names = suspension?.dispatchingOnClusters?.clusterNames ?? [];
  const path = "spec.suspension.dispatchingOnClusters";
  return together([
    refuseIf(suspension?.dispatching === true && names.length > 0, {
      path,
      kind: "Forbidden",
      detail: "dispatching: true already holds back every cluster; remove it, or remove clusterNames",
    }),
    unknownClusters(names, `${path}.clusterNames`, context),
  ]);
}

function schedulerVerdict({ schedulerName = DEFAULT_SCHEDULER }: PropagationSpec): Verdict {
  const path = "spec.schedulerName";
  if (!DEFAULT_NAMES.includes(schedulerName)) return refuse([notSupported(path, schedulerName, [DEFAULT_SCHEDULER])]);
  return warnIf(
    schedulerName === "default",
    `${path}: "default" is taken as "${DEFAULT_SCHEDULER}"; write that instead`,
  );
}

function dependentOverrideErrors({ dependentOverrides = [] }: PropagationSpec): FieldError[] {
  return dependentOverrides.flatMap((name, index): FieldError[] => {
    const path = `spec.dependentOverrides[${index}]`;
    if (name === "") return [{ path, kind: "Required", detail: "name an override policy, or remove the entry" }];
    return dependentOverrides.indexOf(name) < index
      ? [{ path, kind: "Duplicate", value: name, detail: "remove one" }]
      : [];
  });
}

/** Claims point at a policy by its id: another id would leave everything it holds without a policy. */
function identityErrors({ kind, metadata }: Policy, { old }: AdmissionContext): FieldError[] {
  const label = kind === "PropagationPolicy" ? PP_ID_LABEL : CPP_ID_LABEL;
  const before = old?.metadata.labels?.[label];
  const now = metadata.labels?.[label];
  if (before === undefined || before === now) return [];
  const detail = `the id of a policy never changes; leave the label out, or write ${before}`;
  return [{ path: `metadata.labels[${label}]`, kind: "Forbidden", detail }];
}

/** Turning it off is said with what it means now: the copies about which this field is the last word. */
function releaseVerdict({ kind, metadata, spec }: Policy, { old, propagated }: AdmissionContext): Verdict {
  const before = isRecord(old?.["spec"]) ? old["spec"]["preserveResourcesOnDeletion"] : undefined;
  if (before !== true || spec.preserveResourcesOnDeletion === true) return FINE;
  const id = metadata.labels?.[kind === "PropagationPolicy" ? PP_ID_LABEL : CPP_ID_LABEL];
  if (!propagated || !id) {
    return warn("spec.preserveResourcesOnDeletion: off now; deleting a template deletes its objects in the clusters");
  }
  const held = propagated
    .bindingsOf(id)
    .map(clustersByPolicyField)
    .filter(clusters => clusters.length > 0);
  const copies = held.reduce((sum, clusters) => sum + clusters.length, 0);
  return warnIf(
    copies > 0,
    `spec.preserveResourcesOnDeletion: off now; deleting a template deletes its copies (templates: ${held.length}, copies: ${copies})`,
  );
}
