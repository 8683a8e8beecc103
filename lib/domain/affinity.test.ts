// Does an affinity allow the clusters it describes, and name what keeps the others out?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClusterAffinity } from "../../crds/affinity.js";
import { matchesAffinity, whyNotAffinity, type ClusterFacts } from "./affinity.js";

const m1: ClusterFacts = {
  metadata: { name: "m1", labels: { env: "prod" } },
  spec: { provider: "aws", region: "eu", zones: ["eu-a", "eu-b"] },
};
const bare: ClusterFacts = { metadata: { name: "m1" }, spec: {} };
const field = (key: string, operator: string, ...values: string[]): ClusterAffinity => ({
  fieldSelector: { matchExpressions: [{ key, operator, values }] },
});

interface Case {
  affinity: ClusterAffinity | undefined;
  cluster: ClusterFacts;
  why: string | undefined;
}

describe("whyNotAffinity", () => {
  it.each`
    given                                   | affinity                                                                     | cluster                              | why
    ${"no affinity"}                        | ${undefined}                                                                 | ${m1}                                | ${undefined}
    ${"an empty affinity"}                  | ${{}}                                                                        | ${m1}                                | ${undefined}
    ${"empty lists"}                        | ${{ clusterNames: [], exclude: [] }}                                         | ${m1}                                | ${undefined}
    ${"its name"}                           | ${{ clusterNames: ["m2", "m1"] }}                                            | ${m1}                                | ${undefined}
    ${"other names"}                        | ${{ clusterNames: ["m2"] }}                                                  | ${m1}                                | ${"clusterNames does not list it"}
    ${"its name, but also excluded"}        | ${{ clusterNames: ["m1"], exclude: ["m1"] }}                                 | ${m1}                                | ${"exclude lists it"}
    ${"its labels"}                         | ${{ labelSelector: { matchLabels: { env: "prod" } } }}                       | ${m1}                                | ${undefined}
    ${"other labels"}                       | ${{ labelSelector: { matchLabels: { env: "dev" } } }}                        | ${m1}                                | ${"its labels do not match labelSelector"}
    ${"its labels, but another name"}       | ${{ labelSelector: { matchLabels: { env: "prod" } }, clusterNames: ["m2"] }} | ${m1}                                | ${"clusterNames does not list it"}
    ${"its provider"}                       | ${field("provider", "In", "gcp", "aws")}                                     | ${m1}                                | ${undefined}
    ${"another provider"}                   | ${field("provider", "In", "gcp")}                                            | ${m1}                                | ${"its provider is aws, and fieldSelector wants provider In (gcp)"}
    ${"a region it must not have"}          | ${field("region", "NotIn", "eu")}                                            | ${m1}                                | ${"its region is eu, and fieldSelector wants region NotIn (eu)"}
    ${"one of its zones"}                   | ${field("zone", "In", "eu-b", "eu-c")}                                       | ${m1}                                | ${undefined}
    ${"a zone it must not have"}            | ${field("zone", "NotIn", "eu-b")}                                            | ${m1}                                | ${"its zone is eu-a, eu-b, and fieldSelector wants zone NotIn (eu-b)"}
    ${"a region, of one that has none"}     | ${field("region", "In", "eu")}                                               | ${bare}                              | ${"it has no region, and fieldSelector wants region In (eu)"}
    ${"not a region, of one that has none"} | ${field("region", "NotIn", "eu")}                                            | ${bare}                              | ${undefined}
    ${"an unknown key"}                     | ${field("rack", "NotIn", "r1")}                                              | ${m1}                                | ${"it has no rack, and fieldSelector wants rack NotIn (r1)"}
    ${"an unknown operator"}                | ${field("region", "Exists")}                                                 | ${m1}                                | ${"its region is eu, and fieldSelector wants region Exists ()"}
    ${"the zone in its old spelling"}       | ${field("zone", "In", "z1")}                                                 | ${{ ...bare, spec: { zone: "z1" } }} | ${undefined}
  `("answers '$why' for $given", ({ affinity, cluster, why }: Case) => {
    expect(whyNotAffinity(affinity, cluster)).toBe(why);
    expect(matchesAffinity(affinity, cluster)).toBe(why === undefined);
  });

  it("never allows an excluded cluster, whatever else the affinity says", () => {
    const names = fc.uniqueArray(fc.constantFrom("m1", "m2"));
    fc.assert(
      fc.property(names, names, (clusterNames, exclude) => {
        expect(matchesAffinity({ clusterNames, exclude: [...exclude, "m1"] }, m1)).toBe(false);
      }),
    );
  });
});
