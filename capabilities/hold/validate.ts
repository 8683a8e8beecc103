// What is a person told who creates something in a namespace of templates?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { FINE, together, warn, type AdmissionContext, type Verdict } from "../../lib/domain/admission.js";
import { heldKindOf, overwritten } from "../../lib/domain/hold.js";
import { TEMPLATES_LABEL } from "../../lib/domain/marks.js";

/** Groups of our own kinds: nothing on the host acts on them but we. */
const OURS = ["karmada.io", "holdfast.dev"];

/**
 * Warns where the hold took the place of what the authors chose, and where nothing can be held: an Ingress, or a custom
 * resource, is acted on by its controller on this host too.
 */
export function validate(object: KubeObject, { old }: AdmissionContext): Verdict {
  if (heldKindOf(object)) return together(newlyOverwritten(object, old).map(warnOverwritten));
  const { group, kind } = gvkOf(object);
  if (old || OURS.some(ours => group === ours || group.endsWith(`.${ours}`))) return FINE;
  return warn(
    `${kind} is not held back: if this cluster has a controller for it, it acts here, too (${TEMPLATES_LABEL})`,
  );
}

/** Said once, and not with every later write. */
function newlyOverwritten(object: KubeObject, old: KubeObject | undefined): string[] {
  const before = old ? overwritten(old) : [];
  return overwritten(object).filter(field => !before.includes(field));
}

function warnOverwritten(field: string): Verdict {
  return warn(`spec.${field}: your value goes to the members; here another one keeps it from starting`);
}
