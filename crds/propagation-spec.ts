// What PropagationPolicy and ClusterPropagationPolicy say: which objects go where, and how.
import { z } from "zod";
import { ResourceSelector } from "./affinity.js";
import { conditions } from "./condition.js";
import { AGE, conditionColumn, type PrinterColumn } from "./definition.js";
import { FailoverBehavior } from "./failover.js";
import { Placement } from "./placement.js";
import { object, withDefault, withRules, type DeepReadonly } from "./schema.js";
import { Suspension } from "./suspension.js";

/** Where the priority of a workload's placement comes from. */
export const SchedulePriority = object({
  priorityClassSource: z.enum(["KubePriorityClass"]).describe("The kind of class that `priorityClassName` names."),
  priorityClassName: z.string().describe("Name of the priority class."),
}).describe("Where the priority in the scheduling queue comes from.");
export type SchedulePriority = DeepReadonly<z.infer<typeof SchedulePriority>>;

const DEFAULT_SCHEDULER_RULE = {
  rule: "self == oldSelf || (self in ['', 'default', 'default-scheduler'] && oldSelf in ['', 'default', 'default-scheduler'])",
  message: "schedulerName cannot change; make the policy anew to use another scheduler",
};

/** `spec` of both policies. */
export const PropagationSpec = withRules(
  object({
    resourceSelectors: z
      .array(ResourceSelector)
      .min(1)
      .max(1024)
      .describe("The objects this policy is about. An object that fits any of these is selected."),
    association: z.boolean().optional().describe("Without effect; replaced by propagateDeps."),
    propagateDeps: z
      .boolean()
      .optional()
      .describe("Whether what a workload refers to (ConfigMaps, Secrets and the like) goes to the same clusters."),
    propagateDependensies: z
      .boolean()
      .optional()
      .describe("A misspelling of propagateDeps found in manifests; it is refused so that it cannot be lost unseen."),
    placement: Placement.optional().describe("Where the objects go. Empty is every cluster."),
    priority: withDefault(z.int32(), 0).describe("The higher wins among policies that select the same object."),
    preemption: withDefault(z.enum(["Always", "Never"]), "Never").describe(
      "Always takes over objects that a policy of lower priority holds.",
    ),
    dependentOverrides: z
      .array(z.string())
      .optional()
      .describe("Override policies that must exist before anything is sent to a cluster."),
    schedulerName: withDefault(withRules(z.string().max(253), [DEFAULT_SCHEDULER_RULE]), "default-scheduler").describe(
      "The scheduler that places the objects. It cannot change.",
    ),
    failover: FailoverBehavior.optional().describe("What happens to workloads that fail, or whose cluster fails."),
    conflictResolution: withDefault(z.enum(["Abort", "Overwrite"]), "Abort").describe(
      "What happens when the object is already in a cluster: Abort leaves it alone and reports it, Overwrite takes it over.",
    ),
    activationPreference: z
      .enum(["Lazy"])
      .optional()
      .describe("Lazy applies changes of this policy only when the object itself changes next."),
    suspension: Suspension.optional().describe("What is held back for now. Deletion is never held back."),
    preserveResourcesOnDeletion: z
      .boolean()
      .optional()
      .describe(
        "True keeps the objects in the clusters, unharmed and without any mark, when their template is deleted. Deleting this policy never deletes anything.",
      ),
    schedulePriority: SchedulePriority.optional().describe("Where the priority in the scheduling queue comes from."),
  }),
  [
    {
      rule: "!has(self.preemption) || self.preemption != 'Always' || self.resourceSelectors.all(s, has(s.name) && size(s.name) > 0)",
      message:
        "preemption: Always needs a name in every resource selector; name the objects, or write preemption: Never",
      reason: "FieldValueRequired",
      fieldPath: ".resourceSelectors",
    },
  ],
).describe("Which objects go to which clusters, and how.");
export type PropagationSpec = DeepReadonly<z.infer<typeof PropagationSpec>>;

/** `status` of both policies; an addition of ours. */
export const PropagationStatus = object({
  observedGeneration: z.int().optional().describe("The generation of the policy that this status is about."),
  matched: z.int32().optional().describe("How many objects this policy holds."),
  conditions: conditions("Ready, Applied"),
}).describe("What has become of the policy.");
export type PropagationStatus = DeepReadonly<z.infer<typeof PropagationStatus>>;

/** Karmada's columns first, then ours. */
export const PROPAGATION_COLUMNS: readonly PrinterColumn[] = [
  {
    name: "Conflict-Resolution",
    type: "string",
    jsonPath: ".spec.conflictResolution",
    description: "What happens to objects that are already in a cluster.",
  },
  { name: "Priority", type: "integer", jsonPath: ".spec.priority", description: "The higher wins." },
  AGE,
  {
    name: "Preserve",
    type: "boolean",
    jsonPath: ".spec.preserveResourcesOnDeletion",
    description: "Whether objects stay in the clusters when their template is deleted.",
  },
  { name: "Matched", type: "integer", jsonPath: ".status.matched", description: "How many objects the policy holds." },
  conditionColumn("Applied", "Applied", "Whether every cluster has what the policy holds."),
  {
    name: "Clusters",
    type: "string",
    jsonPath: ".spec.placement.clusterAffinity.clusterNames",
    description: "The clusters named by the policy.",
    priority: 1,
  },
];
