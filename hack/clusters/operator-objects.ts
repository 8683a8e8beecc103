// Which objects does the operator need on the host that are not in its chart's files?

/** Where the operator lives when it runs outside the cluster: the chart's own namespace and account. */
export const OPERATOR_NAMESPACE = "holdfast-system";
export const OPERATOR_ACCOUNT = "holdfast";

/** Pepr keeps its store here, whatever namespace its module is in. */
const PEPR_NAMESPACE = "pepr-system";

/** Namespaces, the ServiceAccount whose token the operator uses, and the kind in which Pepr keeps its store. */
export function operatorObjects(): Readonly<Record<string, unknown>>[] {
  return [
    namespace(OPERATOR_NAMESPACE),
    namespace(PEPR_NAMESPACE),
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: OPERATOR_ACCOUNT, namespace: OPERATOR_NAMESPACE } },
    peprStoreCrd(),
  ];
}

/** Several objects as one YAML text for kubectl. */
export function asYaml(objects: readonly unknown[]): string {
  return objects.map(object => `${JSON.stringify(object)}\n`).join("---\n");
}

function namespace(name: string): Readonly<Record<string, unknown>> {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

// In an image Pepr's controller applies this kind when it starts; a module that runs alone finds it or waits for ever.
function peprStoreCrd(): Readonly<Record<string, unknown>> {
  const data = { type: "object", additionalProperties: { type: "string" } };
  const schema = { openAPIV3Schema: { type: "object", properties: { data } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "peprstores.pepr.dev" },
    spec: {
      group: "pepr.dev",
      scope: "Namespaced",
      names: { plural: "peprstores", singular: "peprstore", kind: "PeprStore" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}
