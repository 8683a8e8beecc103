// Is this placement one that can be carried out?
import type { Placement } from "../../crds/placement.js";
import type { Toleration } from "../../crds/taint.js";
import { type AdmissionContext, refuse, refuseIf, together, type Verdict, warnIf } from "./admission.js";
import type { FieldError } from "./field-error.js";
import { validateLabelKey, validateLabelValue } from "./label-selector.js";
import { validateAffinity } from "./validate-affinity.js";

const PATH = "spec.placement";

/** Everything wrong or doubtful in `spec.placement`, as far as it has an effect (spec/karmada 3.2). */
export function validatePlacement(placement: Placement | undefined, context: AdmissionContext): Verdict {
  if (!placement) return together([]);
  const { clusterAffinity, clusterAffinities = [], clusterTolerations = [], replicaScheduling } = placement;
  return together([
    validateAffinity(clusterAffinity, `${PATH}.clusterAffinity`, context),
    refuseIf(clusterAffinity !== undefined && clusterAffinities.length > 0, {
      path: `${PATH}.clusterAffinities`,
      kind: "Forbidden",
      detail: "clusterAffinity and clusterAffinities exclude each other; keep one of them",
    }),
    refuse(clusterTolerations.flatMap((each, index) => tolerationErrors(each, `${PATH}.clusterTolerations[${index}]`))),
    warnIf(
      replicaScheduling?.replicaSchedulingType === "Duplicated" && replicaScheduling.weightPreference !== undefined,
      `${PATH}.replicaScheduling.weightPreference: without effect, because Duplicated gives all of them to every cluster`,
    ),
  ]);
}

/** The rules of core/v1 for tolerations. */
function tolerationErrors(toleration: Toleration, path: string): FieldError[] {
  return [
    ...tolerationKeyErrors(toleration, path),
    ...tolerationValueErrors(toleration, path),
    ...tolerationTimeErrors(toleration, path),
  ];
}

function tolerationKeyErrors({ key, operator }: Toleration, path: string): FieldError[] {
  if (key) return validateLabelKey(key, `${path}.key`);
  if (operator === "Exists") return [];
  return [{ path: `${path}.key`, kind: "Required", detail: "name the taint, or write operator: Exists for all" }];
}

function tolerationValueErrors({ operator, value = "" }: Toleration, path: string): FieldError[] {
  if (operator !== "Exists") return validateLabelValue(value, `${path}.value`);
  if (value === "") return [];
  return [{ path: `${path}.value`, kind: "Forbidden", detail: "operator Exists takes any value; remove it" }];
}

function tolerationTimeErrors({ effect, tolerationSeconds }: Toleration, path: string): FieldError[] {
  if (tolerationSeconds === undefined || effect === "NoExecute") return [];
  const detail = "only the effect NoExecute ends a toleration; write effect: NoExecute, or remove it";
  return [{ path: `${path}.tolerationSeconds`, kind: "Forbidden", detail }];
}
