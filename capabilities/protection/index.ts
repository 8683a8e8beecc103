// Pepr's doors for policies about deletion, and for every deletion.
import { Capability, RegisterKind } from "pepr";
import { GenericKind } from "kubernetes-fluent-client";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { answer, answerDeletion, fillIn } from "../../lib/engine/admission.js";
import type { KubeObject } from "../../crds/object.js";
import { CASCADE_DELETION_POLICIES, CLUSTER_CASCADE_DELETION_POLICIES } from "../../lib/kube/kinds.js";
import { defaults } from "./default.js";
import { validateDeletion } from "./validate-deletion.js";
import { validateNamespaceDeletion, type Holding } from "./validate-namespace-deletion.js";
import { validate } from "./validate.js";

class CascadeDeletionPolicyKind extends GenericKind {}
class ClusterCascadeDeletionPolicyKind extends GenericKind {}
RegisterKind(CascadeDeletionPolicyKind, CASCADE_DELETION_POLICIES);
RegisterKind(ClusterCascadeDeletionPolicyKind, CLUSTER_CASCADE_DELETION_POLICIES);

/** An empty kind matches every kind; which ones come here at all is said in the webhook configuration. */
class AnyKind extends GenericKind {}
RegisterKind(AnyKind, { group: "", version: "", kind: "" });

/** What the doors lead to. */
export interface ProtectionDoors {
  readonly context: () => AdmissionContext;
  /** The protected objects of a namespace; does not throw and does not take long. */
  readonly protectedIn: (namespace: string) => Promise<Holding>;
}

/** Webhooks for both kinds of policy about deletion, and for deletions of anything. */
export function protectionCapability({ context, protectedIn }: ProtectionDoors): Capability {
  const capability = new Capability({
    name: "holdfast-protection",
    description: "Checks policies about deletion, and says what a deletion means for the copies.",
  });
  for (const model of [CascadeDeletionPolicyKind, ClusterCascadeDeletionPolicyKind]) {
    capability
      .When(model)
      .IsCreatedOrUpdated()
      .Mutate(request => fillIn(request, defaults))
      .Validate(request => answer(request, validate, context()));
  }
  capability
    .When(AnyKind)
    .IsDeleted()
    .Validate(request =>
      answerDeletion(request, async (object, deletion) =>
        isNamespace(object)
          ? validateNamespaceDeletion(object, deletion, context(), await protectedIn(object.metadata.name))
          : validateDeletion(object, deletion, context()),
      ),
    );
  return capability;
}

function isNamespace({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === "v1" && kind === "Namespace";
}
