// Do reflection, health and aggregation keep their promises for every kind?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { bareTemplate, memberItems, memberStatuses } from "./arbitraries.js";
import { aggregateStatus, aggregatedKinds, healthOf, reflectStatus } from "./index.js";
import { type JsonRecord, countAt, isRecord, recordsAt, timeAt, trueCondition } from "./read.js";

function object(apiVersion: string, kind: string, rest: JsonRecord = {}): KubeObject {
  return { apiVersion, kind, metadata: { name: "x", generation: 2 }, ...rest };
}

describe("reflectStatus", () => {
  it("reports the whole status of a kind without a rule", () => {
    const status = { phase: "Green", nodes: [{ name: "a" }] };
    expect(reflectStatus(object("db.example/v1", "Base", { status }))).toEqual(status);
  });

  it("leaves out the heartbeats of conditions, so that an idle object reports the same each time", () => {
    const at = (lastHeartbeatTime: string) =>
      object("db.example/v1", "Base", {
        status: { conditions: [{ type: "Ready", status: "True", lastHeartbeatTime, lastTransitionTime: "then" }] },
      });
    expect(reflectStatus(at("now"))).toEqual(reflectStatus(at("later")));
    expect(reflectStatus(at("now"))).toEqual({
      conditions: [{ type: "Ready", status: "True", lastTransitionTime: "then" }],
    });
  });

  it.each(["v1/ConfigMap", "v1/ServiceAccount", "apps/v1/Deployment", "batch/v1/Job", "policy/v1/PodDisruptionBudget"])(
    "reports nothing for a %s without a status",
    name => {
      const slash = name.lastIndexOf("/");
      expect(reflectStatus(object(name.slice(0, slash), name.slice(slash + 1)))).toBeUndefined();
    },
  );

  it("reports nothing of a Secret, whatever stands in it", () => {
    expect(reflectStatus(object("v1", "Secret", { data: { a: "eA==" }, status: { a: "x" } }))).toBeUndefined();
  });

  it("does not take a kind named like an object's own method for one with a rule", () => {
    expect(reflectStatus(object("", "constructor", { status: { a: 1 } }))).toEqual({ a: 1 });
  });
});

describe("healthOf", () => {
  it("calls a kind without a rule Healthy", () => {
    expect(healthOf(object("v1", "ConfigMap"))).toBe("Healthy");
  });

  it("calls a kind with a rule Unknown before it has a status", () => {
    expect(healthOf(object("apps/v1", "Deployment"))).toBe("Unknown");
  });
});

describe("aggregateStatus", () => {
  it.each(["v1/Secret", "v1/ServiceAccount", "v1/ConfigMap", "db.example/v1/Base"])("leaves a %s alone", name => {
    const slash = name.lastIndexOf("/");
    const template = object(name.slice(0, slash), name.slice(slash + 1), { status: { old: true } });
    expect(
      aggregateStatus({ template, items: [{ clusterName: "m1", applied: true, status: { a: 1 } }] }),
    ).toBeUndefined();
  });

  it("handles these kinds", () => {
    expect([...aggregatedKinds].sort()).toEqual(Object.keys(memberStatuses).sort());
  });

  it("writes nothing for a template that no cluster was ever chosen for", () => {
    for (const key of ["apps/Deployment", "apps/DaemonSet", "batch/Job", "policy/PodDisruptionBudget"]) {
      expect(aggregateStatus({ template: bareTemplate(key), items: [] })).toBeUndefined();
    }
  });

  describe.each(Object.keys(memberStatuses))("for %s", key => {
    it("answers undefined the second time, whatever the members say and whatever stood there", () => {
      fc.assert(
        fc.property(memberItems(key), memberItems(key), (earlier, items) => {
          const first = bareTemplate(key);
          const before = aggregateStatus({ template: first, items: earlier });
          const template = { ...first, status: before };
          const status = aggregateStatus({ template, items }) ?? before;
          expect(aggregateStatus({ template: { ...template, status }, items })).toBeUndefined();
        }),
      );
    });

    it("does not depend on the order of the items, and changes nothing it was given", () => {
      fc.assert(
        fc.property(memberItems(key), items => {
          const copy = structuredClone(items);
          const forward = aggregateStatus({ template: bareTemplate(key), items });
          expect(aggregateStatus({ template: bareTemplate(key), items: items.toReversed() })).toEqual(forward);
          expect(items).toEqual(copy);
        }),
      );
    });

    it("obeys what the API server demands, step after step", () => {
      fc.assert(
        fc.property(fc.array(memberItems(key), { maxLength: 6 }), steps => {
          let template = bareTemplate(key);
          for (const items of steps) {
            const status = aggregateStatus({ template, items }) ?? template.status ?? {};
            expect(violations(key, isRecord(template.status) ? template.status : {}, status)).toEqual([]);
            template = { ...template, status };
          }
        }),
      );
    });
  });
});

