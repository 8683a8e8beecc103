// Cluster: a member that objects can be sent to.
import { z } from "zod";
import { ClusterSpec } from "./cluster-spec.js";
import { conditions } from "./condition.js";
import { AGE, conditionColumn, type KindDefinition } from "./definition.js";
import { kindShape, object, resourceList, type DeepReadonly } from "./schema.js";

/** One kind that the cluster serves. */
export const APIResource = object({
  name: z.string().describe("Plural name of the kind."),
  kind: z.string().describe("The kind."),
}).describe("One kind that the cluster serves.");
export type APIResource = DeepReadonly<z.infer<typeof APIResource>>;

/** One API version that the cluster serves. */
export const APIEnablement = object({
  groupVersion: z.string().describe("The API version, for example `apps/v1`."),
  resources: z.array(APIResource).optional().describe("The kinds it holds."),
}).describe("One API version that the cluster serves.");
export type APIEnablement = DeepReadonly<z.infer<typeof APIEnablement>>;

/** How many nodes the cluster has. */
export const NodeSummary = object({
  totalNum: z.int32().optional().describe("All nodes."),
  readyNum: z.int32().optional().describe("Nodes that are ready."),
}).describe("How many nodes the cluster has.");
export type NodeSummary = DeepReadonly<z.infer<typeof NodeSummary>>;

/** How many nodes of one grade are free. */
export const AllocatableModeling = object({
  grade: z.int().min(0).describe("Number of the grade."),
  count: z.int().describe("How many nodes fall into it."),
}).describe("How many nodes fall into one grade.");
export type AllocatableModeling = DeepReadonly<z.infer<typeof AllocatableModeling>>;

/** What the cluster has, and what of it is taken. */
export const ResourceSummary = object({
  allocatable: resourceList().optional().describe("What the ready nodes offer."),
  allocating: resourceList().optional().describe("What pods ask for that wait for a node."),
  allocated: resourceList().optional().describe("What pods ask for that have a node."),
  allocatableModelings: z.array(AllocatableModeling).optional().describe("How many nodes fall into each grade."),
}).describe("What the cluster has, and what of it is taken.");
export type ResourceSummary = DeepReadonly<z.infer<typeof ResourceSummary>>;

/** `status` of a Cluster. */
export const ClusterStatus = object({
  observedGeneration: z.int().optional().describe("The generation of the Cluster that this status is about."),
  kubernetesVersion: z.string().optional().describe("Version of the cluster's API server."),
  apiEnablements: z.array(APIEnablement).optional().describe("What the cluster serves."),
  conditions: conditions("Ready, CompleteAPIEnablements"),
  nodeSummary: NodeSummary.optional().describe("How many nodes the cluster has."),
  resourceSummary: ResourceSummary.optional().describe("What the cluster has, and what of it is taken."),
  remedyActions: z.array(z.string()).optional().describe("What is being done about trouble in the cluster."),
}).describe("What is known about the cluster.");
export type ClusterStatus = DeepReadonly<z.infer<typeof ClusterStatus>>;

/** A member that objects can be sent to. */
export const Cluster = kindShape("cluster.karmada.io/v1alpha1", "Cluster", {
  spec: ClusterSpec,
  status: ClusterStatus.optional(),
});
export type Cluster = DeepReadonly<z.infer<typeof Cluster>>;

/** How the API server serves it. */
export const clusterKind: KindDefinition = {
  group: "cluster.karmada.io",
  version: "v1alpha1",
  kind: "Cluster",
  plural: "clusters",
  singular: "cluster",
  scope: "Cluster",
  description: "A member that objects can be sent to.",
  columns: [
    { name: "Version", type: "string", jsonPath: ".status.kubernetesVersion", description: "Kubernetes version." },
    { name: "Mode", type: "string", jsonPath: ".spec.syncMode", description: "Push or Pull." },
    conditionColumn("Ready", "Ready", "Whether the cluster answers and is healthy."),
    AGE,
    { name: "Zones", type: "string", jsonPath: ".spec.zones", description: "Zones of the cluster.", priority: 1 },
    { name: "Region", type: "string", jsonPath: ".spec.region", description: "Region of the cluster.", priority: 1 },
    { name: "Provider", type: "string", jsonPath: ".spec.provider", description: "Who provides it.", priority: 1 },
    { name: "API-Endpoint", type: "string", jsonPath: ".spec.apiEndpoint", description: "Its URL.", priority: 1 },
    { name: "Proxy-URL", type: "string", jsonPath: ".spec.proxyURL", description: "The proxy before it.", priority: 1 },
  ],
  schema: Cluster,
};
