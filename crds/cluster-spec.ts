// How a member cluster is reached, and what it is.
import { z } from "zod";
import { object, quantity, type DeepReadonly } from "./schema.js";
import { Taint } from "./taint.js";

/** A Secret of the host. */
export const LocalSecretReference = object({
  namespace: z.string().describe("Namespace of the Secret."),
  name: z.string().describe("Name of the Secret."),
}).describe("Names a Secret.");
export type LocalSecretReference = DeepReadonly<z.infer<typeof LocalSecretReference>>;

/** The range of one resource in a grade of nodes. */
export const ResourceModelRange = object({
  name: z.string().describe("Name of the resource."),
  min: quantity().describe("Least amount, included."),
  max: quantity().describe("Greatest amount, not included."),
}).describe("The range of one resource.");
export type ResourceModelRange = DeepReadonly<z.infer<typeof ResourceModelRange>>;

/** A grade of nodes, for counting how many of each size are free. */
export const ResourceModel = object({
  grade: z.int().min(0).describe("Number of the grade."),
  ranges: z.array(ResourceModelRange).describe("The range of each resource."),
}).describe("A grade of nodes by what is free on them.");
export type ResourceModel = DeepReadonly<z.infer<typeof ResourceModel>>;

/** `spec` of a Cluster. */
export const ClusterSpec = object({
  id: z
    .string()
    .max(128000)
    .optional()
    .describe(
      "Identity of the cluster: the UID of its namespace kube-system. It keeps one cluster from joining twice.",
    ),
  syncMode: z
    .enum(["Push", "Pull"])
    .describe("Push: the host writes to the cluster. Pull: an agent in the cluster reads from the host."),
  apiEndpoint: z.string().optional().describe("URL of the cluster's API server."),
  secretRef: LocalSecretReference.optional().describe("The Secret with `token` and `caBundle` for the cluster."),
  impersonatorSecretRef: LocalSecretReference.optional().describe("The Secret with the `token` that may impersonate."),
  insecureSkipTLSVerification: z.boolean().optional().describe("True does not check the cluster's certificate."),
  proxyURL: z.string().optional().describe("URL of a proxy on the way to the cluster: http, https or socks5."),
  proxyHeader: z.record(z.string(), z.string()).optional().describe("Headers that are sent to the proxy."),
  provider: z.string().optional().describe("Who provides the cluster; placements can select by it."),
  region: z.string().optional().describe("Region of the cluster; placements can select by it."),
  zone: z.string().optional().describe("Old form of `zones`; it is copied there."),
  zones: z.array(z.string()).optional().describe("Zones that the cluster spans; placements can select by them."),
  taints: z.array(Taint).optional().describe("What keeps placements away that do not tolerate it."),
  resourceModels: z.array(ResourceModel).optional().describe("Grades of nodes by what is free on them."),
}).describe("How the cluster is reached, and what it is.");
export type ClusterSpec = DeepReadonly<z.infer<typeof ClusterSpec>>;
