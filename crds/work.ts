// Work: the objects that one cluster shall have, and how they do there.
import { z } from "zod";
import { ResourceHealth } from "./binding-status.js";
import { Cascade, CASCADE_MEANING } from "./cascade-deletion-spec.js";
import { conditions } from "./condition.js";
import { AGE, conditionColumn, type KindDefinition } from "./definition.js";
import type { KubeObject } from "./object.js";
import { anyJson, kindShape, object, type DeepReadonly } from "./schema.js";

/** One object as it shall be in the cluster. */
export const Manifest = z
  .custom<KubeObject>(value => typeof value === "object" && value !== null && !Array.isArray(value))
  .meta({ type: "object", "x-kubernetes-preserve-unknown-fields": true });

/** The objects of a Work. */
export const WorkloadTemplate = object({
  manifests: z.array(Manifest.describe("One object.")).optional().describe("The objects, as they shall be there."),
}).describe("The objects, as they shall be in the cluster.");
export type WorkloadTemplate = DeepReadonly<z.infer<typeof WorkloadTemplate>>;

/** `spec` of a Work. Written by the operator. */
export const WorkSpec = object({
  workload: WorkloadTemplate.optional().describe("The objects, as they shall be in the cluster."),
  suspendDispatching: z.boolean().optional().describe("True holds changes back. Deletion is never held back."),
  preserveResourcesOnDeletion: z
    .boolean()
    .optional()
    .describe("True keeps the objects in the cluster, without any mark, when this Work is deleted."),
  cascadeDeletion: Cascade.optional().describe(
    `What becomes of the objects when this Work is deleted: ${CASCADE_MEANING} Without it, preserveResourcesOnDeletion decides.`,
  ),
}).describe("The objects that one cluster shall have.");
export type WorkSpec = DeepReadonly<z.infer<typeof WorkSpec>>;

/** Says which object of a Work a status is about. */
export const ResourceIdentifier = object({
  ordinal: z.int32().describe("Place of the object in spec.workload.manifests, from 0."),
  group: z.string().optional().describe("API group of the object; none for the core group."),
  version: z.string().describe("API version of the object, without its group."),
  kind: z.string().describe("Kind of the object."),
  resource: z.string().describe("Plural name of the kind; may be empty."),
  namespace: z.string().optional().describe("Namespace of the object; none when it is cluster-scoped."),
  name: z.string().describe("Name of the object."),
}).describe("Says which object is meant.");
export type ResourceIdentifier = DeepReadonly<z.infer<typeof ResourceIdentifier>>;

/** The state of one object of a Work. */
export const ManifestStatus = object({
  identifier: ResourceIdentifier.describe("Says which object is meant."),
  status: anyJson().optional().describe("The status of the object in the cluster."),
  health: ResourceHealth.optional().describe("How well the object does there."),
  uid: z.string().optional().describe("UID of the object that origin is about."),
  origin: z
    .enum(["Created", "Adopted", "Unknown"])
    .optional()
    .describe("Whether the object was made by this Work (Created) or was there before it (Adopted)."),
}).describe("The state of one object.");
export type ManifestStatus = DeepReadonly<z.infer<typeof ManifestStatus>>;

/** `status` of a Work. */
export const WorkStatus = object({
  observedGeneration: z.int().optional().describe("The generation of the Work that this status is about."),
  conditions: conditions("Applied, Adopted, Progressing, Available, Degraded, Dispatching, Ready"),
  manifestStatuses: z.array(ManifestStatus).optional().describe("The state of each object."),
}).describe("How the objects do in the cluster.");
export type WorkStatus = DeepReadonly<z.infer<typeof WorkStatus>>;

/** The objects that one cluster shall have. */
export const Work = kindShape("work.karmada.io/v1alpha1", "Work", { spec: WorkSpec, status: WorkStatus.optional() });
export type Work = DeepReadonly<z.infer<typeof Work>>;

/** How the API server serves it. */
export const workKind: KindDefinition = {
  group: "work.karmada.io",
  version: "v1alpha1",
  kind: "Work",
  plural: "works",
  singular: "work",
  shortNames: ["wk"],
  scope: "Namespaced",
  description: "The objects that one cluster shall have. It stands in the namespace karmada-es-CLUSTER.",
  columns: [
    {
      name: "Workload-Kind",
      type: "string",
      jsonPath: ".spec.workload.manifests[*].kind",
      description: "Kind of the object.",
    },
    conditionColumn("Applied", "Applied", "Whether the objects are in the cluster as they should be."),
    AGE,
    {
      name: "Preserve",
      type: "boolean",
      jsonPath: ".spec.preserveResourcesOnDeletion",
      description: "Whether the objects stay in the cluster when the Work is deleted.",
    },
    {
      name: "Cascade",
      type: "string",
      jsonPath: ".spec.cascadeDeletion",
      description: "What becomes of the objects when the Work is deleted; adopted keeps only what was there before.",
      priority: 1,
    },
    conditionColumn("Available", "Available", "Whether the objects are healthy."),
    {
      name: "Reason",
      type: "string",
      jsonPath: '.status.conditions[?(@.type=="Applied")].reason',
      description: "Why the objects are not there, or that they are.",
      priority: 1,
    },
  ],
  schema: Work,
};
