// ResourceBinding: the clusters that one namespaced object goes to, and its state there.
import type { z } from "zod";
import { ResourceBindingSpec } from "./binding-spec.js";
import { BINDING_COLUMNS, ResourceBindingStatus } from "./binding-status.js";
import type { KindDefinition } from "./definition.js";
import { kindShape, type DeepReadonly } from "./schema.js";

/** The clusters that one namespaced object goes to, and its state there. */
export const ResourceBinding = kindShape("work.karmada.io/v1alpha2", "ResourceBinding", {
  spec: ResourceBindingSpec,
  status: ResourceBindingStatus.optional(),
});
export type ResourceBinding = DeepReadonly<z.infer<typeof ResourceBinding>>;

/** How the API server serves it. */
export const resourceBindingKind: KindDefinition = {
  group: "work.karmada.io",
  version: "v1alpha2",
  kind: "ResourceBinding",
  plural: "resourcebindings",
  singular: "resourcebinding",
  shortNames: ["rb"],
  scope: "Namespaced",
  description: "The clusters that one namespaced object goes to, and its state there.",
  columns: BINDING_COLUMNS,
  schema: ResourceBinding,
};