const LIMITS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "apps/Deployment": [
    ["updatedReplicas", "replicas"],
    ["readyReplicas", "replicas"],
    ["availableReplicas", "readyReplicas"],
  ],
  "apps/ReplicaSet": [
    ["readyReplicas", "replicas"],
    ["availableReplicas", "readyReplicas"],
  ],
  "apps/StatefulSet": [
    ["currentReplicas", "replicas"],
    ["updatedReplicas", "replicas"],
    ["readyReplicas", "replicas"],
    ["availableReplicas", "readyReplicas"],
  ],
};

/** What a server would refuse: a second, independent statement of its rules. */
function violations(key: string, before: JsonRecord, after: unknown): readonly string[] {
  if (!isRecord(after)) return ["not an object"];
  const numbers = Object.entries(after).filter(([, value]) => typeof value === "number");
  return [
    ...numbers.filter(([, value]) => !isCount(value)).map(([field]) => `${field} is not an int32 count`),
    ...(LIMITS[key] ?? []).filter(([less, more]) => countAt(after, less) > countAt(after, more)).map(String),
    ...(key === "batch/Job" ? jobViolations(before, after) : []),
  ];
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
}

function jobViolations(before: JsonRecord, after: JsonRecord): readonly string[] {
  const rules = [...conditionRules(after), ...timeRules(before, after), ...historyRules(before, after)];
  return rules.filter(([, broken]) => broken).map(([rule]) => rule);
}

type Rule = readonly [name: string, broken: boolean];

function is(status: JsonRecord, type: string): boolean {
  return trueCondition(status, type) !== undefined;
}

function isFinished(status: JsonRecord): boolean {
  return is(status, "Complete") || is(status, "Failed");
}

function conditionRules(after: JsonRecord): readonly Rule[] {
  return [
    ["Complete beside Failed", is(after, "Complete") && is(after, "Failed")],
    ["success beside failure", is(after, "SuccessCriteriaMet") && is(after, "FailureTarget")],
    ["Failed without FailureTarget", is(after, "Failed") && !is(after, "FailureTarget")],
    ["Complete without SuccessCriteriaMet", is(after, "Complete") && !is(after, "SuccessCriteriaMet")],
    ["active when finished", isFinished(after) && countAt(after, "active") > 0],
  ];
}

function timeRules(before: JsonRecord, after: JsonRecord): readonly Rule[] {
  const started = timeAt(after, "startTime") ?? "";
  const completed = timeAt(after, "completionTime") ?? "";
  return [
    ["finished without startTime", isFinished(after) && started === ""],
    ["completionTime does not go with Complete", is(after, "Complete") !== (completed !== "")],
    ["completed before it started", is(after, "Complete") && completed < started],
    ["startTime changed", before.startTime !== undefined && before.startTime !== after.startTime],
  ];
}

function historyRules(before: JsonRecord, after: JsonRecord): readonly Rule[] {
  return [
    ["a condition was taken back", conditionsOf(before).some(type => !conditionsOf(after).includes(type))],
    ["succeeded fell", countAt(after, "succeeded") < countAt(before, "succeeded")],
    ["failed fell", countAt(after, "failed") < countAt(before, "failed")],
    ["changed after its end", isFinished(before) && JSON.stringify(before) !== JSON.stringify(after)],
  ];
}

function conditionsOf(status: JsonRecord): readonly unknown[] {
  return recordsAt(status, "conditions").map(condition => condition.type);
}
