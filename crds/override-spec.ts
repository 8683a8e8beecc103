// What OverridePolicy and ClusterOverridePolicy say: what differs in which cluster.
import { z } from "zod";
import { ClusterAffinity, ResourceSelector } from "./affinity.js";
import { AGE, type PrinterColumn } from "./definition.js";
import { Overriders } from "./overriders.js";
import { object, withRules, type DeepReadonly } from "./schema.js";

/** One difference and the clusters where it is made. */
export const RuleWithCluster = object({
  targetCluster: ClusterAffinity.optional().describe("The clusters where the difference is made; empty is all."),
  overriders: Overriders.describe("How the object differs there."),
}).describe("One difference and the clusters where it is made.");
export type RuleWithCluster = DeepReadonly<z.infer<typeof RuleWithCluster>>;

const OVERRIDER_LISTS = [
  "plaintext",
  "imageOverrider",
  "commandOverrider",
  "argsOverrider",
  "labelsOverrider",
  "annotationsOverrider",
  "fieldOverrider",
];

/** True in CEL when the old top-level `overriders` says anything. */
const HAS_OLD_OVERRIDERS = `(has(self.overriders) && (${OVERRIDER_LISTS.map(
  list => `(has(self.overriders.${list}) && size(self.overriders.${list}) > 0)`,
).join(" || ")}))`;

/** `spec` of both override policies. */
export const OverrideSpec = withRules(
  object({
    resourceSelectors: z
      .array(ResourceSelector)
      .optional()
      .describe("The objects that differ; empty is every object that goes to a cluster."),
    overrideRules: z.array(RuleWithCluster).optional().describe("The differences, made in this order."),
    targetCluster: ClusterAffinity.optional().describe("Old style, use overrideRules: the clusters of `overriders`."),
    overriders: Overriders.optional().describe("Old style, use overrideRules: how the object differs."),
  }),
  [
    {
      rule: `!(has(self.overrideRules) && size(self.overrideRules) > 0 && (has(self.targetCluster) || ${HAS_OLD_OVERRIDERS}))`,
      message: "overrideRules cannot stand beside the old targetCluster and overriders; move those into a rule",
      reason: "FieldValueForbidden",
      fieldPath: ".overrideRules",
    },
  ],
).describe("What differs in which cluster.");
export type OverrideSpec = DeepReadonly<z.infer<typeof OverrideSpec>>;

/** Upstream has none; what a person looks for is which clusters and objects are meant. */
export const OVERRIDE_COLUMNS: readonly PrinterColumn[] = [
  {
    name: "Targets",
    type: "string",
    // A column shows the first match only; `..` finds the old style as well.
    jsonPath: ".spec..clusterNames",
    description: "The clusters named first.",
  },
  AGE,
];
