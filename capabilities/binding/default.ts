// Which mark does every binding get, whatever its manifest says?
import type { KubeObject } from "../../crds/object.js";
import { changesFor, labelOf, type MetadataChanges } from "../../lib/domain/admission-changes.js";
import { CRB_ID_LABEL, RB_ID_LABEL } from "../../lib/domain/marks.js";
import { bindingPermanentId } from "../../lib/domain/names.js";

/**
 * What to merge into a ResourceBinding or ClusterResourceBinding, or `undefined`: its id, when it has none or an update
 * left it out. The id follows from the name, so a binding that is made again is known to its Works.
 */
export function defaults(object: KubeObject, old?: KubeObject): MetadataChanges | undefined {
  const label = object.kind === "ResourceBinding" ? RB_ID_LABEL : CRB_ID_LABEL;
  const { namespace, name } = object.metadata;
  const value = labelOf(old, label) ?? labelOf(object, label) ?? bindingPermanentId(object.kind, namespace, name);
  return changesFor(object, { label, value });
}
