// The kinds that Holdfast itself reads and writes, as the host serves them.
import type { ApiResource } from "./resource.js";

const policy = (kind: string, plural: string, namespaced: boolean): ApiResource => ({
  group: "policy.karmada.io",
  version: "v1alpha1",
  kind,
  plural,
  namespaced,
});

export const PROPAGATION_POLICIES = policy("PropagationPolicy", "propagationpolicies", true);
export const CLUSTER_PROPAGATION_POLICIES = policy("ClusterPropagationPolicy", "clusterpropagationpolicies", false);
export const OVERRIDE_POLICIES = policy("OverridePolicy", "overridepolicies", true);
export const CLUSTER_OVERRIDE_POLICIES = policy("ClusterOverridePolicy", "clusteroverridepolicies", false);
export const CASCADE_DELETION_POLICIES = policy("CascadeDeletionPolicy", "cascadedeletionpolicies", true);
export const CLUSTER_CASCADE_DELETION_POLICIES = policy(
  "ClusterCascadeDeletionPolicy",
  "clustercascadedeletionpolicies",
  false,
);

export const ADOPTION_SNAPSHOTS: ApiResource = {
  group: "holdfast.dev",
  version: "v1alpha1",
  kind: "AdoptionSnapshot",
  plural: "adoptionsnapshots",
  namespaced: true,
};

export const RESOURCE_BINDINGS: ApiResource = {
  group: "work.karmada.io",
  version: "v1alpha2",
  kind: "ResourceBinding",
  plural: "resourcebindings",
  namespaced: true,
};
export const CLUSTER_RESOURCE_BINDINGS: ApiResource = {
  group: "work.karmada.io",
  version: "v1alpha2",
  kind: "ClusterResourceBinding",
  plural: "clusterresourcebindings",
  namespaced: false,
};
export const WORKS: ApiResource = {
  group: "work.karmada.io",
  version: "v1alpha1",
  kind: "Work",
  plural: "works",
  namespaced: true,
};
export const CLUSTERS: ApiResource = {
  group: "cluster.karmada.io",
  version: "v1alpha1",
  kind: "Cluster",
  plural: "clusters",
  namespaced: false,
};

export const NAMESPACES: ApiResource = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  namespaced: false,
};
export const SECRETS: ApiResource = { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true };
export const NODES: ApiResource = { group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false };
export const PODS: ApiResource = { group: "", version: "v1", kind: "Pod", plural: "pods", namespaced: true };
export const CONFIG_MAPS: ApiResource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  namespaced: true,
};
export const CUSTOM_RESOURCE_DEFINITIONS: ApiResource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
};
