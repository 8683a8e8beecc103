// Which mark does every Work get, whatever its manifest says?
import type { KubeObject } from "../../crds/object.js";
import { changesFor, labelOf, type MetadataChanges } from "../../lib/domain/admission-changes.js";
import { WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { workPermanentId } from "../../lib/domain/names.js";

/**
 * What to merge into a Work, or `undefined`: its id, when it has none or an update left it out. The id follows from
 * namespace and name, so that a host that was rebuilt knows its objects in the members.
 */
export function defaults(object: KubeObject, old?: KubeObject): MetadataChanges | undefined {
  const { namespace = "", name } = object.metadata;
  const value = labelOf(old, WORK_ID_LABEL) ?? labelOf(object, WORK_ID_LABEL) ?? workPermanentId(namespace, name);
  return changesFor(object, { label: WORK_ID_LABEL, value });
}
