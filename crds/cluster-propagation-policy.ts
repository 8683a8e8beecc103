// ClusterPropagationPolicy: sends cluster-scoped objects, and objects of any namespace, to clusters.
import type { z } from "zod";
import type { KindDefinition } from "./definition.js";
import { PROPAGATION_COLUMNS, PropagationSpec, PropagationStatus } from "./propagation-spec.js";
import { kindShape, type DeepReadonly } from "./schema.js";

/** Sends cluster-scoped objects, and objects of any namespace, to clusters. */
export const ClusterPropagationPolicy = kindShape("policy.karmada.io/v1alpha1", "ClusterPropagationPolicy", {
  spec: PropagationSpec,
  status: PropagationStatus.optional(),
});
export type ClusterPropagationPolicy = DeepReadonly<z.infer<typeof ClusterPropagationPolicy>>;

/** How the API server serves it. */
export const clusterPropagationPolicyKind: KindDefinition = {
  group: "policy.karmada.io",
  version: "v1alpha1",
  kind: "ClusterPropagationPolicy",
  plural: "clusterpropagationpolicies",
  singular: "clusterpropagationpolicy",
  shortNames: ["cpp"],
  scope: "Cluster",
  description: "Sends cluster-scoped objects, and objects of any namespace, to clusters.",
  columns: PROPAGATION_COLUMNS,
  schema: ClusterPropagationPolicy,
};
