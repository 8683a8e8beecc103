// What is wrong or doubtful in a Work that somebody writes by hand?
import type { KubeObject } from "../../crds/object.js";
import { Work } from "../../crds/work.js";
import { findUnsupported } from "../../crds/unsupported.js";
import { type AdmissionContext, FINE, refuse, together, type Verdict, warnIf } from "../../lib/domain/admission.js";
import { fieldErrorsOf, type FieldError } from "../../lib/domain/field-error.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { CRB_ID_LABEL, RB_ID_LABEL } from "../../lib/domain/marks.js";
import { clusterOfExecutionNamespace } from "../../lib/domain/names.js";
import { unknownClusters } from "../../lib/domain/validate-affinity.js";

/**
 * Everything at once about a Work. The operator's own writes do not come here, so whoever comes is a person or another
 * program. A Work that no binding made is theirs to write.
 */
export function validate(object: KubeObject, context: AdmissionContext): Verdict {
  const parsed = Work.safeParse(object, { reportInput: true });
  if (!parsed.success) return refuse(fieldErrorsOf(parsed.error));

  const work = parsed.data;
  return together([
    refuse(findUnsupported(work.kind, work.spec)),
    placeVerdict(work, context),
    refuse(manifestErrors(work)),
    refuse(contradiction(work)),
    byHand(work, context),
  ]);
}

/** Where both fields say something, they must say the same (design 2). */
function contradiction({ spec: { cascadeDeletion, preserveResourcesOnDeletion: preserve } }: Work): FieldError[] {
  const agreeing = preserve ? ["orphan", "adopted", "restore"] : ["background", "adopted"];
  if (cascadeDeletion === undefined || preserve === undefined || agreeing.includes(cascadeDeletion)) return [];
  const fitting = preserve ? "orphan" : "background";
  const detail = `contradicts preserveResourcesOnDeletion: ${preserve}; leave one of the two out, or write ${fitting}`;
  return [{ path: "spec.cascadeDeletion", kind: "Invalid", value: cascadeDeletion, detail }];
}

function placeVerdict({ metadata }: Work, context: AdmissionContext): Verdict {
  const cluster = clusterOfExecutionNamespace(metadata.namespace ?? "");
  if (cluster) return unknownClusters([cluster], "metadata.namespace", context);
  return refuse([
    {
      path: "metadata.namespace",
      kind: "Invalid",
      value: metadata.namespace ?? "",
      detail: "belongs to no cluster; a Work stands in karmada-es-CLUSTER",
    },
  ]);
}

function manifestErrors({ spec }: Work): FieldError[] {
  const manifests = spec.workload?.manifests ?? [];
  const names = manifests.map(identity);
  return manifests.flatMap((manifest, index): FieldError[] => {
    const path = `spec.workload.manifests[${index}]`;
    const missing = missingFields(manifest, path);
    if (missing.length > 0 || names.indexOf(identity(manifest)) === index) return missing;
    return [{ path, kind: "Duplicate", value: identity(manifest), detail: "remove one of them" }];
  });
}

function missingFields(manifest: KubeObject, path: string): FieldError[] {
  const fields: Readonly<Record<string, unknown>> = {
    apiVersion: manifest.apiVersion,
    kind: manifest.kind,
    // A manifest may have any shape: nothing but its being an object has been checked.
    "metadata.name": (manifest.metadata as KubeObject["metadata"] | undefined)?.name,
  };
  return Object.entries(fields)
    .filter(([, value]) => typeof value !== "string" || value === "")
    .map(([name]) => ({ path: `${path}.${name}`, kind: "Required", detail: "says which object it is" }));
}

function identity(manifest: KubeObject): string {
  const metadata = manifest.metadata as KubeObject["metadata"] | undefined;
  return `${manifest.apiVersion} ${manifest.kind} ${metadata?.namespace ?? ""}/${metadata?.name}`;
}

function byHand({ metadata, spec }: Work, { old }: AdmissionContext): Verdict {
  const isMadeByBinding = [RB_ID_LABEL, CRB_ID_LABEL].some(label => metadata.labels?.[label] !== undefined);
  if (!isMadeByBinding || !old) return FINE;
  return warnIf(
    !sameJson(old["spec"], spec),
    "spec: written by the operator from the binding; this change is undone, change the policy or template",
  );
}
