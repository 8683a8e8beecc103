// Are budgets and autoscalers added up, and is no Pod of one member taken for that of another?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { aggregateStatus, healthOf, reflectStatus } from "./index.js";

const since = "2025-01-01T00:00:00Z";

function budget(status: unknown): KubeObject {
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "b" }, status };
}

function autoscaler(status: unknown): KubeObject {
  return { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name: "a" }, status };
}

function aggregate(template: KubeObject, ...statuses: readonly unknown[]): unknown {
  return aggregateStatus({
    template,
    items: statuses.map((status, index) => ({ clusterName: `m${index + 1}`, status, applied: true })),
  });
}

describe("a PodDisruptionBudget", () => {
  const said = { currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed: 1, expectedPods: 2 };

  it("is added up, with disrupted Pods under the name of their cluster", () => {
    const disruptedPods = { "web-0": since };
    expect(aggregate(budget({}), { ...said, disruptedPods }, { ...said, disruptedPods })).toEqual({
      currentHealthy: 4,
      desiredHealthy: 2,
      disruptionsAllowed: 2,
      expectedPods: 4,
      disruptedPods: { "m1/web-0": since, "m2/web-0": since },
    });
  });

  it("reports its counts, disrupted Pods and conditions only", () => {
    const conditions = [{ type: "DisruptionAllowed", status: "True", reason: "SufficientPods" }];
    const status = { ...said, disruptedPods: {}, observedGeneration: 1, conditions };
    expect(reflectStatus(budget(status))).toEqual({ ...said, disruptedPods: {}, conditions });
  });

  it.each`
    currentHealthy | desiredHealthy | health
    ${1}           | ${1}           | ${"Healthy"}
    ${0}           | ${1}           | ${"Unhealthy"}
  `("with $currentHealthy of $desiredHealthy is $health", ({ health, ...status }) => {
    expect(healthOf(budget(status))).toBe(health);
  });
});

describe("a HorizontalPodAutoscaler", () => {
  it("is added up, and loses what the members' sum does not cover", () => {
    const template = autoscaler({ currentReplicas: 9, desiredReplicas: 9, lastScaleTime: since, currentMetrics: null });
    const said = { currentReplicas: 2, desiredReplicas: 3 };
    expect(aggregate(template, said, undefined, said)).toEqual({ currentReplicas: 4, desiredReplicas: 6 });
  });

  it("reports its replicas only, as its metrics never rest", () => {
    const status = {
      currentReplicas: 2,
      desiredReplicas: 3,
      currentMetrics: [{ type: "Resource" }],
      lastScaleTime: since,
    };
    expect(reflectStatus(autoscaler(status))).toEqual({ currentReplicas: 2, desiredReplicas: 3 });
  });

  it("is Healthy whatever it says", () => {
    expect(healthOf(autoscaler({ currentReplicas: 0, desiredReplicas: 3 }))).toBe("Healthy");
  });
});

describe("a HorizontalPodAutoscaler's conditions", () => {
  const since = "2025-01-01T00:00:00Z";
  const able = { type: "AbleToScale", status: "True", reason: "ReadyForNewScale", lastTransitionTime: since };
  it.each`
    apiVersion          | conditions
    ${"autoscaling/v2"} | ${[{ ...able, message: "in m1" }]}
    ${"autoscaling/v1"} | ${undefined}
  `("are in the status of $apiVersion: $conditions", ({ apiVersion, conditions }: Record<string, unknown>) => {
    const template = { ...autoscaler({}), apiVersion: String(apiVersion) };
    const status = { currentReplicas: 1, desiredReplicas: 1, conditions: [able] };
    expect(aggregate(template, status)).toEqual({
      currentReplicas: 1,
      desiredReplicas: 1,
      ...(conditions ? { conditions } : {}),
    });
  });
});
