// What a claim writes on a template: the policy's marks and our finalizer, or their removal.
import type { KubeObject } from "../../crds/object.js";
import { claimMarks, type Claim } from "../../lib/domain/claims.js";
import { LET_GO_FINALIZER } from "../../lib/domain/marks.js";

/** A JSON merge patch of metadata, guarded by uid and resourceVersion. */
export interface MetadataPatch {
  readonly metadata: {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels: Readonly<Record<string, string | null>>;
    readonly annotations: Readonly<Record<string, string | null>>;
    readonly finalizers?: readonly string[];
  };
}

/**
 * The one write that puts a claim on a template, or takes it off; `undefined` when the template says so already. Our
 * finalizer comes with the claim, and stays when the claim goes as long as `letGo` says that there is something to let
 * go of: its deletion must still be decided (design 3).
 */
export function planClaim(template: KubeObject, claim: Claim | undefined, letGo: boolean): MetadataPatch | undefined {
  const { uid, resourceVersion, finalizers = [] } = template.metadata;
  const marks = claimMarks(claim);
  const labels = changed(template.metadata.labels, marks.labels);
  const annotations = changed(template.metadata.annotations, marks.annotations);
  const has = finalizers.includes(LET_GO_FINALIZER);
  const unchanged = Object.keys(labels).length === 0 && Object.keys(annotations).length === 0;
  if (unchanged && has === letGo) return undefined;
  const others = finalizers.filter(f => f !== LET_GO_FINALIZER);
  const wanted = letGo ? [...others, LET_GO_FINALIZER] : others;
  return {
    metadata: { uid, resourceVersion, labels, annotations, ...(has === letGo ? {} : { finalizers: wanted }) },
  };
}

/**
 * True when our finalizer must stay off: a custom resource whose manifest declares finalizers. Tools that hold such a list
 * see it as one value and would report or undo our entry for ever (measured with Argo CD; design 3).
 */
export function declaresFinalizers(template: KubeObject, isCustomResource: boolean): boolean {
  if (!isCustomResource) return false;
  return (template.metadata.managedFields ?? []).some(entry => {
    const metadata = entry.fieldsV1?.["f:metadata"];
    return typeof metadata === "object" && metadata !== null && "f:finalizers" in metadata;
  });
}

function changed(
  present: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string | undefined>>,
): Record<string, string | null> {
  const result: Record<string, string | null> = {};
  for (const [key, value] of Object.entries(wanted)) {
    if (present?.[key] !== value) result[key] = value ?? null;
  }
  return result;
}
