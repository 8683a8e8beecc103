// Taints of clusters, and the tolerations that let a placement ignore them (as for nodes, core/v1).
import { z } from "zod";
import { dateTime, object, type DeepReadonly } from "./schema.js";

/** core/v1 Taint, on a cluster. */
export const Taint = object({
  key: z.string().describe("The key of the taint, a label key."),
  value: z.string().optional().describe("The value of the taint, a label value."),
  effect: z
    .enum(["NoSchedule", "PreferNoSchedule", "NoExecute"])
    .describe("What happens to placements that do not tolerate the taint."),
  timeAdded: dateTime().optional().describe("When the taint was added; set for NoExecute."),
}).describe("Keeps placements that do not tolerate it away from the cluster.");
export type Taint = DeepReadonly<z.infer<typeof Taint>>;

/** core/v1 Toleration, for clusters. Operators Gt and Lt make no sense here. */
export const Toleration = object({
  key: z.string().optional().describe("The taint key that is tolerated; empty with operator Exists means every taint."),
  operator: z
    .enum(["", "Exists", "Equal"])
    .optional()
    .describe("Exists tolerates any value of the key; Equal, the default, only `value`."),
  value: z.string().optional().describe("The taint value that is tolerated; empty when the operator is Exists."),
  effect: z
    .enum(["", "NoSchedule", "PreferNoSchedule", "NoExecute"])
    .optional()
    .describe("The taint effect that is tolerated; empty means all of them."),
  tolerationSeconds: z.int().optional().describe("How long a NoExecute taint is tolerated; without it, for ever."),
}).describe("Lets a placement use clusters that carry a matching taint.");
export type Toleration = DeepReadonly<z.infer<typeof Toleration>>;
