// ClusterResourceBinding: the clusters that one cluster-scoped object goes to, and its state there.
import type { z } from "zod";
import { ResourceBindingSpec } from "./binding-spec.js";
import { BINDING_COLUMNS, ResourceBindingStatus } from "./binding-status.js";
import type { KindDefinition } from "./definition.js";
import { kindShape, type DeepReadonly } from "./schema.js";

/** The clusters that one cluster-scoped object goes to, and its state there. */
export const ClusterResourceBinding = kindShape("work.karmada.io/v1alpha2", "ClusterResourceBinding", {
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus.optional(),
});
export type ClusterResourceBinding = DeepReadonly<z.infer<typeof ClusterResourceBinding>>;

/** How the API server serves it. */
export const clusterResourceBindingKind: KindDefinition = {
  group: "work.karmada.io",
  version: "v1alpha2",
  kind: "ClusterResourceBinding",
  plural: "clusterresourcebindings",
  singular: "clusterresourcebinding",
  shortNames: ["crb"],
  scope: "Cluster",
  description: "The clusters that one cluster-scoped object goes to, and its state there.",
  columns: BINDING_COLUMNS,
  schema: ClusterResourceBinding,
};
