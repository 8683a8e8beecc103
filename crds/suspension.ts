// What is held back for a while, without letting go of anything.
import { z } from "zod";
import { object, withRules, type DeepReadonly, type Rule } from "./schema.js";

/** Clusters that a suspension is limited to. */
export const SuspendClusters = object({
  clusterNames: z.array(z.string()).optional().describe("Names of the clusters that get no changes for now."),
}).describe("The clusters that get no changes for now.");
export type SuspendClusters = DeepReadonly<z.infer<typeof SuspendClusters>>;

/** The fields of a suspension that policies and bindings share. */
export const suspensionShape = {
  dispatching: z.boolean().optional().describe("True holds changes back from every cluster; deletion goes on."),
  dispatchingOnClusters: SuspendClusters.optional().describe("Holds changes back from some clusters only."),
};

/** CEL: everything and a list of clusters cannot both be meant. */
export const SUSPENSION_RULES: readonly Rule[] = [
  {
    rule: "!(has(self.dispatching) && self.dispatching && has(self.dispatchingOnClusters) && has(self.dispatchingOnClusters.clusterNames) && size(self.dispatchingOnClusters.clusterNames) > 0)",
    message:
      "dispatching: true already holds back every cluster; remove it, or remove dispatchingOnClusters.clusterNames",
    reason: "FieldValueForbidden",
    fieldPath: ".dispatchingOnClusters",
  },
];

/** `spec.suspension` of a policy. */
export const Suspension = withRules(object(suspensionShape), SUSPENSION_RULES).describe(
  "What is held back for now. Deletion is never held back.",
);
export type Suspension = DeepReadonly<z.infer<typeof Suspension>>;

/** `spec.suspension` of a binding, which an outside queue may also keep from being scheduled. */
export const BindingSuspension = withRules(
  object({
    ...suspensionShape,
    scheduling: z.boolean().optional().describe("True keeps the binding from being scheduled; what is placed stays."),
  }),
  SUSPENSION_RULES,
).describe("What is held back for now. Deletion is never held back.");
export type BindingSuspension = DeepReadonly<z.infer<typeof BindingSuspension>>;
