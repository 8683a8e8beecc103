// Which marks does every propagation policy get, whatever its manifest says?
import { randomUUID } from "node:crypto";
import type { KubeObject } from "../../crds/object.js";
import { changesFor, labelOf, type MetadataChanges } from "../../lib/domain/admission-changes.js";
import { CPP_FINALIZER, CPP_ID_LABEL, PP_FINALIZER, PP_ID_LABEL } from "../../lib/domain/marks.js";

const MARKS = {
  PropagationPolicy: { label: PP_ID_LABEL, finalizer: PP_FINALIZER },
  ClusterPropagationPolicy: { label: CPP_ID_LABEL, finalizer: CPP_FINALIZER },
};

/**
 * What to merge into a policy, or `undefined`. A new policy gets a new id, also when its manifest was exported from
 * another one; an old policy keeps its id and finalizer when a replace left them out. Lists that people write
 * (selectors, tolerations) are never touched: Argo CD would report a difference for ever.
 */
export function defaults(
  object: KubeObject,
  old?: KubeObject,
  newId: () => string = randomUUID,
): MetadataChanges | undefined {
  const { label, finalizer } =
    object.kind === "PropagationPolicy" ? MARKS.PropagationPolicy : MARKS.ClusterPropagationPolicy;
  return changesFor(object, { label, finalizer, value: labelOf(old, label) ?? newId() });
}
