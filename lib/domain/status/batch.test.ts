// Do Jobs end once, for the right reason, and do CronJobs that never ran break nothing?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { type StatusItem, aggregateStatus, healthOf, reflectStatus } from "./index.js";
import type { JsonRecord } from "./read.js";

const created = "2025-01-01T00:00:00Z";
const at = (minute: number): string => `2025-01-01T00:0${minute}:00Z`;
const is = (type: string, minute: number, more: JsonRecord = {}): JsonRecord => ({
  type,
  status: "True",
  lastTransitionTime: at(minute),
  ...more,
});

function job(status?: unknown, kind = "Job"): KubeObject {
  return { apiVersion: "batch/v1", kind, metadata: { name: "j", creationTimestamp: created }, spec: {}, status };
}

function said(clusterName: string, status?: JsonRecord): StatusItem {
  return { clusterName, status, applied: status !== undefined };
}

const running = { active: 1, startTime: at(2) };
const complete = { succeeded: 1, startTime: at(1), completionTime: at(4), conditions: [is("Complete", 4)] };
const failed = {
  failed: 3,
  startTime: at(1),
  conditions: [is("FailureTarget", 5), is("Failed", 6, { reason: "TooOld" })],
};

describe("aggregateStatus of a Job", () => {
  it("adds the members up and starts with the first of them", () => {
    const items = [said("m1", running), said("m2", { ...running, startTime: at(3), failed: 1 })];
    expect(aggregateStatus({ template: job(), items })).toEqual({
      active: 2,
      succeeded: 0,
      failed: 1,
      startTime: at(2),
    });
  });

  it("never moves a start time that stands, and lets no count fall", () => {
    const template = job({ startTime: at(3), succeeded: 2, failed: 4, active: 9 });
    expect(aggregateStatus({ template, items: [said("m1", running)] })).toEqual({
      active: 1,
      succeeded: 2,
      failed: 4,
      startTime: at(3),
    });
  });

  it.each`
    given                             | other
    ${"another is active"}            | ${running}
    ${"another has said nothing yet"} | ${undefined}
    ${"another is failing"}           | ${{ active: 1, conditions: [is("FailureTarget", 5)] }}
  `("announces a failure, and does not end, while $given", ({ other }: { other?: JsonRecord }) => {
    const status = aggregateStatus({ template: job(), items: [said("m1", failed), said("m2", other)] });
    expect(status).toMatchObject({ conditions: [{ type: "FailureTarget", status: "True" }] });
    expect(status).not.toHaveProperty("completionTime");
  });

  it("fails when all have finished and one failed, with its reason, its name and the time of the last end", () => {
    const status = aggregateStatus({ template: job(), items: [said("m1", complete), said("m2", failed)] });
    const rest = { status: "True", reason: "TooOld", message: "failed in m2" };
    expect(status).toEqual({
      active: 0,
      succeeded: 1,
      failed: 3,
      startTime: at(1),
      conditions: [
        { type: "FailureTarget", ...rest, lastTransitionTime: at(6) },
        { type: "Failed", ...rest, lastTransitionTime: at(6) },
      ],
    });
  });

  it("completes when all are complete", () => {
    const items = [said("m1", complete), said("m2", { ...complete, completionTime: at(7) })];
    expect(aggregateStatus({ template: job(), items })).toMatchObject({
      active: 0,
      succeeded: 2,
      completionTime: at(7),
      conditions: [{ type: "SuccessCriteriaMet" }, { type: "Complete", message: "completed in m1, m2" }],
    });
  });

  it("does not complete while a member is unknown", () => {
    const status = aggregateStatus({ template: job(), items: [said("m1", complete), said("m2")] });
    expect(status).toEqual({ active: 0, succeeded: 1, failed: 0, startTime: at(1) });
  });

  it.each(["Complete", "Failed"])("leaves a template that is %s as it is", type => {
    const template = job({ conditions: [is(type, 1)] });
    expect(aggregateStatus({ template, items: [said("m1", running)] })).toBeUndefined();
    expect(aggregateStatus({ template, items: [] })).toBeUndefined();
  });

  it("starts when the template was made if no member says when", () => {
    const items = [said("m1", { succeeded: 1, conditions: [{ type: "Complete", status: "True" }] })];
    expect(aggregateStatus({ template: job(), items })).toMatchObject({ startTime: created, completionTime: created });
  });
});

describe("reflectStatus of a Job", () => {
  it("reports counts, times and conditions, less the time of the last look", () => {
    const status = { ...failed, ready: 0, terminating: 0, conditions: [is("Failed", 6, { lastProbeTime: at(7) })] };
    expect(reflectStatus(job(status))).toEqual({ failed: 3, startTime: at(1), conditions: [is("Failed", 6)] });
  });
});

describe("healthOf", () => {
  it.each(["Job", "CronJob"])("calls every %s Healthy", kind => {
    expect(healthOf(job(failed, kind))).toBe("Healthy");
  });
});

describe("aggregateStatus of a CronJob", () => {
  it("puts the active Jobs together and shows the latest times", () => {
    const items = [
      said("m2", { active: [{ kind: "Job", name: "b" }], lastScheduleTime: at(2), lastSuccessfulTime: at(1) }),
      said("m1", { active: [{ kind: "Job", name: "a", uid: "u" }], lastScheduleTime: at(3) }),
    ];
    expect(aggregateStatus({ template: job({}, "CronJob"), items })).toEqual({
      active: [
        { kind: "Job", name: "a", uid: "u" },
        { kind: "Job", name: "b" },
      ],
      lastScheduleTime: at(3),
      lastSuccessfulTime: at(1),
    });
  });

  it("writes nothing for one that never ran in two clusters", () => {
    const items = [said("m1", {}), said("m2", { lastScheduleTime: null, lastSuccessfulTime: null })];
    expect(aggregateStatus({ template: job({}, "CronJob"), items })).toBeUndefined();
  });
});
