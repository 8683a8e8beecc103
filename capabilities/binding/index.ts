// Pepr's doors for bindings: people may look at them, and are told when they edit one.
import { Capability, RegisterKind } from "pepr";
import { GenericKind } from "kubernetes-fluent-client";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { answer, fillIn } from "../../lib/engine/admission.js";
import { CLUSTER_RESOURCE_BINDINGS, RESOURCE_BINDINGS } from "../../lib/kube/kinds.js";
import { defaults } from "./default.js";
import { validate } from "./validate.js";

class ResourceBindingKind extends GenericKind {}
class ClusterResourceBindingKind extends GenericKind {}
RegisterKind(ResourceBindingKind, RESOURCE_BINDINGS);
RegisterKind(ClusterResourceBindingKind, CLUSTER_RESOURCE_BINDINGS);

/** Webhooks for both kinds of binding; the operator's own writes do not pass here. */
export function bindingCapability(context: () => AdmissionContext): Capability {
  const capability = new Capability({ name: "holdfast-binding", description: "Checks bindings that people edit." });
  for (const model of [ResourceBindingKind, ClusterResourceBindingKind]) {
    capability
      .When(model)
      .IsCreatedOrUpdated()
      .Mutate(request => fillIn(request, defaults))
      .Validate(request => answer(request, validate, context()));
  }
  return capability;
}
