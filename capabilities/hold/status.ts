// What do the host's own controllers get to say about a held object?
import type { KubeObject } from "../../crds/object.js";

/**
 * The object with the status that it had: nothing. They see no Pods, so what they would write is not true, and an answer
 * that changes nothing makes their write none; a refusal would have them try again and again (design 1). Only the operator,
 * whose writes do not come here, reports.
 */
export function statusAsItWas(object: KubeObject, old: KubeObject | undefined): KubeObject {
  const { status: _theirs, ...rest } = object;
  return old?.["status"] === undefined ? rest : { ...rest, status: old["status"] };
}
