// Pepr's doors for propagation policies.
import { Capability, RegisterKind } from "pepr";
import { GenericKind } from "kubernetes-fluent-client";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { answer, fillIn } from "../../lib/engine/admission.js";
import { CLUSTER_PROPAGATION_POLICIES, PROPAGATION_POLICIES } from "../../lib/kube/kinds.js";
import type { KubeObject } from "../../crds/object.js";
import type { PolicyKind } from "../../lib/domain/policy-choice.js";
import { defaults } from "./default.js";
import { validate } from "./validate.js";

class PropagationPolicyKind extends GenericKind {}
class ClusterPropagationPolicyKind extends GenericKind {}
RegisterKind(PropagationPolicyKind, PROPAGATION_POLICIES);
RegisterKind(ClusterPropagationPolicyKind, CLUSTER_PROPAGATION_POLICIES);

/** What the doors lead to; `wake` only puts a key on a queue. */
export interface PropagationDoors {
  readonly context: () => AdmissionContext;
  readonly wake: (kind: PolicyKind, metadata: KubeObject["metadata"]) => void;
}

/** Webhooks and watch actions for both kinds of policy. */
export function propagationCapability({ context, wake }: PropagationDoors): Capability {
  const capability = new Capability({
    name: "holdfast-propagation",
    description: "Checks propagation policies, and gives each an id and a finalizer.",
  });
  const kinds = [
    { model: PropagationPolicyKind, kind: "PropagationPolicy" },
    { model: ClusterPropagationPolicyKind, kind: "ClusterPropagationPolicy" },
  ] as const;
  for (const { model, kind } of kinds) {
    capability
      .When(model)
      .IsCreatedOrUpdated()
      .Mutate(request => fillIn(request, defaults))
      .Validate(request => answer(request, validate, context()))
      .Watch(policy => wake(kind, policy.metadata as KubeObject["metadata"]));
  }
  return capability;
}
