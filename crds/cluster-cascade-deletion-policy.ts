// ClusterCascadeDeletionPolicy: decides what becomes of copies of objects of any namespace, and of none.
import type { z } from "zod";
import { CASCADE_COLUMNS, CascadeDeletionSpec, CascadeDeletionStatus } from "./cascade-deletion-spec.js";
import type { KindDefinition } from "./definition.js";
import { kindShape, type DeepReadonly } from "./schema.js";

/** Decides what becomes of objects of any namespace, and of cluster-scoped ones, when their template is deleted. */
export const ClusterCascadeDeletionPolicy = kindShape("policy.karmada.io/v1alpha1", "ClusterCascadeDeletionPolicy", {
  spec: CascadeDeletionSpec,
  status: CascadeDeletionStatus.optional(),
});
export type ClusterCascadeDeletionPolicy = DeepReadonly<z.infer<typeof ClusterCascadeDeletionPolicy>>;

/** How the API server serves it. */
export const clusterCascadeDeletionPolicyKind: KindDefinition = {
  group: "policy.karmada.io",
  version: "v1alpha1",
  kind: "ClusterCascadeDeletionPolicy",
  plural: "clustercascadedeletionpolicies",
  singular: "clustercascadedeletionpolicy",
  shortNames: ["ccdp"],
  scope: "Cluster",
  description:
    "Decides what becomes of objects of any namespace, and of cluster-scoped ones, when their template is deleted.",
  columns: CASCADE_COLUMNS,
  schema: ClusterCascadeDeletionPolicy,
};
