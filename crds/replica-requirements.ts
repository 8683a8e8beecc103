// What one replica of a workload needs from a cluster.
import { z } from "zod";
import { object, resourceList, type DeepReadonly } from "./schema.js";
import { Toleration } from "./taint.js";

const NodeSelectorRequirement = object({
  key: z.string().describe("The node label or field."),
  operator: z.string().describe("How the value relates to `values`: In, NotIn, Exists, DoesNotExist, Gt or Lt."),
  values: z.array(z.string()).optional().describe("The values to compare with."),
}).describe("One requirement on a node.");

const NodeSelectorTerm = object({
  matchExpressions: z.array(NodeSelectorRequirement).optional().describe("Requirements on labels of the node."),
  matchFields: z.array(NodeSelectorRequirement).optional().describe("Requirements on fields of the node."),
}).describe("Requirements that must all hold.");

const NodeSelector = object({
  nodeSelectorTerms: z.array(NodeSelectorTerm).describe("Terms of which one must hold."),
}).describe("Selects nodes by label and field.");

/** Which nodes a replica can run on. */
export const NodeClaim = object({
  hardNodeAffinity: NodeSelector.optional().describe("Node affinity that must hold."),
  nodeSelector: z.record(z.string(), z.string()).optional().describe("Node labels that must be there."),
  tolerations: z.array(Toleration).optional().describe("Node taints that are tolerated."),
}).describe("Which nodes a replica can run on.");
export type NodeClaim = DeepReadonly<z.infer<typeof NodeClaim>>;

const requirementsShape = {
  nodeClaim: NodeClaim.optional().describe("Which nodes a replica can run on."),
  resourceRequest: resourceList().optional().describe("What one replica asks for, by resource."),
  priorityClassName: z.string().optional().describe("Priority class of the replicas."),
};

/** What one replica of a component needs. */
export const ComponentReplicaRequirements = object(requirementsShape).describe("What one replica needs.");
export type ComponentReplicaRequirements = DeepReadonly<z.infer<typeof ComponentReplicaRequirements>>;

/** What one replica of a workload needs. */
export const ReplicaRequirements = object({
  ...requirementsShape,
  namespace: z.string().optional().describe("Namespace of the replicas."),
}).describe("What one replica needs.");
export type ReplicaRequirements = DeepReadonly<z.infer<typeof ReplicaRequirements>>;

/** One pod template of a workload that has several. */
export const Component = object({
  name: z.string().max(32).describe("Name of the component, unique within the workload."),
  replicas: z.int32().describe("How many replicas it has."),
  replicaRequirements: ComponentReplicaRequirements.optional().describe("What one replica needs."),
}).describe("One pod template of a workload that has several.");
export type Component = DeepReadonly<z.infer<typeof Component>>;
