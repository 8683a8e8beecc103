// What has no effect yet is refused by name.
import { describe, expect, it } from "vitest";
import { findUnsupported } from "./unsupported.js";

describe("findUnsupported", () => {
  it.each`
    given                                            | kind                          | spec                                                                                 | path
    ${"spread constraints"}                          | ${"PropagationPolicy"}        | ${{ placement: { spreadConstraints: [{ spreadByField: "cluster" }] } }}              | ${"spec.placement.spreadConstraints"}
    ${"ordered affinity groups"}                     | ${"ClusterPropagationPolicy"} | ${{ placement: { clusterAffinities: [{ affinityName: "a" }] } }}                     | ${"spec.placement.clusterAffinities"}
    ${"divided replicas"}                            | ${"PropagationPolicy"}        | ${{ placement: { replicaScheduling: { replicaSchedulingType: "Divided" } } }}        | ${"spec.placement.replicaScheduling.replicaSchedulingType"}
    ${"replica scheduling without a type (Divided)"} | ${"PropagationPolicy"}        | ${{ placement: { replicaScheduling: {} } }}                                          | ${"spec.placement.replicaScheduling.replicaSchedulingType"}
    ${"workload affinity"}                           | ${"PropagationPolicy"}        | ${{ placement: { workloadAffinity: { affinity: { groupByLabelKey: "a" } } } }}       | ${"spec.placement.workloadAffinity"}
    ${"failover"}                                    | ${"PropagationPolicy"}        | ${{ failover: { cluster: {} } }}                                                     | ${"spec.failover"}
    ${"lazy activation"}                             | ${"PropagationPolicy"}        | ${{ activationPreference: "Lazy" }}                                                  | ${"spec.activationPreference"}
    ${"a schedule priority"}                         | ${"PropagationPolicy"}        | ${{ schedulePriority: { priorityClassName: "x" } }}                                  | ${"spec.schedulePriority"}
    ${"dependencies that travel along"}              | ${"PropagationPolicy"}        | ${{ propagateDeps: true }}                                                           | ${"spec.propagateDeps"}
    ${"the misspelt name, even when false"}          | ${"PropagationPolicy"}        | ${{ propagateDependensies: false }}                                                  | ${"spec.propagateDependensies"}
    ${"a field overrider in a rule"}                 | ${"OverridePolicy"}           | ${{ overrideRules: [{}, { overriders: { fieldOverrider: [{ fieldPath: "/" }] } }] }} | ${"spec.overrideRules[1].overriders.fieldOverrider"}
    ${"an old-style field overrider"}                | ${"ClusterOverridePolicy"}    | ${{ overriders: { fieldOverrider: [{ fieldPath: "/" }] } }}                          | ${"spec.overriders.fieldOverrider"}
    ${"an eviction task in a binding"}               | ${"ResourceBinding"}          | ${{ gracefulEvictionTasks: [{ fromCluster: "m1" }] }}                                | ${"spec.gracefulEvictionTasks"}
    ${"a cluster that pulls"}                        | ${"Cluster"}                  | ${{ syncMode: "Pull" }}                                                              | ${"spec.syncMode"}
  `("names $path for $given", ({ kind, spec, path }) => {
    expect(findUnsupported(kind, spec)).toEqual([
      { path, kind: "Forbidden", detail: expect.stringMatching(/not supported by this version|write propagateDeps/) },
    ]);
  });

  it("names every field at once, and says what spreading will know", () => {
    const found = findUnsupported("PropagationPolicy", {
      placement: { spreadConstraints: [{ spreadByLabel: "zone" }] },
      propagateDeps: true,
    });
    expect(found.map(error => error.path)).toEqual([
      "spec.placement.spreadConstraints",
      "spec.placement.spreadConstraints[0].spreadByLabel",
      "spec.propagateDeps",
    ]);
    expect(found[1]?.detail).toContain('"cluster", "region"');
  });

  it.each`
    given                                  | kind                   | spec
    ${"duplicated replicas"}               | ${"PropagationPolicy"} | ${{ placement: { replicaScheduling: { replicaSchedulingType: "Duplicated" } } }}
    ${"empty lists"}                       | ${"PropagationPolicy"} | ${{ placement: { spreadConstraints: [], clusterAffinities: [] } }}
    ${"dependencies that stay"}            | ${"PropagationPolicy"} | ${{ propagateDeps: false }}
    ${"nulls, which the API server drops"} | ${"PropagationPolicy"} | ${{ failover: null, placement: null }}
    ${"no spec at all"}                    | ${"PropagationPolicy"} | ${undefined}
    ${"a field of another kind"}           | ${"Work"}              | ${{ failover: {} }}
    ${"a cluster that is pushed to"}       | ${"Cluster"}           | ${{ syncMode: "Push" }}
  `("finds nothing in $given", ({ kind, spec }) => {
    expect(findUnsupported(kind, spec)).toEqual([]);
  });
});
