// What is wrong or doubtful in a binding that somebody writes by hand?
import type { ResourceBindingSpec } from "../../crds/binding-spec.js";
import { ClusterResourceBinding } from "../../crds/cluster-resource-binding.js";
import type { KubeObject } from "../../crds/object.js";
import { ResourceBinding } from "../../crds/resource-binding.js";
import { findUnsupported } from "../../crds/unsupported.js";
import { type AdmissionContext, FINE, refuse, together, type Verdict, warn } from "../../lib/domain/admission.js";
import { fieldErrorsOf, type FieldError } from "../../lib/domain/field-error.js";
import { isRecord, sameJson, withoutKeys } from "../../lib/domain/json-value.js";
import { DEPENDENCIES_ANNOTATION } from "../../lib/domain/marks.js";
import { unknownClusters } from "../../lib/domain/validate-affinity.js";

/**
 * Everything at once about a ResourceBinding or ClusterResourceBinding. The operator's own writes do not come here, so
 * whoever comes is a person or another program. Rules: spec/karmada 3.4.
 */
export function validate(object: KubeObject, context: AdmissionContext): Verdict {
  const schema = object.kind === "ResourceBinding" ? ResourceBinding : ClusterResourceBinding;
  const parsed = schema.safeParse(object, { reportInput: true });
  if (!parsed.success) return refuse(fieldErrorsOf(parsed.error));

  const { kind, metadata, spec } = parsed.data;
  return together([
    refuse(findUnsupported(kind, spec)),
    refuse(clusterErrors(spec)),
    refuse(dependencyErrors(metadata.annotations?.[DEPENDENCIES_ANNOTATION])),
    unknownClusters(
      (spec.clusters ?? []).map(cluster => cluster.name),
      "spec.clusters",
      context,
    ),
    byHand(spec, context),
  ]);
}

function clusterErrors({ clusters = [] }: ResourceBindingSpec): FieldError[] {
  const names = clusters.map(cluster => cluster.name);
  return names.flatMap((name, index): FieldError[] => {
    const path = `spec.clusters[${index}].name`;
    if (name === "") return [{ path, kind: "Required", detail: "name a cluster, or remove the entry" }];
    return names.indexOf(name) < index ? [{ path, kind: "Duplicate", value: name, detail: "remove one of them" }] : [];
  });
}

function dependencyErrors(text: string | undefined): FieldError[] {
  if (!text) return [];
  try {
    if (Array.isArray(JSON.parse(text))) return [];
  } catch {
    // Told below, in the words of a field error.
  }
  const path = `metadata.annotations[${DEPENDENCIES_ANNOTATION}]`;
  return [{ path, kind: "Invalid", value: text, detail: "not a JSON list; remove it, it is written by the operator" }];
}

/** Suspension is left out: an outside queue holds a binding back by it, and the operator leaves that alone. */
function byHand(spec: ResourceBindingSpec, { old }: AdmissionContext): Verdict {
  if (!old) return warn("bindings are made from policies; one made by hand is not kept up to date");
  const before = isRecord(old["spec"]) ? old["spec"] : {};
  const isSuspension = (key: string) => key === "suspension";
  if (sameJson(withoutKeys(before, isSuspension), withoutKeys({ ...spec }, isSuspension))) return FINE;
  return warn("spec: written by the operator from the policy; this change is undone, change the policy instead");
}
