// metav1.Condition as every status of ours carries it.
import { z } from "zod";
import type { Condition } from "./object.js";
import { dateTime, listByKey, object } from "./schema.js";

const ConditionSchema: z.ZodType<Condition> = object({
  type: z.string().max(316).describe("What the condition is about, in CamelCase."),
  status: z.enum(["True", "False", "Unknown"]).describe("Whether it holds."),
  observedGeneration: z.int().min(0).optional().describe("The generation of the object that this is about."),
  lastTransitionTime: dateTime().describe("When the status last changed between True, False and Unknown."),
  reason: z.string().min(1).max(1024).describe("Why, in one CamelCase word for programs."),
  message: z.string().max(32768).describe("Why, in a sentence for people."),
}).describe("One aspect of the state of the object.");

/** `status.conditions`, merged by type so that two writers can each own theirs. */
export function conditions(types: string) {
  return listByKey(ConditionSchema, "type").optional().describe(`State of the object by aspect: ${types}.`);
}
