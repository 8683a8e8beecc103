// Is a claim bound only when it is bound everywhere?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { aggregateStatus, healthOf } from "./index.js";

function object(kind: string, status: unknown): KubeObject {
  return { apiVersion: "v1", kind, metadata: { name: "v" }, spec: {}, status };
}

function aggregate(template: KubeObject, phases: readonly (string | undefined)[]): unknown {
  const items = phases.map((phase, index) => ({
    clusterName: `m${index}`,
    status: phase === undefined ? undefined : { phase },
    applied: true,
  }));
  return aggregateStatus({ template, items });
}

describe("aggregateStatus", () => {
  it.each`
    kind                       | phases                     | phase
    ${"PersistentVolumeClaim"} | ${["Bound", "Bound"]}      | ${"Bound"}
    ${"PersistentVolumeClaim"} | ${["Bound", "Pending"]}    | ${"Pending"}
    ${"PersistentVolumeClaim"} | ${["Pending", "Lost"]}     | ${"Lost"}
    ${"PersistentVolumeClaim"} | ${["Bound", undefined]}    | ${"Pending"}
    ${"PersistentVolumeClaim"} | ${["Bound", "Odd"]}        | ${"Pending"}
    ${"PersistentVolumeClaim"} | ${[]}                      | ${"Pending"}
    ${"PersistentVolume"}      | ${["Failed", "Pending"]}   | ${"Failed"}
    ${"PersistentVolume"}      | ${["Available", "Bound"]}  | ${"Available"}
    ${"PersistentVolume"}      | ${["Bound", "Released"]}   | ${"Bound"}
    ${"PersistentVolume"}      | ${["Released", undefined]} | ${"Pending"}
  `("of a $kind that is $phases is $phase", ({ kind, phases, phase }) => {
    expect(aggregate(object(kind, {}), phases)).toEqual({ phase });
  });

  it("keeps the API server's time of a volume's phase, and drops it with the phase", () => {
    const template = object("PersistentVolume", {
      phase: "Bound",
      reason: "old",
      lastPhaseTransitionTime: "2025-01-01T00:00:00Z",
    });
    expect(aggregate(template, ["Bound"])).toEqual({ phase: "Bound", lastPhaseTransitionTime: "2025-01-01T00:00:00Z" });
    expect(aggregate(template, ["Released"])).toEqual({ phase: "Released" });
  });
});

describe("healthOf", () => {
  it.each`
    kind                       | phase        | health
    ${"PersistentVolumeClaim"} | ${"Bound"}   | ${"Healthy"}
    ${"PersistentVolumeClaim"} | ${"Pending"} | ${"Unhealthy"}
    ${"PersistentVolume"}      | ${"Failed"}  | ${"Healthy"}
  `("calls a $kind that is $phase $health", ({ kind, phase, health }) => {
    expect(healthOf(object(kind, { phase }))).toBe(health);
  });
});
