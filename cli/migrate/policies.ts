// Which policies bring the templates of a plan back to where their objects are?
import type { KubeObject } from "../../crds/object.js";

/** What one policy is made of. */
export interface PolicyRequest {
  readonly name: string;
  /** Absent for cluster-scoped templates. */
  readonly namespace?: string;
  readonly cluster: string;
  readonly templates: readonly KubeObject[];
}

/** So many selectors fit into one policy; the API allows 1024. */
const SELECTORS = 1_000;

/** The policies for templates of one namespace, or for cluster-scoped ones: they take over, and keep. Pure. */
export function policiesFor(request: PolicyRequest): readonly KubeObject[] {
  const { templates } = request;
  const parts = Math.ceil(templates.length / SELECTORS);
  return Array.from({ length: parts }, (_, i) =>
    policyOf({
      ...request,
      name: i === 0 ? request.name : `${request.name}-${i + 1}`,
      templates: templates.slice(i * SELECTORS, (i + 1) * SELECTORS),
    }),
  );
}

function policyOf({ name, namespace, cluster, templates }: PolicyRequest): KubeObject {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: namespace === undefined ? "ClusterPropagationPolicy" : "PropagationPolicy",
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: {
      conflictResolution: "Overwrite",
      placement: { clusterAffinity: { clusterNames: [cluster] } },
      preserveResourcesOnDeletion: true,
      resourceSelectors: templates.map(({ apiVersion, kind, metadata }) => ({ apiVersion, kind, name: metadata.name })),
    },
  };
}
