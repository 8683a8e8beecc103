// Pepr's doors for Works.
import { Capability, RegisterKind } from "pepr";
import { GenericKind } from "kubernetes-fluent-client";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { answer, fillIn } from "../../lib/engine/admission.js";
import { WORKS } from "../../lib/kube/kinds.js";
import { defaults } from "./default.js";
import { validate } from "./validate.js";

class WorkKind extends GenericKind {}
RegisterKind(WorkKind, WORKS);

/** Webhooks for Works that people write; the operator's own writes do not pass here. */
export function workCapability(context: () => AdmissionContext): Capability {
  const capability = new Capability({ name: "holdfast-work", description: "Checks Works that people write." });
  capability
    .When(WorkKind)
    .IsCreatedOrUpdated()
    .Mutate(request => fillIn(request, defaults))
    .Validate(request => answer(request, validate, context()));
  return capability;
}
