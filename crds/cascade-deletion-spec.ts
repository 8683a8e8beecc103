// What CascadeDeletionPolicy and ClusterCascadeDeletionPolicy say: what becomes of copies when their template is deleted.
import { z } from "zod";
import { ClusterAffinity, ResourceSelector } from "./affinity.js";
import { conditions } from "./condition.js";
import { AGE, conditionColumn, type PrinterColumn } from "./definition.js";
import { object, withDefault, type DeepReadonly } from "./schema.js";

/** What becomes of the object in a cluster when it is let go of. Seed 000's enum, `adopted` and `restore`. */
export const Cascade = z.enum(["orphan", "background", "adopted", "restore"]);
export type Cascade = z.infer<typeof Cascade>;

/** What the values mean, for the description of every field that has them. */
export const CASCADE_MEANING =
  "orphan keeps the object there without any mark, background deletes it, adopted keeps it only where it was there before it was taken over, restore keeps it and gives it back the values that it had before that.";

/** `spec` of both policies. */
export const CascadeDeletionSpec = object({
  cascadeDeletion: withDefault(Cascade, "background").describe(
    `What becomes of the selected objects in the clusters when their template is deleted: ${CASCADE_MEANING}`,
  ),
  resourceSelectors: z
    .array(ResourceSelector)
    .min(1)
    .max(1024)
    .describe("The objects this policy is about; at least one selector. It never means all kinds of objects."),
  targetCluster: ClusterAffinity.optional().describe("The clusters where it counts; empty is every cluster."),
}).describe("What becomes of objects in the clusters when their template is deleted.");
export type CascadeDeletionSpec = DeepReadonly<z.infer<typeof CascadeDeletionSpec>>;

/** `status` of both policies. */
export const CascadeDeletionStatus = object({
  observedGeneration: z
    .int()
    .optional()
    .describe("The generation of the policy up to which all that it has said is on record in bindings."),
  matched: z
    .int32()
    .optional()
    .describe("For how many propagated objects this policy decides, in at least one cluster."),
  conditions: conditions("Ready, Conflict"),
}).describe("What has become of the policy.");
export type CascadeDeletionStatus = DeepReadonly<z.infer<typeof CascadeDeletionStatus>>;

/** What a person looks for: the word, how many objects it counts for, and whether another policy contradicts. */
export const CASCADE_COLUMNS: readonly PrinterColumn[] = [
  {
    name: "Cascade",
    type: "string",
    jsonPath: ".spec.cascadeDeletion",
    description: "What becomes of the objects in the clusters when their template is deleted.",
  },
  { name: "Matched", type: "integer", jsonPath: ".status.matched", description: "For how many objects it decides." },
  conditionColumn("Conflict", "Conflict", "Whether another policy of the same rank says otherwise."),
  AGE,
];
