// The kind in which Pepr keeps its store: charts/holdfast/files/peprstore-crd.yaml.
import type { GeneratedFile } from "../generated-files.js";
import { documents } from "./yaml.js";

/** Pepr's own controller image applies this when it starts; a module that is run alone has to find it. */
export function peprStoreFile(): GeneratedFile {
  const description = "The values that a Pepr module keeps.";
  const data = { type: "object", description, additionalProperties: { type: "string" } };
  const schema = { openAPIV3Schema: { type: "object", properties: { data } } };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "peprstores.pepr.dev" },
    spec: {
      group: "pepr.dev",
      names: { kind: "PeprStore", listKind: "PeprStoreList", plural: "peprstores", singular: "peprstore" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  return { path: "charts/holdfast/files/peprstore-crd.yaml", content: documents([crd]) };
}
