// Does one Pod stand for its copies without pretending that they are better off than they are?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { aggregateStatus, healthOf } from "./index.js";

function pod(status: unknown, restartPolicy = "Always"): KubeObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { restartPolicy }, status };
}

function aggregate(template: KubeObject, ...statuses: readonly unknown[]): unknown {
  return aggregateStatus({
    template,
    items: statuses.map((status, index) => ({ clusterName: `m${index}`, status, applied: true })),
  });
}

const since = "2025-01-01T00:00:00Z";
const runs = { name: "c", ready: true, state: { running: { startedAt: since } }, image: "x", restartCount: 4 };
const waits = { name: "c", ready: false, state: { waiting: { reason: "CrashLoopBackOff" } } };
const ended = (exitCode: number): object => ({ name: "c", ready: false, state: { terminated: { exitCode } } });
const withContainer = (container: object): object => ({ phase: "Running", containerStatuses: [container] });

describe("aggregateStatus of a Pod", () => {
  it.each`
    phases                        | phase
    ${["Running", "Running"]}     | ${"Running"}
    ${["Succeeded", "Running"]}   | ${"Running"}
    ${["Succeeded", "Succeeded"]} | ${"Succeeded"}
    ${["Running", "Pending"]}     | ${"Pending"}
    ${["Pending", "Failed"]}      | ${"Failed"}
    ${["Running", undefined]}     | ${"Pending"}
    ${["Running", "Unknown"]}     | ${"Pending"}
    ${[]}                         | ${"Pending"}
  `("of copies that are $phases is $phase", ({ phases, phase }: { phases: string[]; phase: string }) => {
    const statuses = phases.map(each => (each === undefined ? undefined : { phase: each }));
    expect(aggregate(pod({}), ...statuses)).toMatchObject({ phase });
  });

  it.each`
    given                             | copies                  | container
    ${"all run"}                      | ${[runs, runs]}         | ${{ ready: true, state: runs.state }}
    ${"one waits"}                    | ${[runs, waits]}        | ${{ ready: false, state: waits.state }}
    ${"one ended and one runs"}       | ${[ended(0), runs]}     | ${{ ready: false, state: runs.state }}
    ${"all ended, one of them badly"} | ${[ended(0), ended(2)]} | ${{ ready: false, state: { terminated: { exitCode: 2 } } }}
  `("shows one entry per container when $given", ({ copies, container }: { copies: object[]; container: object }) => {
    const status = aggregate(pod({}), ...copies.map(withContainer));
    expect(status).toMatchObject({ containerStatuses: [{ name: "c", ...container }] });
  });

  it("reports nothing of a container but whether it is ready and its state", () => {
    expect(aggregate(pod({}), withContainer(runs))).toMatchObject({
      containerStatuses: [{ image: "", restartCount: 0 }],
    });
  });

  it("shows a container as waiting while a member says nothing", () => {
    expect(aggregate(pod({}), withContainer(ended(0)), undefined)).toMatchObject({
      containerStatuses: [{ ready: false, state: { waiting: {} } }],
    });
  });

  it.each`
    restartPolicy  | exitCode | stays
    ${"Always"}    | ${0}     | ${false}
    ${"OnFailure"} | ${1}     | ${false}
    ${"OnFailure"} | ${0}     | ${true}
    ${"Never"}     | ${1}     | ${true}
  `(
    "an end with $exitCode stays under $restartPolicy when a member is added: $stays",
    ({ restartPolicy, exitCode, stays }: { restartPolicy: string; exitCode: number; stays: boolean }) => {
      const template = pod({ phase: "Succeeded", containerStatuses: [ended(exitCode)] }, restartPolicy);
      const state = stays ? { terminated: { exitCode } } : runs.state;
      expect(aggregate(template, withContainer(runs))).toMatchObject({ containerStatuses: [{ state }] });
    },
  );

  it("keeps the class and the generation that the API server set", () => {
    const template = pod({ phase: "Pending", qosClass: "Burstable", observedGeneration: 1, conditions: [] });
    expect(aggregate(template, { phase: "Running" })).toEqual({
      phase: "Running",
      qosClass: "Burstable",
      observedGeneration: 1,
    });
  });
});

describe("healthOf", () => {
  const ready = { type: "Ready", status: "True" };
  it.each`
    status                                                               | health
    ${{ phase: "Succeeded" }}                                            | ${"Healthy"}
    ${{ phase: "Running", conditions: [ready] }}                         | ${"Healthy"}
    ${{ phase: "Running", conditions: [{ ...ready, status: "False" }] }} | ${"Unhealthy"}
    ${{ phase: "Pending", conditions: [ready] }}                         | ${"Unhealthy"}
    ${undefined}                                                         | ${"Unknown"}
  `("calls a Pod with $status $health", ({ status, health }) => {
    expect(healthOf(pod(status))).toBe(health);
  });
});
