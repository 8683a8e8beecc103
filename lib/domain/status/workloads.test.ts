// Are workloads summed up without ever looking finished too early?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { type StatusItem, aggregateStatus, healthOf, reflectStatus } from "./index.js";
import type { JsonRecord } from "./read.js";

function workload(kind: string, rest: { readonly status?: unknown; readonly replicas?: number } = {}): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name: "web", generation: 2 },
    spec: { replicas: rest.replicas },
    status: rest.status,
  };
}

function said(clusterName: string, status: JsonRecord | undefined, applied = true): StatusItem {
  return { clusterName, status, applied };
}

const current = { generation: 7, observedGeneration: 7, resourceTemplateGeneration: 2 };
const done = { ...current, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };

describe("reflectStatus of a Deployment", () => {
  it("reports counts, generations and what its conditions say, and nothing that moves while it idles", () => {
    const progressing = { type: "Progressing", status: "True", reason: "ReplicaSetUpdated" };
    const status = {
      observedGeneration: 2,
      replicas: 3,
      unavailableReplicas: 3,
      conditions: [
        { ...progressing, message: 'ReplicaSet "web-5d8" is progressing.', lastUpdateTime: "now" },
        { type: "Home-made", status: "True" },
      ],
    };
    expect(reflectStatus(workload("Deployment", { status }), { templateGeneration: 5 })).toEqual({
      observedGeneration: 2,
      replicas: 3,
      unavailableReplicas: 3,
      conditions: [progressing],
      generation: 2,
      resourceTemplateGeneration: 5,
    });
  });

  it("leaves the template's generation out when nobody knows it", () => {
    expect(reflectStatus(workload("Deployment", { status: {} }))).toEqual({ generation: 2 });
  });
});

describe("reflectStatus of a StatefulSet", () => {
  it("reports observedGeneration and both revisions", () => {
    const status = { observedGeneration: 1, replicas: 1, currentRevision: "a", updateRevision: "b", collisionCount: 0 };
    expect(reflectStatus(workload("StatefulSet", { status }), { templateGeneration: 1 })).toEqual({
      observedGeneration: 1,
      replicas: 1,
      currentRevision: "a",
      updateRevision: "b",
      generation: 2,
      resourceTemplateGeneration: 1,
    });
  });
});

describe("aggregateStatus of a Deployment", () => {
  it("adds the members up", () => {
    const items = [said("m1", done), said("m2", { ...done, replicas: 3, unavailableReplicas: 1 })];
    expect(aggregateStatus({ template: workload("Deployment"), items })).toEqual({
      replicas: 5,
      updatedReplicas: 4,
      readyReplicas: 4,
      availableReplicas: 4,
      unavailableReplicas: 1,
      observedGeneration: 2,
    });
  });

  it.each`
    given                                            | second
    ${"has not observed its object yet"}             | ${{ ...done, observedGeneration: 6 }}
    ${"still has the object of an older template"}   | ${{ ...done, resourceTemplateGeneration: 1 }}
    ${"does not say which template it has"}          | ${{ ...done, resourceTemplateGeneration: undefined }}
    ${"does not say which generation its object is"} | ${{ ...done, generation: undefined }}
    ${"has never observed anything"}                 | ${{ ...done, observedGeneration: undefined }}
  `("keeps the observed generation while a member $given", ({ second }: { second: JsonRecord }) => {
    const template = workload("Deployment", { status: { observedGeneration: 1 } });
    const items = [said("m1", done), said("m2", second)];
    expect(aggregateStatus({ template, items })).toMatchObject({ observedGeneration: 1, replicas: 4 });
  });

  it("keeps the observed generation while a member is unknown, or refused the last write", () => {
    const template = workload("Deployment", { status: { observedGeneration: 1 } });
    const unknown = [said("m1", done), said("m2", undefined)];
    const refused = [said("m1", done), said("m2", done, false)];
    expect(aggregateStatus({ template, items: unknown })).toMatchObject({ observedGeneration: 1, replicas: 2 });
    expect(aggregateStatus({ template, items: refused })).toMatchObject({ observedGeneration: 1, replicas: 4 });
  });

  it("goes to zero when no member has it any more, and keeps what may never fall", () => {
    const template = workload("Deployment", {
      status: {
        replicas: 4,
        readyReplicas: 4,
        observedGeneration: 1,
        collisionCount: 2,
        conditions: [{ type: "Old" }],
      },
    });
    expect(aggregateStatus({ template, items: [] })).toEqual({
      replicas: 0,
      updatedReplicas: 0,
      readyReplicas: 0,
      availableReplicas: 0,
      unavailableReplicas: 0,
      observedGeneration: 1,
      collisionCount: 2,
    });
  });
});

