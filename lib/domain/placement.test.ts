// Do objects go where the placement allows, and does every other cluster have a reason?
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { Placement } from "../../crds/placement.js";
import type { Taint, Toleration } from "../../crds/taint.js";
import { planPlacement, type PlaceableCluster, type PlacementRequest } from "./placement.js";

const gvk = { group: "apps", version: "v1", kind: "Deployment" };
const apps = [{ groupVersion: "apps/v1", resources: [{ kind: "Deployment" }] }];

function member(name: string, extra: Partial<PlaceableCluster["spec"]> = {}): PlaceableCluster {
  return { metadata: { name, labels: { name } }, spec: extra, status: { apiEnablements: apps } };
}

const [m1, m2, m3] = [member("m1"), member("m2"), member("m3")];

function plan(placement: Placement | undefined, request: Partial<PlacementRequest> = {}) {
  return planPlacement({ placement, clusters: [m3, m1, m2], gvk, current: [], ...request });
}

describe("planPlacement", () => {
  it("takes clusters as they come from the API", () => {
    expectTypeOf<Cluster>().toExtend<PlaceableCluster>();
  });

  it.each`
    given                   | placement
    ${"no placement"}       | ${undefined}
    ${"an empty placement"} | ${{}}
    ${"an empty affinity"}  | ${{ clusterAffinity: {} }}
  `("uses every cluster, sorted, for $given", ({ placement }: { placement?: Placement }) => {
    expect(plan(placement)).toEqual({ targets: ["m1", "m2", "m3"], rejected: [] });
  });

  it("gives a reason for every cluster that is left out, and for names that no cluster has", () => {
    expect(plan({ clusterAffinity: { clusterNames: ["m1", "m9"] } })).toEqual({
      targets: ["m1"],
      rejected: [
        { cluster: "m2", why: "clusterNames does not list it" },
        { cluster: "m3", why: "clusterNames does not list it" },
        { cluster: "m9", why: "there is no cluster of this name; join it, or correct the name" },
      ],
    });
  });

  it("never uses a cluster that is being removed, even one in use", () => {
    const leaving = { ...m1, metadata: { name: "m1", deletionTimestamp: "2026-01-01T00:00:00Z" } };
    const { targets, rejected } = plan({}, { clusters: [leaving, m2], current: ["m1", "m2"] });
    expect(targets).toEqual(["m2"]);
    expect(rejected).toEqual([{ cluster: "m1", why: "it is being removed" }]);
  });

  it.each`
    given                            | status                                                                                    | why
    ${"a kind it does not serve"}    | ${{ apiEnablements: [{ groupVersion: "apps/v1", resources: [{ kind: "DaemonSet" }] }] }}  | ${"it does not serve apps/v1 Deployment"}
    ${"a version it does not serve"} | ${{ apiEnablements: [{ groupVersion: "apps/v2", resources: [{ kind: "Deployment" }] }] }} | ${"it does not serve apps/v1 Deployment"}
    ${"no list yet"}                 | ${undefined}                                                                              | ${"the list of its APIs is not known yet"}
  `(
    "leaves a cluster out for $given, unless it is in use",
    ({ status, why }: Pick<PlaceableCluster, "status"> & { why: string }) => {
      const clusters = [{ ...m1, status }];
      expect(plan({}, { clusters }).rejected).toEqual([{ cluster: "m1", why }]);
      expect(plan({}, { clusters, current: ["m1"] }).targets).toEqual(["m1"]);
    },
  );

  it("finds kinds of the core group by their version alone", () => {
    const clusters = [{ ...m1, status: { apiEnablements: [{ groupVersion: "v1", resources: [{ kind: "Secret" }] }] } }];
    expect(plan({}, { clusters, gvk: { group: "", version: "v1", kind: "Secret" } }).targets).toEqual(["m1"]);
  });

  const noSchedule: Taint = { key: "k", value: "v", effect: "NoSchedule" };
  it.each`
    given                                        | taint                                       | tolerations                                                 | fits
    ${"an intolerable taint"}                    | ${noSchedule}                               | ${[]}                                                       | ${false}
    ${"NoExecute"}                               | ${{ key: "k", effect: "NoExecute" }}        | ${[]}                                                       | ${false}
    ${"PreferNoSchedule"}                        | ${{ key: "k", effect: "PreferNoSchedule" }} | ${[]}                                                       | ${true}
    ${"a toleration of key and value"}           | ${noSchedule}                               | ${[{ key: "k", value: "v" }]}                               | ${true}
    ${"a toleration of another value"}           | ${noSchedule}                               | ${[{ key: "k", operator: "Equal", value: "w" }]}            | ${false}
    ${"a toleration of any value"}               | ${noSchedule}                               | ${[{ key: "k", operator: "Exists" }]}                       | ${true}
    ${"a toleration of everything"}              | ${noSchedule}                               | ${[{ operator: "Exists" }]}                                 | ${true}
    ${"Equal without a key, which says nothing"} | ${noSchedule}                               | ${[{ operator: "Equal", value: "v" }]}                      | ${false}
    ${"a toleration of another effect"}          | ${noSchedule}                               | ${[{ key: "k", operator: "Exists", effect: "NoExecute" }]}  | ${false}
    ${"a toleration of this effect"}             | ${noSchedule}                               | ${[{ key: "k", operator: "Exists", effect: "NoSchedule" }]} | ${true}
    ${"a taint and a toleration without value"}  | ${{ key: "k", effect: "NoSchedule" }}       | ${[{ key: "k", value: "" }]}                                | ${true}
  `(
    "answers $fits for $given, and always uses what is in use",
    ({ taint, tolerations, fits }: { taint: Taint; tolerations: Toleration[]; fits: boolean }) => {
      const clusters = [member("m1", { taints: [taint] })];
      const placement = { clusterTolerations: tolerations };
      expect(plan(placement, { clusters }).targets).toEqual(fits ? ["m1"] : []);
      expect(plan(placement, { clusters, current: ["m1"] }).targets).toEqual(["m1"]);
    },
  );

  it.each`
    ready        | tolerations                                                      | targets
    ${"True"}    | ${[]}                                                            | ${["m1"]}
    ${"False"}   | ${[]}                                                            | ${[]}
    ${"Unknown"} | ${[]}                                                            | ${[]}
    ${"False"}   | ${[{ key: "cluster.karmada.io/not-ready", operator: "Exists" }]} | ${["m1"]}
  `("takes Ready=$ready for its taint, tolerations $tolerations", ({ ready, tolerations, targets }) => {
    const conditions = [{ type: "Ready", status: ready as "True" | "False" | "Unknown" }];
    const clusters = [{ ...m1, status: { ...m1.status, conditions } }];
    expect(plan({ clusterTolerations: tolerations as Toleration[] }, { clusters }).targets).toEqual(targets);
  });

  it("names the taint", () => {
    const clusters = [member("m1", { taints: [noSchedule] })];
    expect(plan({}, { clusters }).rejected[0]?.why).toBe(
      "clusterTolerations does not tolerate its taint k=v:NoSchedule",
    );
  });

  it("stops using a cluster that the affinity no longer allows, in use or not", () => {
    expect(plan({ clusterAffinity: { exclude: ["m1"] } }, { current: ["m1", "m2"] }).targets).toEqual(["m2", "m3"]);
  });

  describe("with groups of clusterAffinities", () => {
    const placement: Placement = {
      clusterAffinities: [
        { affinityName: "first", clusterNames: ["m8"] },
        { affinityName: "second", clusterNames: ["m2"] },
        { affinityName: "third", clusterNames: ["m3"] },
      ],
    };

    it("uses the first group that has a cluster, and tells what each group said", () => {
      const { targets, affinityName, rejected } = plan(placement);
      expect(targets).toEqual(["m2"]);
      expect(affinityName).toBe("second");
      expect(rejected.find(({ cluster }) => cluster === "m1")?.why).toBe(
        "in first: clusterNames does not list it; in second: clusterNames does not list it",
      );
      expect(rejected.map(({ cluster }) => cluster)).toEqual(["m1", "m3", "m8"]);
    });

    it.each`
      observed     | used
      ${"third"}   | ${["m3"]}
      ${"removed"} | ${["m2"]}
      ${undefined} | ${["m2"]}
    `(
      "starts from $observed, the group used last, or at the beginning",
      ({ observed, used }: { observed?: string; used: string[] }) => {
        expect(plan(placement, { observedAffinity: observed }).targets).toEqual(used);
      },
    );

    it("has no target and no group when none fits", () => {
      const { targets, affinityName } = plan(placement, { clusters: [m1] });
      expect(targets).toEqual([]);
      expect(affinityName).toBeUndefined();
    });
  });

  describe("with spreadConstraints", () => {
    it("stays within the limit and says who was left out", () => {
      const placement: Placement = { spreadConstraints: [{ spreadByField: "cluster", maxGroups: 2 }] };
      expect(plan(placement, { current: ["m3", "m2"] })).toEqual({
        targets: ["m2", "m3"],
        rejected: [{ cluster: "m1", why: "spreadConstraints.maxGroups is reached without it" }],
      });
    });

    it("gives no targets and the reason when the constraint cannot be met", () => {
      const { targets, unsatisfied } = plan({ spreadConstraints: [{ spreadByField: "cluster", minGroups: 5 }] });
      expect(targets).toEqual([]);
      expect(unsatisfied).toContain("minGroups is 5, but only 3 cluster(s) fit");
    });
  });

  it("gives every cluster either a target or a reason, never both, and is settled at once", () => {
    const names = ["m1", "m2", "m3"];
    const affinity = fc.record({ clusterNames: fc.subarray(names), exclude: fc.subarray(names) });
    const tainted = fc.subarray(names);
    fc.assert(
      fc.property(affinity, tainted, fc.subarray(names), (clusterAffinity, sick, current) => {
        const clusters = names.map(name => member(name, sick.includes(name) ? { taints: [noSchedule] } : {}));
        const { targets, rejected } = plan({ clusterAffinity }, { clusters, current });
        expect([...targets, ...rejected.map(({ cluster }) => cluster)].sort()).toEqual(names);
        expect(plan({ clusterAffinity }, { clusters, current: targets }).targets).toEqual(targets);
      }),
    );
  });
});
