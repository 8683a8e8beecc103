// What a policy says about moving workloads away from trouble.
import { z } from "zod";
import { object, withDefault, type DeepReadonly } from "./schema.js";

/** One value of the old workload's status that the new one finds in a label. */
export const StatePreservationRule = object({
  aliasLabelName: z.string().describe("The label that carries the value to the next cluster."),
  jsonPath: z.string().describe("Where the value stands in the status of the workload."),
}).describe("Carries one value of the workload's status to the next cluster.");
export type StatePreservationRule = DeepReadonly<z.infer<typeof StatePreservationRule>>;

/** What is kept of a workload's state when it moves. */
export const StatePreservation = object({
  rules: z.array(StatePreservationRule).describe("The values to carry over."),
}).describe("What is kept of a workload's state when it moves.");
export type StatePreservation = DeepReadonly<z.infer<typeof StatePreservation>>;

/** When a workload counts as failed. */
export const DecisionConditions = object({
  tolerationSeconds: withDefault(z.int32(), 300).describe("Seconds a workload may be unhealthy before it is moved."),
}).describe("When an unhealthy workload is moved.");
export type DecisionConditions = DeepReadonly<z.infer<typeof DecisionConditions>>;

/** Moves a workload that stays unhealthy. */
export const ApplicationFailoverBehavior = object({
  decisionConditions: DecisionConditions.describe("When an unhealthy workload is moved."),
  purgeMode: withDefault(z.enum(["Directly", "Gracefully", "Never"]), "Gracefully").describe(
    "When the copy in the old cluster goes: at once, after the new one is healthy, or never.",
  ),
  gracePeriodSeconds: z
    .int32()
    .optional()
    .describe("How long a graceful move may take; with purgeMode Gracefully only."),
  statePreservation: StatePreservation.optional().describe("What is kept of the workload's state."),
}).describe("Moves a workload that stays unhealthy.");
export type ApplicationFailoverBehavior = DeepReadonly<z.infer<typeof ApplicationFailoverBehavior>>;

/** Moves workloads out of a cluster that fails. */
export const ClusterFailoverBehavior = object({
  purgeMode: withDefault(z.enum(["Directly", "Gracefully"]), "Gracefully").describe(
    "When the copy in the failed cluster goes: at once, or after the new one is healthy.",
  ),
  statePreservation: StatePreservation.optional().describe("What is kept of the workload's state."),
}).describe("Moves workloads out of a cluster that fails.");
export type ClusterFailoverBehavior = DeepReadonly<z.infer<typeof ClusterFailoverBehavior>>;

/** What happens to workloads that fail, or whose cluster fails. */
export const FailoverBehavior = object({
  application: ApplicationFailoverBehavior.optional().describe("Moves a workload that stays unhealthy."),
  cluster: ClusterFailoverBehavior.optional().describe("Moves workloads out of a cluster that fails."),
}).describe("What happens to workloads that fail, or whose cluster fails.");
export type FailoverBehavior = DeepReadonly<z.infer<typeof FailoverBehavior>>;
