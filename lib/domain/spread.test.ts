// Do spread constraints hold at every step, without moving what runs?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SpreadConstraint } from "../../crds/placement.js";
import type { ClusterFacts } from "./affinity.js";
import { spread, whyNotSpreadable } from "./spread.js";

interface Case {
  constraints: SpreadConstraint[];
  current: string[];
  chosen: string[];
}

const cluster = (name: string, region?: string, labels?: Record<string, string>): ClusterFacts => ({
  metadata: { name, labels },
  spec: { region },
});
const six = [
  cluster("a1", "a", { rack: "r1" }),
  cluster("a2", "a", { rack: "r2" }),
  cluster("a3", "a", { rack: "r1" }),
  cluster("b1", "b", { rack: "r2" }),
  cluster("b2", "b", { rack: "r3" }),
  cluster("c1", "c", { rack: "r3" }),
];
const byCluster = (minGroups?: number, maxGroups?: number): SpreadConstraint => ({
  spreadByField: "cluster",
  minGroups,
  maxGroups,
});
const byRegion = (minGroups?: number, maxGroups?: number): SpreadConstraint => ({
  spreadByField: "region",
  minGroups,
  maxGroups,
});

describe("spread", () => {
  it.each`
    given                                               | constraints                                                   | current         | chosen
    ${"no constraint: all"}                             | ${[]}                                                         | ${[]}           | ${["a1", "a2", "a3", "b1", "b2", "c1"]}
    ${"no maxGroups: all"}                              | ${[byCluster(1)]}                                             | ${[]}           | ${["a1", "a2", "a3", "b1", "b2", "c1"]}
    ${"maxGroups 0, which means unset: all"}            | ${[byCluster(1, 0)]}                                          | ${[]}           | ${["a1", "a2", "a3", "b1", "b2", "c1"]}
    ${"at most two: the first by name"}                 | ${[byCluster(1, 2)]}                                          | ${[]}           | ${["a1", "a2"]}
    ${"at most two: those in use"}                      | ${[byCluster(1, 2)]}                                          | ${["b2", "c1"]} | ${["b2", "c1"]}
    ${"at most two, one in use: it and the first"}      | ${[byCluster(1, 2)]}                                          | ${["c1"]}       | ${["c1", "a1"]}
    ${"one region: the biggest"}                        | ${[byRegion(1, 1), byCluster(1)]}                             | ${[]}           | ${["a1", "a2", "a3"]}
    ${"one region: the one in use"}                     | ${[byRegion(1, 1), byCluster(1)]}                             | ${["c1"]}       | ${["c1"]}
    ${"the one in use is too small: a bigger one"}      | ${[byRegion(1, 1), byCluster(2)]}                             | ${["c1"]}       | ${["a1", "a2", "a3"]}
    ${"two regions, three clusters: one of each first"} | ${[byRegion(2, 2), byCluster(1, 3)]}                          | ${[]}           | ${["a1", "b1", "a2"]}
    ${"three regions of one each"}                      | ${[byRegion(3), byCluster(3, 3)]}                             | ${[]}           | ${["a1", "b1", "c1"]}
    ${"a label"}                                        | ${[{ spreadByLabel: "rack", minGroups: 2 }, byCluster(1, 3)]} | ${[]}           | ${["a1", "a2", "b2"]}
  `("chooses $chosen for $given", ({ constraints, current, chosen }: Case) => {
    expect(spread(constraints, six, current)).toEqual({ chosen });
    expect(spread(constraints, six.toReversed(), current)).toEqual({ chosen });
  });

  it.each`
    given                             | constraints                                               | why
    ${"more clusters than there are"} | ${[byCluster(7)]}                                         | ${"spreadConstraints[0]: minGroups is 7, but only 6 cluster(s) fit"}
    ${"more regions than there are"}  | ${[byCluster(1), byRegion(4)]}                            | ${"spreadConstraints[1]: minGroups is 4, but only 3 region(s) fit"}
    ${"clusters no region can hold"}  | ${[byRegion(1, 1), byCluster(4)]}                         | ${"spreadConstraints[1]: minGroups is 4, but only 3 cluster(s) fit"}
    ${"too few clusters for regions"} | ${[byRegion(3), byCluster(1, 2)]}                         | ${"at most 2 clusters cannot cover 3 groups"}
    ${"groups of two kinds"}          | ${[byRegion(1), { spreadByField: "zone" }, byCluster(1)]} | ${"groups by region and zone; keep one of them"}
  `("says why it cannot give $given", ({ constraints, why }: { constraints: SpreadConstraint[]; why: string }) => {
    const outcome = spread(constraints, six, []);
    expect("unsatisfied" in outcome && outcome.unsatisfied).toContain(why);
  });

  const limits = fc.record({ min: fc.integer({ min: 0, max: 4 }), max: fc.integer({ min: 0, max: 4 }) });

  it("keeps every limit, and chooses the same again once the chosen are in use", () => {
    fc.assert(
      fc.property(limits, limits, fc.subarray(six), (regions, clusters, feasible) => {
        const constraints = [byRegion(regions.min, regions.max), byCluster(clusters.min, clusters.max)];
        const outcome = spread(constraints, feasible, []);
        if ("unsatisfied" in outcome) return;

        const used = new Set(outcome.chosen.map(name => name.charAt(0))).size;
        expect(outcome.chosen.length).toBeLessThanOrEqual(clusters.max || 6);
        expect(outcome.chosen.length).toBeGreaterThanOrEqual(Math.min(clusters.min, clusters.max || 6));
        expect(used).toBeLessThanOrEqual(regions.max || 3);
        expect(used).toBeGreaterThanOrEqual(Math.min(regions.min, regions.max || 3));
        const again = spread(constraints, feasible, outcome.chosen);
        expect("chosen" in again && again.chosen.toSorted()).toEqual(outcome.chosen.toSorted());
      }),
    );
  });
});

describe("whyNotSpreadable", () => {
  it.each`
    given                          | constraints                    | why
    ${"groups by cluster"}         | ${[byCluster(1)]}              | ${undefined}
    ${"a region it does not have"} | ${[byRegion(1)]}               | ${"it has no region, which spreadConstraints asks for"}
    ${"a label it does not have"}  | ${[{ spreadByLabel: "rack" }]} | ${"it has no label rack, which spreadConstraints asks for"}
  `("answers '$why' for $given", ({ constraints, why }: { constraints: SpreadConstraint[]; why?: string }) => {
    expect(whyNotSpreadable(constraints, cluster("m1"))).toBe(why);
  });
});
