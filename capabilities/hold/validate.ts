// What is a person told who creates or changes something in a namespace of templates?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import {
  FINE,
  MAX_WARNING_LENGTH,
  together,
  warn,
  type AdmissionContext,
  type Verdict,
} from "../../lib/domain/admission.js";
import { heldKindOf, overwritten, takenInVain } from "../../lib/domain/hold.js";
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

/** Warns who took the hold away that it stands: what is put back would else seem to be accepted. As the object came. */
export function adviseTaker(object: KubeObject, old: KubeObject | undefined): Verdict {
  const path = takenInVain(object, old);
  if (path === undefined) return FINE;
  const line = (namespace: string): string =>
    `${path}: put back, members go without it; to run it here: holdfast templates release ${namespace} --run`;
  const named = line(object.metadata.namespace ?? "NS");
  return warn(named.length <= MAX_WARNING_LENGTH ? named : line("NS"));
}

/** Said once, and not with every later write. */
function newlyOverwritten(object: KubeObject, old: KubeObject | undefined): string[] {
  const before = old ? overwritten(old) : [];
  return overwritten(object).filter(field => !before.includes(field));
}

function warnOverwritten(field: string): Verdict {
  return warn(`spec.${field}: your value goes to the members; here another one keeps it from starting`);
}
