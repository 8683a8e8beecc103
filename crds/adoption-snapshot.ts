// AdoptionSnapshot: an object of a cluster as it was before it was taken over.
import { z } from "zod";
import { AGE, type KindDefinition } from "./definition.js";
import { dateTime, kindShape, object, type DeepReadonly } from "./schema.js";
import { Manifest } from "./work.js";

/** Where the object stands when it is not in the snapshot itself. */
export const SnapshotSecretReference = object({
  namespace: z.string().describe("Namespace of the Secret: that of the members' credentials."),
  name: z.string().describe("Name of the Secret."),
}).describe("The Secret that holds the object, when that is a Secret.");
export type SnapshotSecretReference = DeepReadonly<z.infer<typeof SnapshotSecretReference>>;

/** `spec` of an AdoptionSnapshot. Written by the operator, once. */
export const AdoptionSnapshotSpec = object({
  cluster: z.string().describe("The cluster that the object is in."),
  workName: z.string().describe("The Work that took it over; the snapshot stands in the same namespace."),
  apiVersion: z.string().describe("API version of the object."),
  kind: z.string().describe("Kind of the object."),
  namespace: z.string().optional().describe("Namespace of the object; none when it is cluster-scoped."),
  name: z.string().describe("Name of the object."),
  uid: z.string().describe("UID of the object: a namesake that was made later is another one."),
  resourceVersion: z.string().optional().describe("The version of the object that was read."),
  takenAt: dateTime().describe("When it was taken over."),
  partial: z
    .boolean()
    .optional()
    .describe("True when only the metadata is kept, because the whole object was too large for a snapshot."),
  object: Manifest.optional().describe("The object as it was, with its managedFields; not there for a Secret."),
  compressed: z
    .string()
    .optional()
    .describe("The object as gzipped JSON in base64, when it would be too large as it is."),
  secretRef: SnapshotSecretReference.optional().describe("The Secret that holds the object, when that is a Secret."),
}).describe("An object of a cluster as it was before it was taken over. Written by the operator.");
export type AdoptionSnapshotSpec = DeepReadonly<z.infer<typeof AdoptionSnapshotSpec>>;

/** An object of a cluster as it was before it was taken over. */
export const AdoptionSnapshot = kindShape("holdfast.dev/v1alpha1", "AdoptionSnapshot", { spec: AdoptionSnapshotSpec });
export type AdoptionSnapshot = DeepReadonly<z.infer<typeof AdoptionSnapshot>>;

/** How the API server serves it. */
export const adoptionSnapshotKind: KindDefinition = {
  group: "holdfast.dev",
  version: "v1alpha1",
  kind: "AdoptionSnapshot",
  plural: "adoptionsnapshots",
  singular: "adoptionsnapshot",
  shortNames: ["snap"],
  scope: "Namespaced",
  description:
    "An object of a cluster as it was before it was taken over. It stands in the namespace karmada-es-CLUSTER, beside its Work.",
  columns: [
    { name: "Kind", type: "string", jsonPath: ".spec.kind", description: "Kind of the object." },
    { name: "Object-Namespace", type: "string", jsonPath: ".spec.namespace", description: "Its namespace." },
    { name: "Object", type: "string", jsonPath: ".spec.name", description: "Its name." },
    AGE,
  ],
  schema: AdoptionSnapshot,
};
