// OverridePolicy: changes how objects of its own namespace look in some clusters.
import type { z } from "zod";
import type { KindDefinition } from "./definition.js";
import { OVERRIDE_COLUMNS, OverrideSpec } from "./override-spec.js";
import { kindShape, type DeepReadonly } from "./schema.js";

/** Changes how objects of its own namespace look in some clusters. */
export const OverridePolicy = kindShape("policy.karmada.io/v1alpha1", "OverridePolicy", { spec: OverrideSpec });
export type OverridePolicy = DeepReadonly<z.infer<typeof OverridePolicy>>;

/** How the API server serves it. */
export const overridePolicyKind: KindDefinition = {
  group: "policy.karmada.io",
  version: "v1alpha1",
  kind: "OverridePolicy",
  plural: "overridepolicies",
  singular: "overridepolicy",
  shortNames: ["op"],
  scope: "Namespaced",
  description: "Changes how objects of its own namespace look in some clusters.",
  columns: OVERRIDE_COLUMNS,
  schema: OverridePolicy,
};
