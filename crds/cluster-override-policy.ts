// ClusterOverridePolicy: changes how cluster-scoped objects, and objects of any namespace, look in some clusters.
import type { z } from "zod";
import type { KindDefinition } from "./definition.js";
import { OVERRIDE_COLUMNS, OverrideSpec } from "./override-spec.js";
import { kindShape, type DeepReadonly } from "./schema.js";

/** Changes how cluster-scoped objects, and objects of any namespace, look in some clusters. */
export const ClusterOverridePolicy = kindShape("policy.karmada.io/v1alpha1", "ClusterOverridePolicy", {
  spec: OverrideSpec,
});
export type ClusterOverridePolicy = DeepReadonly<z.infer<typeof ClusterOverridePolicy>>;

/** How the API server serves it. */
export const clusterOverridePolicyKind: KindDefinition = {
  group: "policy.karmada.io",
  version: "v1alpha1",
  kind: "ClusterOverridePolicy",
  plural: "clusteroverridepolicies",
  singular: "clusteroverridepolicy",
  shortNames: ["cop"],
  scope: "Cluster",
  description: "Changes how cluster-scoped objects, and objects of any namespace, look in some clusters.",
  columns: OVERRIDE_COLUMNS,
  schema: ClusterOverridePolicy,
};
