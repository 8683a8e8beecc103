// How may the pods of the two Deployments be shaped?
import { z } from "zod";

/** The name of a Kubernetes object, or empty. */
export const name = z
  .string()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9.-]*[a-z0-9])?)?$/);
/** A time as Go and Kubernetes write it. */
export const duration = z.string().regex(/^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/);
/** Labels, annotations. */
export const strings = z.record(z.string(), z.string());
/** What Kubernetes itself checks, and may extend. */
const verbatim = z.record(z.string(), z.unknown());
/** A list of such. */
export const verbatims = z.array(verbatim);

const resources = z.strictObject({ requests: verbatim.optional(), limits: verbatim.optional() });

/** The values of one of the two Deployments; `what` says which in words. */
export function pods(what: string, memory: { readonly request: string; readonly limit: string }) {
  const sizes = { requests: { cpu: "100m", memory: memory.request }, limits: { memory: memory.limit } };
  return {
    // The least is demanded by a template, which can say what to do.
    replicas: z.number().int().default(2).describe(`Replicas of ${what}.`),
    resources: resources.default(sizes).describe("Requests and limits of the container."),
    podDisruptionBudget: z
      .boolean()
      .default(true)
      .describe("Keep one replica up while nodes are drained (with two or more)."),
    topologySpread: z.boolean().default(true).describe("Spread the replicas over nodes where that is possible."),
    topologySpreadConstraints: verbatims.default([]).describe("Constraints of your own, in place of that spread."),
    priorityClassName: name.default("").describe("PriorityClass of the pods."),
    nodeSelector: strings.default({}).describe("Labels that a node must have."),
    tolerations: verbatims.default([]).describe("Taints that the pods tolerate."),
    affinity: verbatim.default({}).describe("Affinity of the pods."),
    podLabels: strings.default({}).describe("Labels on the pods, beside the chart's own."),
    podAnnotations: strings.default({}).describe("Annotations on the pods."),
    extraEnv: verbatims.default([]).describe("Further environment variables, as in a container."),
  };
}
