// Is this selection of clusters well formed, and does it name clusters that exist?
import type { ClusterAffinity, FieldSelectorRequirement } from "../../crds/affinity.js";
import { type AdmissionContext, refuse, together, type Verdict, warn, warnIf } from "./admission.js";
import { notSupported, type FieldError } from "./field-error.js";
import { validateLabelSelector } from "./label-selector.js";

const FIELD_KEYS = ["provider", "region", "zone"];
const FIELD_OPERATORS = ["In", "NotIn"];

/** Everything wrong or doubtful in a cluster affinity that stands at `path` (spec/karmada 3.2). */
export function validateAffinity(
  affinity: ClusterAffinity | undefined,
  path: string,
  context: AdmissionContext,
): Verdict {
  if (!affinity) return together([]);
  const { clusterNames = [], exclude = [] } = affinity;
  const both = clusterNames.filter(name => exclude.includes(name));
  return together([
    refuse(validateLabelSelector(affinity.labelSelector, `${path}.labelSelector`)),
    refuse(fieldSelectorErrors(affinity, `${path}.fieldSelector`)),
    refuse(emptyNames(clusterNames, `${path}.clusterNames`)),
    unknownClusters(clusterNames, `${path}.clusterNames`, context),
    warnIf(both.length > 0, `${path}: exclude also lists ${both.join(", ")}, and exclude wins`),
  ]);
}

/** A warning for every cluster that has not joined; it may join later, so it is no error. */
export function unknownClusters(names: readonly string[], path: string, { knownClusters }: AdmissionContext): Verdict {
  if (!knownClusters) return together([]);
  const unknown = [...new Set(names)].filter(name => name !== "" && !knownClusters.has(name));
  return together(unknown.map(name => warn(`${path}: cluster "${name}" has not joined; check the name, or join it`)));
}

function emptyNames(names: readonly string[], path: string): FieldError[] {
  return names.flatMap((name, index): FieldError[] =>
    name === "" ? [{ path: `${path}[${index}]`, kind: "Required", detail: "name a cluster, or remove the entry" }] : [],
  );
}

function fieldSelectorErrors({ fieldSelector }: ClusterAffinity, path: string): FieldError[] {
  return (fieldSelector?.matchExpressions ?? []).flatMap((requirement, index) =>
    fieldRequirementErrors(requirement, `${path}.matchExpressions[${index}]`),
  );
}

function fieldRequirementErrors({ key, operator, values = [] }: FieldSelectorRequirement, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!FIELD_KEYS.includes(key)) errors.push(notSupported(`${path}.key`, key, FIELD_KEYS));
  if (!FIELD_OPERATORS.includes(operator)) errors.push(notSupported(`${path}.operator`, operator, FIELD_OPERATORS));
  if (values.length === 0)
    errors.push({ path: `${path}.values`, kind: "Required", detail: "write at least one value" });
  return errors;
}
