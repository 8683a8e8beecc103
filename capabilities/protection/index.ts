// Pepr's doors for policies about deletion.
import { Capability, RegisterKind } from "pepr";
import { GenericKind } from "kubernetes-fluent-client";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { answer, fillIn } from "../../lib/engine/admission.js";
import { CASCADE_DELETION_POLICIES, CLUSTER_CASCADE_DELETION_POLICIES } from "../../lib/kube/kinds.js";
import { defaults } from "./default.js";
import { validate } from "./validate.js";

class CascadeDeletionPolicyKind extends GenericKind {}
class ClusterCascadeDeletionPolicyKind extends GenericKind {}
RegisterKind(CascadeDeletionPolicyKind, CASCADE_DELETION_POLICIES);
RegisterKind(ClusterCascadeDeletionPolicyKind, CLUSTER_CASCADE_DELETION_POLICIES);

/** Webhooks for both kinds of policy about deletion. Their changes reach the engine through its own reflectors. */
export function protectionCapability(context: () => AdmissionContext): Capability {
  const capability = new Capability({
    name: "holdfast-protection",
    description: "Checks policies about deletion, and gives each a finalizer.",
  });
  for (const model of [CascadeDeletionPolicyKind, ClusterCascadeDeletionPolicyKind]) {
    capability
      .When(model)
      .IsCreatedOrUpdated()
      .Mutate(request => fillIn(request, defaults))
      .Validate(request => answer(request, validate, context()));
  }
  return capability;
}
