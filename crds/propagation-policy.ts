// PropagationPolicy: sends objects of its own namespace to clusters.
import type { z } from "zod";
import type { KindDefinition } from "./definition.js";
import { PROPAGATION_COLUMNS, PropagationSpec, PropagationStatus } from "./propagation-spec.js";
import { kindShape, type DeepReadonly } from "./schema.js";

/** Sends objects of its own namespace to clusters. */
export const PropagationPolicy = kindShape("policy.karmada.io/v1alpha1", "PropagationPolicy", {
  spec: PropagationSpec,
  status: PropagationStatus.optional(),
});
export type PropagationPolicy = DeepReadonly<z.infer<typeof PropagationPolicy>>;

/** How the API server serves it. */
export const propagationPolicyKind: KindDefinition = {
  group: "policy.karmada.io",
  version: "v1alpha1",
  kind: "PropagationPolicy",
  plural: "propagationpolicies",
  singular: "propagationpolicy",
  shortNames: ["pp"],
  scope: "Namespaced",
  description: "Sends objects of its own namespace to clusters.",
  columns: PROPAGATION_COLUMNS,
  schema: PropagationPolicy,
};
