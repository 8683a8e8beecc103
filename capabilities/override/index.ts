// Pepr's doors for override policies.
import { Capability, RegisterKind } from "pepr";
import { GenericKind } from "kubernetes-fluent-client";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { answer } from "../../lib/engine/admission.js";
import { CLUSTER_OVERRIDE_POLICIES, OVERRIDE_POLICIES } from "../../lib/kube/kinds.js";
import { validate } from "./validate.js";

class OverridePolicyKind extends GenericKind {}
class ClusterOverridePolicyKind extends GenericKind {}
RegisterKind(OverridePolicyKind, OVERRIDE_POLICIES);
RegisterKind(ClusterOverridePolicyKind, CLUSTER_OVERRIDE_POLICIES);

/** Webhooks for both kinds of override policy. Their changes reach the bindings through the engine's own reflectors. */
export function overrideCapability(context: () => AdmissionContext): Capability {
  const capability = new Capability({ name: "holdfast-override", description: "Checks override policies." });
  for (const model of [OverridePolicyKind, ClusterOverridePolicyKind]) {
    capability
      .When(model)
      .IsCreatedOrUpdated()
      .Validate(request => answer(request, validate, context()));
  }
  return capability;
}
