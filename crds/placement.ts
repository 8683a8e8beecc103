// Where objects go: the placement of a policy, copied into its bindings.
import { z } from "zod";
import { ClusterAffinity, clusterAffinityShape } from "./affinity.js";
import { object, withDefault, withRules, type DeepReadonly } from "./schema.js";
import { Toleration } from "./taint.js";

const affinityName = z.string().min(1).max(32);

/** A tier of clusters that takes only what the group before it cannot hold. */
export const OverflowClusterAffinity = object({
  affinityName: affinityName.describe("Name of this tier, unique within its group."),
  ...clusterAffinityShape,
}).describe("Clusters that are used only for what the tiers before cannot hold.");
export type OverflowClusterAffinity = DeepReadonly<z.infer<typeof OverflowClusterAffinity>>;

/** One group of the ordered list `clusterAffinities`. */
export const ClusterAffinityTerm = object({
  affinityName: affinityName.describe("Name of this group, unique within the policy."),
  ...clusterAffinityShape,
  overflowAffinities: z
    .array(OverflowClusterAffinity)
    .optional()
    .describe("Further tiers, in order, for what the clusters of this group cannot hold."),
}).describe("One group of clusters; the first group that can take the objects is used.");
export type ClusterAffinityTerm = DeepReadonly<z.infer<typeof ClusterAffinityTerm>>;

/** How objects are spread over groups of clusters. */
export const SpreadConstraint = object({
  spreadByField: z
    .enum(["cluster", "region", "zone", "provider"])
    .optional()
    .describe("The cluster field that forms the groups."),
  spreadByLabel: z.string().optional().describe("The cluster label whose values form the groups."),
  maxGroups: z.int32().optional().describe("The most groups that may be used."),
  minGroups: z.int32().optional().describe("The fewest groups that must be used."),
}).describe("Spreads the chosen clusters over groups.");
export type SpreadConstraint = DeepReadonly<z.infer<typeof SpreadConstraint>>;

/** The weight of some clusters when replicas are divided. */
export const StaticClusterWeight = object({
  targetCluster: ClusterAffinity.describe("The clusters that have this weight."),
  weight: z.int().min(1).describe("The share of these clusters in relation to the others."),
}).describe("Gives a fixed weight to some clusters.");
export type StaticClusterWeight = DeepReadonly<z.infer<typeof StaticClusterWeight>>;

/** Weights for dividing replicas. */
export const ClusterPreferences = object({
  staticWeightList: z.array(StaticClusterWeight).optional().describe("Fixed weights by cluster."),
  dynamicWeight: z
    .enum(["AvailableReplicas"])
    .optional()
    .describe("Where weights come from instead: AvailableReplicas is how many replicas a cluster can still hold."),
}).describe("Weights of the clusters when replicas are divided by weight.");
export type ClusterPreferences = DeepReadonly<z.infer<typeof ClusterPreferences>>;

/** How the replicas of a workload become replicas in members. */
export const ReplicaSchedulingStrategy = object({
  replicaSchedulingType: withDefault(z.enum(["Duplicated", "Divided"]), "Divided").describe(
    "Duplicated gives every cluster the template's replicas; Divided shares them out.",
  ),
  replicaDivisionPreference: z
    .enum(["Aggregated", "Weighted"])
    .optional()
    .describe("How divided replicas are shared out: into as few clusters as possible, or by weight."),
  weightPreference: ClusterPreferences.optional().describe("The weights, when replicas are divided by weight."),
}).describe("How the template's replicas become replicas in the clusters. Without it every cluster gets all of them.");
export type ReplicaSchedulingStrategy = DeepReadonly<z.infer<typeof ReplicaSchedulingStrategy>>;

/** Names the label by which workloads form a group. */
export const WorkloadAffinityTerm = object({
  groupByLabelKey: z.string().describe("Key of the template label whose value names the group."),
}).describe("Groups workloads by the value of a label.");
export type WorkloadAffinityTerm = DeepReadonly<z.infer<typeof WorkloadAffinityTerm>>;

/** Which workloads go together, and which apart. */
export const WorkloadAffinity = object({
  affinity: WorkloadAffinityTerm.optional().describe("Workloads of one group go to the same clusters."),
  antiAffinity: WorkloadAffinityTerm.optional().describe("Workloads of one group go to different clusters."),
}).describe("Places workloads in relation to each other.");
export type WorkloadAffinity = DeepReadonly<z.infer<typeof WorkloadAffinity>>;

/** Where the selected objects go. Empty is every cluster. */
export const Placement = withRules(
  object({
    clusterAffinity: ClusterAffinity.optional().describe("The clusters that may be used; empty allows every cluster."),
    clusterAffinities: z
      .array(ClusterAffinityTerm)
      .optional()
      .describe("Groups of clusters that are tried in order; excludes clusterAffinity."),
    clusterTolerations: z.array(Toleration).optional().describe("Cluster taints that do not keep the objects away."),
    spreadConstraints: z
      .array(SpreadConstraint)
      .optional()
      .describe("How the chosen clusters must be spread over groups of clusters."),
    replicaScheduling: ReplicaSchedulingStrategy.optional().describe(
      "How the template's replicas become replicas in the clusters. Without it every cluster gets all of them.",
    ),
    workloadAffinity: WorkloadAffinity.optional().describe("Places workloads in relation to each other."),
  }),
  [
    {
      rule: "!(has(self.clusterAffinity) && has(self.clusterAffinities) && size(self.clusterAffinities) > 0)",
      message: "clusterAffinity and clusterAffinities exclude each other; keep one of them",
      reason: "FieldValueForbidden",
      fieldPath: ".clusterAffinities",
    },
  ],
).describe("Where the objects go. Empty is every cluster.");
export type Placement = DeepReadonly<z.infer<typeof Placement>>;
