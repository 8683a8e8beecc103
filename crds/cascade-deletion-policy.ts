// CascadeDeletionPolicy: decides what becomes of copies of objects of its own namespace.
import type { z } from "zod";
import { CASCADE_COLUMNS, CascadeDeletionSpec, CascadeDeletionStatus } from "./cascade-deletion-spec.js";
import type { KindDefinition } from "./definition.js";
import { kindShape, type DeepReadonly } from "./schema.js";

/** Decides what becomes of objects of its own namespace in the clusters when their template is deleted. */
export const CascadeDeletionPolicy = kindShape("policy.karmada.io/v1alpha1", "CascadeDeletionPolicy", {
  spec: CascadeDeletionSpec,
  status: CascadeDeletionStatus.optional(),
});
export type CascadeDeletionPolicy = DeepReadonly<z.infer<typeof CascadeDeletionPolicy>>;

/** How the API server serves it. */
export const cascadeDeletionPolicyKind: KindDefinition = {
  group: "policy.karmada.io",
  version: "v1alpha1",
  kind: "CascadeDeletionPolicy",
  plural: "cascadedeletionpolicies",
  singular: "cascadedeletionpolicy",
  shortNames: ["cdp"],
  scope: "Namespaced",
  description: "Decides what becomes of objects of its own namespace in the clusters when their template is deleted.",
  columns: CASCADE_COLUMNS,
  schema: CascadeDeletionPolicy,
};
