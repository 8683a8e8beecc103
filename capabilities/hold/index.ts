// Pepr's doors for what an ordinary host holds back; which requests come here at all is said in the webhook configuration.
import { Capability, RegisterKind } from "pepr";
import { GenericKind } from "kubernetes-fluent-client";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { HELD_KINDS } from "../../lib/domain/held-kinds.js";
import { hold } from "../../lib/domain/hold.js";
import { answer, rewrite } from "../../lib/engine/admission.js";
import type { Labelled } from "../../lib/kube/labelled.js";
import { statusAsItWas } from "./status.js";
import { validateNamespace } from "./validate-namespace.js";
import { adviseTaker, validate } from "./validate.js";

/** An empty kind matches every kind. */
class CreatedKind extends GenericKind {}
RegisterKind(CreatedKind, { group: "", version: "", kind: "" });
/** Pepr's own classes of kinds lose their names, by which it knows them, where everything is bundled into one file. */
class NamespaceKind extends GenericKind {}
RegisterKind(NamespaceKind, { group: "", version: "v1", kind: "Namespace" });

const heldModels = HELD_KINDS.map(({ group, version, kind }) => {
  const model = class extends GenericKind {};
  // Pepr knows a kind by the name of its class.
  Object.defineProperty(model, "name", { value: `Held${kind}` });
  RegisterKind(model, { group, version, kind });
  return model;
});

/** What the doors lead to. */
export interface HoldDoors {
  readonly context: () => AdmissionContext;
  /** What stands in a namespace of the kinds that are held; does not throw and does not take long. */
  readonly templatesIn: (namespace: string) => Promise<Labelled>;
  /** Says lines in the answer to a mutating request. */
  readonly tell: (uid: string, lines: readonly string[]) => void;
}

/** Webhooks for the kinds that are held, for their status, for what is created beside them, and for their namespaces. */
export function holdCapability({ context, templatesIn, tell }: HoldDoors): Capability {
  const capability = new Capability({
    name: "holdfast-hold",
    description: "Holds templates back in namespaces with the label holdfast.dev/templates=true.",
  });
  for (const model of heldModels) {
    capability
      .When(model)
      .IsCreatedOrUpdated()
      .Mutate(request => {
        const { uid, subResource } = request.Request;
        if (subResource === "status") return rewrite(request, statusAsItWas);
        rewrite(request, (object, old) => {
          tell(uid, adviseTaker(object, old).warnings);
          return hold(object, old);
        });
      });
    capability
      .When(model)
      .IsUpdated()
      .Validate(request => answer(request, validate, context()));
  }
  capability
    .When(CreatedKind)
    .IsCreated()
    .Validate(request => answer(request, validate, context()));
  capability
    .When(NamespaceKind)
    .IsUpdated()
    .Validate(request =>
      answer(
        request,
        async (namespace, { old }) => validateNamespace(namespace, old, await templatesIn(namespace.metadata.name)),
        context(),
      ),
    );
  return capability;
}
