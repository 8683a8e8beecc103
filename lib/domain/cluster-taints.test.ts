// Does readiness count as a taint, whether or not it is written as one?
import { describe, expect, it } from "vitest";
import type { Taint } from "../../crds/taint.js";
import { NOT_READY_TAINT, specInEffect, taintsInEffect, UNREACHABLE_TAINT } from "./cluster-taints.js";

const mine: Taint = { key: "team", value: "a", effect: "PreferNoSchedule" };
const notReady: Taint = { key: NOT_READY_TAINT, effect: "NoSchedule" };
const unreachable: Taint = { key: UNREACHABLE_TAINT, effect: "NoSchedule" };

describe("taintsInEffect", () => {
  it.each`
    given                                          | taints        | ready        | result
    ${"nothing to say"}                            | ${undefined}  | ${"True"}    | ${[]}
    ${"no look at the cluster yet"}                | ${[mine]}     | ${undefined} | ${[mine]}
    ${"a cluster that is not ready"}               | ${undefined}  | ${"False"}   | ${[notReady]}
    ${"a cluster that is not ready, with a taint"} | ${[mine]}     | ${"False"}   | ${[mine, notReady]}
    ${"a cluster of which nothing is known"}       | ${[mine]}     | ${"Unknown"} | ${[mine, unreachable]}
    ${"a taint that is written already"}           | ${[notReady]} | ${"False"}   | ${[notReady]}
    ${"a written one that lags behind"}            | ${[notReady]} | ${"True"}    | ${[notReady]}
  `("are $result for $given", ({ taints, ready, result }) => {
    const conditions = ready === undefined ? [] : [{ type: "Ready", status: ready as "True" }];
    expect(taintsInEffect({ spec: { taints: taints as Taint[] }, status: { conditions } })).toEqual(result);
  });
});

it("takes a readiness and its taint, written a moment later, for the same spec", () => {
  const status = { conditions: [{ type: "Ready", status: "False" as const }] };
  const taints = [notReady];
  const before = { spec: { region: "eu", taints: [] }, status };
  expect(specInEffect(before)).toEqual(specInEffect({ spec: { region: "eu", taints }, status }));
  expect(specInEffect(before)).not.toEqual(specInEffect({ spec: before.spec }));
});
