// Which objects and which clusters: the selectors that policies and overrides share.
import { z } from "zod";
import { object, type DeepReadonly } from "./schema.js";

/** One requirement of a label selector (metav1.LabelSelectorRequirement). */
export const LabelSelectorRequirement = object({
  key: z.string().describe("The label key that the requirement is about."),
  operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist"]).describe("How the label's value relates to `values`."),
  values: z
    .array(z.string())
    .optional()
    .describe("The values to compare with: at least one for In and NotIn, none for Exists and DoesNotExist."),
}).describe("One requirement; all of them must hold.");
export type LabelSelectorRequirement = DeepReadonly<z.infer<typeof LabelSelectorRequirement>>;

/** metav1.LabelSelector. Empty selects everything. */
export const LabelSelector = object({
  matchLabels: z
    .record(z.string(), z.string())
    .optional()
    .describe("Labels that must be there with exactly these values."),
  matchExpressions: z.array(LabelSelectorRequirement).optional().describe("Requirements that must all hold."),
})
  .meta({ "x-kubernetes-map-type": "atomic" })
  .describe("Selects by labels: matchLabels and matchExpressions must all hold.");
export type LabelSelector = DeepReadonly<z.infer<typeof LabelSelector>>;

/** One requirement on a field of a Cluster. */
export const FieldSelectorRequirement = object({
  key: z.string().describe("The cluster field to look at: `provider`, `region` or `zone`."),
  operator: z.string().describe("`In` or `NotIn`."),
  values: z.array(z.string()).optional().describe("The values to compare with."),
}).describe("One requirement; all of them must hold.");
export type FieldSelectorRequirement = DeepReadonly<z.infer<typeof FieldSelectorRequirement>>;

/** Selects clusters by `spec.provider`, `spec.region` and `spec.zones`. */
export const FieldSelector = object({
  matchExpressions: z.array(FieldSelectorRequirement).optional().describe("Requirements that must all hold."),
}).describe("Selects clusters by their provider, region and zones.");
export type FieldSelector = DeepReadonly<z.infer<typeof FieldSelector>>;

/** The fields of a cluster affinity, for kinds that carry them inline. */
export const clusterAffinityShape = {
  labelSelector: LabelSelector.optional().describe("Selects clusters by the labels of their Cluster object."),
  fieldSelector: FieldSelector.optional().describe("Selects clusters by their provider, region and zones."),
  clusterNames: z.array(z.string()).optional().describe("Selects clusters by name; empty does not restrict by name."),
  exclude: z.array(z.string()).optional().describe("Names of clusters that are left out, whatever else selects them."),
};

/** Which clusters. Everything that is set must hold; an empty affinity selects every cluster. */
export const ClusterAffinity = object(clusterAffinityShape).describe(
  "Selects clusters. Everything that is set must hold; empty selects every cluster.",
);
export type ClusterAffinity = DeepReadonly<z.infer<typeof ClusterAffinity>>;

/** Which objects of the host a policy is about. */
export const ResourceSelector = object({
  apiVersion: z.string().describe("API version of the objects, for example `apps/v1`."),
  kind: z.string().describe("Kind of the objects, for example `Deployment`."),
  namespace: z
    .string()
    .optional()
    .describe("Namespace of the objects. A namespaced policy always selects in its own; empty is every namespace."),
  name: z.string().optional().describe("Name of one object. When it is set, labelSelector is ignored."),
  labelSelector: LabelSelector.optional().describe("Selects objects by their labels; without it and a name, all."),
}).describe("Selects objects of one kind by name, by labels, or all of them.");
export type ResourceSelector = DeepReadonly<z.infer<typeof ResourceSelector>>;
