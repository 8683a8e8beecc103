// What is propagated in a bench, and what is changed in it?
import type { KubeObject } from "../../crds/object.js";

/** The namespace of everything that a bench makes. */
export const NAMESPACE = "bench";

/** The set that a template belongs to, so that those of one phase are told from those of another. */
export const SET_LABEL = "bench-set";

/** The kinds, in turn. */
export const KINDS = ["ConfigMap", "Deployment"] as const;

/** One of them. */
export type Kind = (typeof KINDS)[number];

/** A template by what makes it. */
export interface Template {
  readonly kind: Kind;
  readonly name: string;
  readonly set: string;
}

/** `count` templates of a set, the kinds taken in turn. */
export function templatesOf(set: string, count: number): Template[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = KINDS[index % KINDS.length] ?? "ConfigMap";
    return { kind, set, name: `${set}-${kind === "ConfigMap" ? "cm" : "dep"}-${String(index).padStart(5, "0")}` };
  });
}

/** Where a kind lives in the namespace of the bench. */
export function pathOf(kind: Kind): string {
  return kind === "ConfigMap"
    ? `/api/v1/namespaces/${NAMESPACE}/configmaps`
    : `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
}

/** A template in its first edition. */
export function objectOf({ kind, name, set }: Template): KubeObject {
  const metadata = { name, namespace: NAMESPACE, labels: { bench: "yes", [SET_LABEL]: set } };
  if (kind === "ConfigMap") {
    return { apiVersion: "v1", kind, metadata, data: { edition: "1", filler: "x".repeat(512) } };
  }
  const requests = { cpu: "10m", memory: "16Mi" };
  const container = { name: "main", image: imageOf("1"), args: ["serve"], env: [{ name: "A", value: "b" }] };
  const template = {
    metadata: { labels: { app: name } },
    spec: { containers: [{ ...container, resources: { requests } }] },
  };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata,
    spec: { replicas: 1, selector: { matchLabels: { app: name } }, template },
  };
}

/** The one field that tells editions apart, as a JSON patch to another edition. */
export function patchTo(kind: Kind, edition: string): unknown[] {
  return kind === "ConfigMap"
    ? [{ op: "replace", path: "/data/edition", value: edition }]
    : [{ op: "replace", path: "/spec/template/spec/containers/0/image", value: imageOf(edition) }];
}

/** Which edition an object is, wherever it is; undefined when it is none of a bench. */
export function editionOf({ kind, data, spec }: Partial<Wire>): string | undefined {
  if (kind === "ConfigMap") return data?.["edition"];
  return spec?.template?.spec?.containers?.[0]?.image?.split(":").pop();
}

/** As much of both kinds as tells the edition. */
export interface Wire {
  readonly kind: string;
  readonly data: Readonly<Record<string, string>>;
  readonly spec: {
    readonly template?: { readonly spec?: { readonly containers?: readonly { readonly image?: string }[] } };
  };
}

function imageOf(edition: string): string {
  return `registry.example/app:${edition}`;
}

/** The one policy of a bench. */
export function policyObject(members: readonly string[]): KubeObject {
  const labelSelector = { matchLabels: { bench: "yes" } };
  const resourceSelectors = KINDS.map(kind => ({
    apiVersion: kind === "ConfigMap" ? "v1" : "apps/v1",
    kind,
    labelSelector,
  }));
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: "bench", namespace: NAMESPACE },
    spec: { resourceSelectors, placement: { clusterAffinity: { clusterNames: members } } },
  };
}
