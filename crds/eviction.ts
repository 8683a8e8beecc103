// A cluster that an object is leaving, not before another one holds it.
import { z } from "zod";
import { dateTime, object, type DeepReadonly } from "./schema.js";

/** One gentle leave. */
export const GracefulEvictionTask = object({
  fromCluster: z.string().describe("The cluster that is left."),
  purgeMode: z
    .enum(["Directly", "Gracefully", "Never"])
    .optional()
    .describe("When the copy there goes: at once, after the new one is healthy, or never."),
  replicas: z.int32().optional().describe("How many replicas were there."),
  reason: z
    .string()
    .min(1)
    .max(32)
    .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
    .describe("Why, in one CamelCase word for programs."),
  message: z.string().max(1024).optional().describe("Why, in a sentence for people."),
  producer: z.string().describe("Who asked for it."),
  gracePeriodSeconds: z.int32().optional().describe("How long the leave may take."),
  suppressDeletion: z.boolean().optional().describe("True keeps the copy until a person decides."),
  preservedLabelState: z
    .record(z.string(), z.string())
    .optional()
    .describe("State of the workload that the next cluster finds in labels."),
  creationTimestamp: dateTime().optional().describe("When it was asked for."),
  clustersBeforeFailover: z.array(z.string()).optional().describe("The clusters that held the object before."),
}).describe("A cluster the object is leaving gently.");
export type GracefulEvictionTask = DeepReadonly<z.infer<typeof GracefulEvictionTask>>;