describe("the conditions of a Deployment", () => {
  const available = { type: "Available", status: "True", reason: "MinimumReplicasAvailable" };
  const rolledOut = { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" };
  const at = (condition: JsonRecord, minute: number): JsonRecord => ({
    ...condition,
    lastTransitionTime: `2025-01-01T00:0${minute}:00Z`,
  });

  it("are those of a Deployment whose every member is available and rolled out", () => {
    const items = [
      said("m1", { ...done, conditions: [at(available, 1), at(rolledOut, 1)] }),
      said("m2", { ...done, conditions: [at(available, 2), at(rolledOut, 3)] }),
    ];
    const lasting = { message: "in m1, m2" };
    expect(aggregateStatus({ template: workload("Deployment"), items })).toMatchObject({
      conditions: [
        { ...at(available, 2), ...lasting, lastUpdateTime: "2025-01-01T00:02:00Z" },
        { ...at(rolledOut, 3), ...lasting, lastUpdateTime: "2025-01-01T00:03:00Z" },
      ],
    });
  });

  it("go with the last member", () => {
    const items = [said("m1", { ...done, conditions: [at(available, 1)] })];
    const template = workload("Deployment", { status: aggregateStatus({ template: workload("Deployment"), items }) });
    expect(aggregateStatus({ template, items: [] })).not.toHaveProperty("conditions");
  });
});

describe("aggregateStatus of a StatefulSet", () => {
  const rolling = { ...done, currentRevision: "web-1", updateRevision: "web-2" };
  const rolled = { ...done, currentRevision: "web-a", updateRevision: "web-a" };

  it("shows two revisions while any member has not replaced all its Pods", () => {
    const items = [said("m1", rolled), said("m2", rolling)];
    expect(aggregateStatus({ template: workload("StatefulSet"), items })).toMatchObject({
      observedGeneration: 2,
      currentRevision: "web-1",
      updateRevision: "web-2",
    });
  });

  it("shows one revision when all have, though members name theirs differently", () => {
    const items = [said("m1", rolled), said("m2", { ...rolling, currentRevision: "web-2" })];
    expect(aggregateStatus({ template: workload("StatefulSet"), items })).toMatchObject({
      currentRevision: "web-a",
      updateRevision: "web-a",
    });
  });
});

describe("healthOf", () => {
  const observed = { observedGeneration: 2 };
  it.each`
    kind             | replicas     | status                                                                                       | health
    ${"Deployment"}  | ${2}         | ${{ ...observed, updatedReplicas: 2, availableReplicas: 2 }}                                 | ${"Healthy"}
    ${"Deployment"}  | ${undefined} | ${{ ...observed, updatedReplicas: 1, availableReplicas: 1 }}                                 | ${"Healthy"}
    ${"Deployment"}  | ${0}         | ${observed}                                                                                  | ${"Healthy"}
    ${"Deployment"}  | ${2}         | ${{ observedGeneration: 1, updatedReplicas: 2, availableReplicas: 2 }}                       | ${"Unhealthy"}
    ${"Deployment"}  | ${2}         | ${{ ...observed, updatedReplicas: 1, availableReplicas: 2 }}                                 | ${"Unhealthy"}
    ${"StatefulSet"} | ${2}         | ${{ ...observed, updatedReplicas: 2, availableReplicas: 1 }}                                 | ${"Unhealthy"}
    ${"StatefulSet"} | ${2}         | ${{ ...observed, updatedReplicas: 2, availableReplicas: 2 }}                                 | ${"Healthy"}
    ${"ReplicaSet"}  | ${2}         | ${{ ...observed, availableReplicas: 2 }}                                                     | ${"Healthy"}
    ${"ReplicaSet"}  | ${2}         | ${{ ...observed, availableReplicas: 1 }}                                                     | ${"Unhealthy"}
    ${"DaemonSet"}   | ${undefined} | ${{ ...observed, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 }} | ${"Healthy"}
    ${"DaemonSet"}   | ${undefined} | ${{ ...observed, desiredNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 2 }} | ${"Unhealthy"}
    ${"DaemonSet"}   | ${undefined} | ${{ ...observed, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 }} | ${"Unhealthy"}
  `("calls a $kind of $replicas replicas with $status $health", ({ kind, replicas, status, health }) => {
    expect(healthOf(workload(kind, { status, replicas }))).toBe(health);
  });
});
