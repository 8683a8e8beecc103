// Clusters for tests of this room.
import type { Cluster } from "../../crds/cluster.js";

/** A Cluster that could be reached; what a test is about, it says itself. */
export function clusterWith(spec: Partial<Cluster["spec"]> = {}, more: Partial<Cluster> = {}): Cluster {
  return {
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata: { name: "m1", uid: "u1", generation: 3, creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: {
      syncMode: "Push",
      apiEndpoint: "https://m1.example:6443",
      secretRef: { namespace: "karmada-cluster", name: "m1" },
      ...spec,
    },
    ...more,
  } as Cluster;
}
