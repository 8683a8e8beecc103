// Does a Work say how its object does, of the right generation, and nothing that is not known?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Work, WorkStatus } from "../../crds/work.js";
import { TEMPLATE_GENERATION_ANNOTATION } from "../../lib/domain/marks.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import type { Outcome } from "./outcomes.js";
import { isUnobserved, planWorkStatus } from "./status.js";

const manifest: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop" },
  spec: { replicas: 2 },
};
const live = (status: object | undefined, generation = 5): KubeObject => ({
  ...manifest,
  metadata: { ...manifest.metadata, generation },
  ...(status ? { status } : {}),
});

function work(spec: object = {}, status?: WorkStatus): Work {
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: {
      name: "web",
      namespace: "karmada-es-m1",
      generation: 3,
      annotations: { [TEMPLATE_GENERATION_ANNOTATION]: "9" },
    },
    spec: { workload: { manifests: [manifest] }, ...spec },
    status,
  };
}

const done: Outcome = {
  applied: true,
  reason: "AppliedSuccessful",
  message: "1 manifest(s) applied to m1",
  generation: 3,
  templateGeneration: 9,
  at: 0,
};
const refused: Outcome = {
  ...done,
  applied: false,
  reason: "AppliedFailed",
  message: "m1: no",
  templateGeneration: undefined,
};
const healthy = { observedGeneration: 5, replicas: 2, readyReplicas: 2, updatedReplicas: 2, availableReplicas: 2 };

const plan = (given: Work, outcome: Outcome | undefined, ...objects: (KubeObject | undefined)[]) =>
  planWorkStatus({ work: given, outcome, objects });
const told = (status: WorkStatus, type: string) => conditionOf({ status }, type);

describe("planWorkStatus", () => {
  it("says Applied and Available of an object that is there and well", () => {
    const status = plan(work(), done, live(healthy));
    expect(told(status, "Applied")).toMatchObject({
      status: "True",
      reason: "AppliedSuccessful",
      observedGeneration: 3,
    });
    expect(told(status, "Available")).toMatchObject({ status: "True", reason: "Healthy" });
    expect(told(status, "Dispatching")).toBeUndefined();
    const [first] = status.manifestStatuses ?? [];
    expect(first?.identifier).toEqual({
      ordinal: 0,
      group: "apps",
      version: "v1",
      kind: "Deployment",
      resource: "",
      namespace: "shop",
      name: "web",
    });
    expect(first).toMatchObject({ health: "Healthy", status: { readyReplicas: 2 } });
  });

  it.each`
    given                            | object                                                          | status       | message
    ${"an object that is unhealthy"} | ${live({ ...healthy, availableReplicas: 0, readyReplicas: 0 })} | ${"False"}   | ${/Deployment web is Unhealthy/}
    ${"an object without status"}    | ${live(undefined)}                                              | ${"Unknown"} | ${/Deployment web is Unknown/}
    ${"an object that is not known"} | ${undefined}                                                    | ${"Unknown"} | ${/Deployment web is Unknown/}
  `("says Available $status of $given", ({ object, status, message }) => {
    const available = told(plan(work(), done, object as KubeObject | undefined), "Available");
    expect(available).toMatchObject({ status });
    expect(available?.message).toMatch(message as RegExp);
  });

  it("says nothing about health when nothing was applied", () => {
    const status = plan(work(), refused, undefined);
    expect(told(status, "Applied")).toMatchObject({ status: "False", reason: "AppliedFailed", message: "m1: no" });
    expect(told(status, "Available")).toBeUndefined();
  });

  it("keeps what was known of an object that cannot be seen at the moment", () => {
    const before = plan(work(), done, live(healthy));
    const after = plan(work({}, before), undefined, undefined);
    expect(after.manifestStatuses).toEqual(before.manifestStatuses);
    expect(told(after, "Applied")).toEqual(told(before, "Applied"));
  });

  it("speaks of the generation that was tried, not of the newest", () => {
    const status = plan(work(), { ...done, generation: 2 }, live(healthy));
    expect(told(status, "Applied")?.observedGeneration).toBe(2);
  });

  it("says the same again when nothing is new, so that nothing is written", () => {
    const once = plan(work(), done, live(healthy));
    expect(plan(work({}, once), done, live(healthy))).toEqual(once);
  });

  it("says Dispatching while it is suspended, and once after", () => {
    const held = plan(work({ suspendDispatching: true }), undefined, undefined);
    expect(told(held, "Dispatching")).toMatchObject({ status: "False", reason: "SuspendDispatching" });
    const lifted = plan(work({}, held), done, live(healthy));
    expect(told(lifted, "Dispatching")).toMatchObject({ status: "True", reason: "Dispatching" });
  });

  it("names a core and cluster-wide object without group and namespace", () => {
    const space: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
    const given: Work = { ...work(), spec: { workload: { manifests: [space] } } };
    const identifier = plan(given, done, space).manifestStatuses?.[0]?.identifier;
    expect(identifier).toEqual({ ordinal: 0, version: "v1", kind: "Namespace", resource: "", name: "shop" });
  });

  it("has a Work without manifests say nothing of objects", () => {
    expect(plan({ ...work(), spec: {} }, done).manifestStatuses).toEqual([]);
  });
});

describe("where an object comes from", () => {
  const seen = { ...live(healthy), metadata: { ...live(healthy).metadata, uid: "u" } };
  const made = { uid: "u", origin: "Created" } as const;
  const report = (given: Work, object: KubeObject | undefined, witnessed?: typeof made) =>
    planWorkStatus({ work: given, outcome: done, objects: [object], origins: [witnessed] });

  it("is told with the report that is made anyway, and stays told", () => {
    const first = report(work(), seen, made);
    expect(first.manifestStatuses?.[0]).toMatchObject(made);
    expect(told(first, "Adopted")).toMatchObject({ status: "False", reason: "MadeByUs" });

    expect(report(work({}, first), seen)).toEqual(first);
    expect(report(work({}, first), undefined).manifestStatuses?.[0]).toMatchObject(made);
  });

  it("is not claimed of another object under the name", () => {
    const first = report(work(), seen, made);
    const other = { ...seen, metadata: { ...seen.metadata, uid: "u2" } };

    const second = report(work({}, first), other);

    expect(second.manifestStatuses?.[0]).toMatchObject({ uid: "u2", origin: "Unknown" });
    expect(told(second, "Adopted")).toMatchObject({ status: "Unknown" });
  });
});

describe("isUnobserved", () => {
  it.each`
    given                                   | object                                                         | answer
    ${"no object"}                          | ${undefined}                                                   | ${false}
    ${"a controller that is behind"}        | ${live({ observedGeneration: 4 })}                             | ${true}
    ${"a controller that has said nothing"} | ${live(undefined)}                                             | ${true}
    ${"a controller that has seen it"}      | ${live({ observedGeneration: 5 })}                             | ${false}
    ${"a kind without such a controller"}   | ${{ ...live(undefined), apiVersion: "v1", kind: "ConfigMap" }} | ${false}
    ${"someone else's Deployment"}          | ${{ ...live(undefined), apiVersion: "example.com/v1" }}        | ${false}
  `("is $answer for $given", ({ object, answer }) => {
    expect(isUnobserved(object as KubeObject | undefined)).toBe(answer);
  });
});
