// Does a hand on a binding move anything out of a cluster?
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { AnyBinding, AnyPolicy, Host } from "./host.js";
import { hasLeft } from "./places.js";

const apis = [{ groupVersion: "v1", resources: [{ name: "configmaps", kind: "ConfigMap" }] }];
const cluster = (name: string, deletionTimestamp?: string): Cluster =>
  ({
    apiVersion: "v1",
    kind: "Cluster",
    metadata: { name, deletionTimestamp },
    spec: { syncMode: "Push" },
    status: { apiEnablements: apis },
  }) as Cluster;

function policyFor(clusterNames: readonly string[] | undefined): AnyPolicy | undefined {
  return clusterNames && ({ spec: { placement: { clusterAffinity: { clusterNames } } } } as AnyPolicy);
}

function hostWith(clusters: readonly Cluster[]) {
  const byName = new Map(clusters.map(c => [c.metadata.name, c]));
  return {
    clusters: { get: (name: string) => byName.get(name), store: byName },
  } as unknown as Pick<Host, "clusters">;
}

const binding = {
  apiVersion: "work.karmada.io/v1alpha2",
  kind: "ResourceBinding",
  metadata: { name: "cfg-configmap", namespace: "shop" },
  spec: {
    resource: { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "cfg" },
    clusters: [{ name: "m1" }],
  },
} as AnyBinding;

describe("hasLeft", () => {
  it.each`
    given                                                       | clusters                               | names           | left
    ${"the policy no longer names the cluster"}                 | ${[cluster("m1"), cluster("m2")]}      | ${["m1"]}       | ${true}
    ${"only the binding was edited, the policy names it still"} | ${[cluster("m1"), cluster("m2")]}      | ${["m1", "m2"]} | ${false}
    ${"no policy is left: everything is frozen"}                | ${[cluster("m1"), cluster("m2")]}      | ${undefined}    | ${false}
    ${"the cluster is being removed"}                           | ${[cluster("m1"), cluster("m2", "t")]} | ${["m1", "m2"]} | ${true}
    ${"the cluster has gone"}                                   | ${[cluster("m1")]}                     | ${undefined}    | ${true}
    ${"no cluster fits any more: that moves nothing"}           | ${[cluster("m1"), cluster("m2")]}      | ${["m9"]}       | ${false}
  `("is $left when $given", ({ clusters, names, left }) => {
    const policy = policyFor(names as string[] | undefined);
    expect(hasLeft(hostWith(clusters as Cluster[]), { binding, policy }, "m2")).toBe(left);
  });
});
