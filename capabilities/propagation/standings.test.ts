// Does a policy know at any moment which of its objects are in trouble, and only hear of what changes that?
import { describe, expect, it } from "vitest";
import { PP_ID_LABEL } from "../../lib/domain/marks.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { standingOf, StandingsByPolicy } from "./standings.js";

const KEY = "shop/cfg-configmap";

interface Told {
  readonly policy?: string;
  readonly fullyApplied?: "True" | "False";
  readonly scheduled?: "True" | "False";
  readonly items?: readonly object[];
}

function binding({ policy = "p1", fullyApplied, scheduled = "True", items = [] }: Told = {}): AnyBinding {
  const condition = (type: string, status: string, message = "said") => ({ type, status, reason: "R", message });
  const applied = fullyApplied === undefined ? [] : [condition("FullyApplied", fullyApplied)];
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: { namespace: "shop", name: "cfg-configmap", labels: { [PP_ID_LABEL]: policy } },
    spec: { resource: { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "cfg" } },
    status: { conditions: [condition("Scheduled", scheduled, "no cluster fits"), ...applied], aggregatedStatus: items },
  } as unknown as AnyBinding;
}

const refused = (clusterName: string, appliedMessage = "invalid") => ({ clusterName, applied: false, appliedMessage });
const sick = binding({ fullyApplied: "False", items: [refused("m1")] });
const well = binding({ fullyApplied: "True" });

describe("standingOf", () => {
  it.each`
    given                                    | told                                                                                        | standing
    ${"applied everywhere"}                  | ${{ fullyApplied: "True" }}                                                                 | ${undefined}
    ${"applied, with a field left out"}      | ${{ fullyApplied: "True", items: [{ applied: true, appliedMessage: "left out" }] }}         | ${undefined}
    ${"not reported yet"}                    | ${{}}                                                                                       | ${{ state: "waits" }}
    ${"not tried yet"}                       | ${{ fullyApplied: "False", items: [{ clusterName: "m1", applied: false, pending: true }] }} | ${{ state: "waits" }}
    ${"tried again after an error"}          | ${{ fullyApplied: "False", items: [{ ...refused("m1", "try later"), pending: true }] }}     | ${{ state: "waits" }}
    ${"refused by one member"}               | ${{ fullyApplied: "False", items: [refused("m1"), { clusterName: "m2", applied: true }] }}  | ${{ state: "refused", words: ["ConfigMap shop/cfg in m1: invalid"] }}
    ${"refused by one, waiting for another"} | ${{ fullyApplied: "False", items: [refused("m1"), { ...refused("m2"), pending: true }] }}   | ${{ state: "refused", words: ["ConfigMap shop/cfg in m1: invalid"] }}
    ${"placed nowhere"}                      | ${{ scheduled: "False", fullyApplied: "False" }}                                            | ${{ state: "refused", words: ["ConfigMap shop/cfg: no cluster fits"] }}
  `("of an object that is $given", ({ told, standing }) => {
    expect(standingOf(binding(told as Told))).toEqual(standing);
  });

  it("tells the beginning of what a member says at length", () => {
    const standing = standingOf(binding({ fullyApplied: "False", items: [refused("m1", "x".repeat(9_000))] }));
    expect(standing?.state === "refused" && standing.words[0]).toHaveLength(512);
  });
});

describe("StandingsByPolicy", () => {
  it("follows an object from its first sight to its end", () => {
    const standings = new StandingsByPolicy();
    expect(standings.of("p1")).toEqual({ bindings: 0, open: [] });

    expect(standings.note({ key: KEY, before: undefined, after: binding() })).toEqual(["p1"]);
    expect(standings.of("p1")).toEqual({ bindings: 1, open: [{ state: "waits" }] });
    expect(standings.note({ key: KEY, before: binding(), after: sick })).toEqual(["p1"]);
    expect(standings.of("p1").open).toMatchObject([{ state: "refused" }]);
    expect(standings.note({ key: KEY, before: sick, after: well })).toEqual(["p1"]);
    expect(standings.of("p1")).toEqual({ bindings: 1, open: [] });
    expect(standings.note({ key: KEY, before: well, after: undefined })).toEqual(["p1"]);
    expect(standings.of("p1")).toEqual({ bindings: 0, open: [] });
  });

  it("wakes nobody for a change that alters nothing for the policy", () => {
    const standings = new StandingsByPolicy();
    standings.note({ key: KEY, before: undefined, after: well });
    const changed = { ...well, metadata: { ...well.metadata, resourceVersion: "2" } };
    expect(standings.note({ key: KEY, before: well, after: changed })).toEqual([]);
  });

  it("takes an object from one policy to another", () => {
    const standings = new StandingsByPolicy();
    standings.note({ key: KEY, before: undefined, after: sick });
    const other = binding({ policy: "p2", fullyApplied: "False", items: [refused("m1")] });
    expect(standings.note({ key: KEY, before: sick, after: other }).sort()).toEqual(["p1", "p2"]);
    expect([standings.of("p1").bindings, standings.of("p2").open.length]).toEqual([0, 1]);
  });
});
