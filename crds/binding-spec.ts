// What a binding says: one object, and the clusters it goes to.
import { z } from "zod";
import { Cascade, CASCADE_MEANING } from "./cascade-deletion-spec.js";
import { GracefulEvictionTask } from "./eviction.js";
import { FailoverBehavior } from "./failover.js";
import { Placement } from "./placement.js";
import { Component, ReplicaRequirements } from "./replica-requirements.js";
import { dateTime, object, withDefault, type DeepReadonly } from "./schema.js";
import { BindingSuspension } from "./suspension.js";

/** The template of a binding. */
export const ObjectReference = object({
  apiVersion: z.string().describe("API version of the template."),
  kind: z.string().describe("Kind of the template."),
  namespace: z.string().optional().describe("Namespace of the template; none when it is cluster-scoped."),
  name: z.string().describe("Name of the template."),
  uid: z.string().optional().describe("UID of the template, so that a namesake is not taken for it."),
  resourceVersion: z.string().optional().describe("The version of the template that was read last."),
}).describe("The object that is sent to clusters.");
export type ObjectReference = DeepReadonly<z.infer<typeof ObjectReference>>;

/** How many replicas of one component a cluster gets. */
export const TargetComponent = object({
  name: z.string().describe("Name of the component."),
  replicas: z.int32().describe("How many replicas of it the cluster gets."),
}).describe("One component's replicas in the cluster.");
export type TargetComponent = DeepReadonly<z.infer<typeof TargetComponent>>;

/** One cluster an object goes to. */
export const TargetCluster = object({
  name: z.string().describe("Name of the cluster."),
  replicas: z.int32().optional().describe("How many replicas the cluster gets; none when it is not a workload."),
  components: z.array(TargetComponent).optional().describe("Replicas by component, for workloads that have several."),
}).describe("One cluster the object goes to.");
export type TargetCluster = DeepReadonly<z.infer<typeof TargetCluster>>;

/** Another binding whose object needs this one. */
export const BindingSnapshot = object({
  namespace: z.string().optional().describe("Namespace of the other binding."),
  name: z.string().describe("Name of the other binding."),
  clusters: z.array(TargetCluster).optional().describe("The clusters the other object goes to."),
}).describe("Another binding whose object needs this one.");
export type BindingSnapshot = DeepReadonly<z.infer<typeof BindingSnapshot>>;

/** The place of a binding in the scheduling queue. */
export const BindingSchedulePriority = object({
  priority: withDefault(z.int32(), 0).describe("The higher is placed first."),
}).describe("The place in the scheduling queue.");
export type BindingSchedulePriority = DeepReadonly<z.infer<typeof BindingSchedulePriority>>;

/** The groups a workload belongs to. */
export const WorkloadAffinityGroups = object({
  affinityGroup: z.string().optional().describe("Workloads of this group go to the same clusters."),
  antiAffinityGroup: z.string().optional().describe("Workloads of this group go to different clusters."),
}).describe("The groups the workload belongs to.");
export type WorkloadAffinityGroups = DeepReadonly<z.infer<typeof WorkloadAffinityGroups>>;

/** What becomes of the object in one cluster, and on whose word. */
export const ClusterDeletion = object({
  name: z.string().describe("Name of the cluster."),
  cascadeDeletion: Cascade.describe(`What becomes of the object there: ${CASCADE_MEANING}`),
  reason: z
    .enum(["TemplateAnnotation", "CascadeDeletionPolicy", "PolicyField", "Default"])
    .describe("The kind of rule that decided."),
  decidedBy: z.string().describe("What decided, in words: kind and name of the object."),
}).describe("What becomes of the object in one cluster when its template is deleted.");
export type ClusterDeletion = DeepReadonly<z.infer<typeof ClusterDeletion>>;

/** `spec` of both bindings. Written by the operator. */
export const ResourceBindingSpec = object({
  resource: ObjectReference.describe("The object that is sent to clusters."),
  propagateDeps: z.boolean().optional().describe("Whether what the object refers to goes to the same clusters."),
  replicas: z.int32().optional().describe("Replicas of the template; none when it is not a workload."),
  replicaRequirements: ReplicaRequirements.optional().describe("What one replica needs."),
  components: z.array(Component).optional().describe("The pod templates of a workload that has several."),
  clusters: z.array(TargetCluster).optional().describe("The clusters the object goes to."),
  placement: Placement.optional().describe("Where the object may go, copied from its policy."),
  schedulerName: z.string().optional().describe("The scheduler that fills in the clusters."),
  failover: FailoverBehavior.optional().describe("What happens when the workload or its cluster fails."),
  gracefulEvictionTasks: z.array(GracefulEvictionTask).optional().describe("Clusters the object is leaving gently."),
  requiredBy: z.array(BindingSnapshot).optional().describe("Bindings whose objects need this one."),
  conflictResolution: withDefault(z.enum(["Abort", "Overwrite"]), "Abort").describe(
    "What happens when the object is already in a cluster: Abort leaves it alone, Overwrite takes it over.",
  ),
  rescheduleTriggeredAt: dateTime().optional().describe("A time after the last placement asks for a new one."),
  suspension: BindingSuspension.optional().describe("What is held back for now. Deletion is never held back."),
  preserveResourcesOnDeletion: z
    .boolean()
    .optional()
    .describe(
      "True keeps the object in every cluster, without any mark, when its template is deleted. Where clusterDeletion is there, that decides.",
    ),
  clusterDeletion: z
    .array(ClusterDeletion)
    .optional()
    .describe(
      "What becomes of the object in each cluster when its template is deleted; there only when something else than the policy's preserveResourcesOnDeletion decides.",
    ),
  schedulePriority: BindingSchedulePriority.optional().describe("The place in the scheduling queue."),
  workloadAffinityGroups: WorkloadAffinityGroups.optional().describe("The groups the workload belongs to."),
}).describe("One object, and the clusters it goes to. Written by the operator.");
export type ResourceBindingSpec = DeepReadonly<z.infer<typeof ResourceBindingSpec>>;
