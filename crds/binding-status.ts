// What a binding reports: where its object stands in each cluster.
import { z } from "zod";
import { conditions } from "./condition.js";
import { AGE, conditionColumn, type PrinterColumn } from "./definition.js";
import { anyJson, dateTime, object, type DeepReadonly } from "./schema.js";

/** How well an object does, as far as its kind can tell. */
export const ResourceHealth = z.enum(["Healthy", "Unhealthy", "Unknown"]);
export type ResourceHealth = z.infer<typeof ResourceHealth>;

/** The state of the object in one cluster. */
export const AggregatedStatusItem = object({
  clusterName: z.string().describe("Name of the cluster."),
  status: anyJson().optional().describe("The status of the object there."),
  applied: z.boolean().optional().describe("Whether the object there is as it should be."),
  appliedMessage: z.string().optional().describe("Why it is not."),
  pending: z
    .boolean()
    .optional()
    .describe("True where it is not, and nobody has refused it: it is tried again without anybody's doing."),
  presence: z
    .enum(["Ours", "Foreign"])
    .optional()
    .describe(
      "Whose the object there is, where it is not as it should be: Ours (put there or taken over) or Foreign. Not set where that is not known.",
    ),
  health: ResourceHealth.optional().describe("How well the object does there."),
}).describe("The state of the object in one cluster.");
export type AggregatedStatusItem = DeepReadonly<z.infer<typeof AggregatedStatusItem>>;

/** `status` of both bindings. */
export const ResourceBindingStatus = object({
  schedulerObservedGeneration: z.int().optional().describe("The generation that was placed last."),
  schedulerObservingAffinityName: z.string().optional().describe("The affinity group in use."),
  lastScheduledTime: dateTime().optional().describe("When clusters were chosen last."),
  observedGeneration: z.int().optional().describe("The generation of the binding that this status is about."),
  conditions: conditions("Scheduled, FullyApplied, DeletionProtected, Ready"),
  aggregatedStatus: z.array(AggregatedStatusItem).optional().describe("The state of the object by cluster."),
}).describe("Where the object stands.");
export type ResourceBindingStatus = DeepReadonly<z.infer<typeof ResourceBindingStatus>>;

/** Karmada's columns first, then ours. */
export const BINDING_COLUMNS: readonly PrinterColumn[] = [
  conditionColumn("Scheduled", "Scheduled", "Whether clusters were found."),
  conditionColumn("FullyApplied", "FullyApplied", "Whether every cluster has the object."),
  AGE,
  conditionColumn("Preserve", "DeletionProtected", "Whether every copy stays when the template is deleted."),
  conditionColumn("Ready", "Ready", "Whether everything is as it should be."),
  {
    name: "Clusters",
    type: "string",
    jsonPath: ".spec.clusters",
    description: "The clusters the object goes to, with their replicas.",
    priority: 1,
  },
];
