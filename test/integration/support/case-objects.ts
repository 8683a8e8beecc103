// What do the cases apply, in as few words as the case needs?
import type { KubeObject } from "../../../crds/object.js";

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The Deployment of the shared starting point. */
export function web(namespace: string, extra: { replicas?: number; labels?: Record<string, string> } = {}): KubeObject {
  const { replicas = 2, labels } = extra;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace, labels: { app: "web", ...labels } },
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "c", image: "registry.example/web:1.0" }] },
      },
    },
  };
}

/** A ConfigMap: needs nothing in the member and changes nothing there. */
export function configMap(metadata: Metadata, data: Readonly<Record<string, string>> = { a: "1" }): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
}

/** Selects the Deployment `web`. */
export const WEB = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

/** A placement by names. */
export function onto(...clusterNames: readonly string[]): object {
  return { clusterAffinity: { clusterNames } };
}

/** A policy of a namespace. */
export function policy(namespace: string, name: string, spec: object): KubeObject {
  return { apiVersion: "policy.karmada.io/v1alpha1", kind: "PropagationPolicy", metadata: { name, namespace }, spec };
}

/** A policy of the whole host. */
export function clusterPolicy(name: string, spec: object): KubeObject {
  return { apiVersion: "policy.karmada.io/v1alpha1", kind: "ClusterPropagationPolicy", metadata: { name }, spec };
}

/** A policy about deletion: of a namespace or, without one, of the whole host. */
export function cascadePolicy(namespace: string | undefined, name: string, spec: object): KubeObject {
  const kind = namespace ? "CascadeDeletionPolicy" : "ClusterCascadeDeletionPolicy";
  return { apiVersion: "policy.karmada.io/v1alpha1", kind, metadata: { name, namespace }, spec };
}

/** An override of a namespace. */
export function override(namespace: string, name: string, spec: object): KubeObject {
  return { apiVersion: "policy.karmada.io/v1alpha1", kind: "OverridePolicy", metadata: { name, namespace }, spec };
}

/** An override with one rule. */
export function rule(resource: object, targetCluster: object | undefined, overriders: object): object {
  return { resourceSelectors: [resource], overrideRules: [{ targetCluster, overriders }] };
}
