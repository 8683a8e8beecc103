// What must a person know, or be kept from, who deletes an object?
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
import { cascadeOf, describeRule, type CascadeRule } from "../../lib/domain/cascade.js";
import { CPP_ID_LABEL, DELETION_PROTECTED_LABEL, PP_ID_LABEL } from "../../lib/domain/marks.js";
import { copiesOf, orphanedCopiesOf } from "../../lib/domain/propagated.js";
import { copyLines, counted, nameOf } from "./words.js";

/** How the deletion was asked for. */
export interface Deletion {
  /** `kubectl delete --cascade=orphan`. */
  readonly orphan: boolean;
}

/** Who is asked about an object that is deleted. */
type Judge = (object: KubeObject, deletion: Deletion, context: AdmissionContext) => Verdict;

const POLICIES_GROUP = /^policy\.karmada\.io\//;
const PROTECTED = "Always";

const JUDGES: Readonly<Record<string, Judge>> = {
  PropagationPolicy: propagationPolicyVerdict,
  ClusterPropagationPolicy: propagationPolicyVerdict,
  CascadeDeletionPolicy: cascadePolicyVerdict,
  ClusterCascadeDeletionPolicy: cascadePolicyVerdict,
};

/**
 * Everything about the deletion of one object of any kind but Namespace. Of what is being deleted already nothing is said:
 * it has been decided about. Rules: spec/karmada 3.4 for protected objects, design 2 for all else.
 */
export function validateDeletion(object: KubeObject, deletion: Deletion, context: AdmissionContext): Verdict {
  if (object.metadata.deletionTimestamp) return FINE;
  if (isProtected(object)) return protectedVerdict(object);
  const judge = POLICIES_GROUP.test(object.apiVersion) ? JUDGES[object.kind] : templateVerdict;
  return judge?.(object, deletion, context) ?? FINE;
}

/** Whether a person has forbidden the deletion of this object. */
export function isProtected({ metadata }: KubeObject): boolean {
  return metadata.labels?.[DELETION_PROTECTED_LABEL] === PROTECTED;
}

/** The refusal, with the way out. */
export function protectedVerdict(object: KubeObject): Verdict {
  const { namespace, name } = object.metadata;
  const where = namespace ? ` -n ${namespace}` : "";
  const undo = `kubectl label${where} ${object.kind.toLowerCase()} ${name} ${DELETION_PROTECTED_LABEL}-`;
  const detail = `${nameOf(object)} must not be deleted; if you mean it, take the label off first: ${undo}`;
  return refuse([{ path: `metadata.labels[${DELETION_PROTECTED_LABEL}]`, kind: "Forbidden", detail }]);
}

/** What becomes of the copies of a template; nothing is said of what is none. */
export function templateVerdict(object: KubeObject, { orphan }: Deletion, { propagated }: AdmissionContext): Verdict {
  const binding = propagated?.bindingOf(object.metadata.uid ?? "");
  if (!propagated || !binding) return FINE;
  const copies = orphan ? orphanedCopiesOf(binding) : copiesOf(object, binding, propagated);
  return together(copyLines(nameOf(object), copies).map(line => warn(line)));
}

function propagationPolicyVerdict(policy: KubeObject, _: Deletion, { propagated }: AdmissionContext): Verdict {
  const label = policy.kind === "PropagationPolicy" ? PP_ID_LABEL : CPP_ID_LABEL;
  const held = propagated?.bindingsOf(policy.metadata.labels?.[label] ?? "").length ?? 0;
  return warnIf(held > 0, `${nameOf(policy)}: copies of ${counted(held, "template")} stay until a policy claims them`);
}

function cascadePolicyVerdict(policy: KubeObject, _: Deletion, { propagated }: AdmissionContext): Verdict {
  // Parsing edge: the API server has checked the object against the CRD's schema.
  const rule = policy as unknown as CascadeRule;
  const held = propagated?.bindingsDecidedBy(describeRule(rule)).length ?? 0;
  return warnIf(
    held > 0,
    `${nameOf(policy)}: changes no decision; ${cascadeOf(rule)} stays on record for ${counted(held, "template")}`,
  );
}
