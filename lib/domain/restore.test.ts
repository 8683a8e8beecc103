// Does an object get back what adoption changed, and nothing else?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { applyJsonPatch } from "./json-patch.js";
import { planRestoration } from "./restore.js";

const MARKS = { "karmada.io/managed": "true", "work.karmada.io/permanent-id": "1" };
const KUBECTL = "kubectl-client-side-apply";

type Fields = Readonly<Record<string, unknown>>;

function by(manager: string, spec: Fields, more: ManagedFieldsEntry = {}): ManagedFieldsEntry {
  const fieldsV1 = { "f:spec": spec };
  return { manager, operation: "Update", apiVersion: "apps/v1", fieldsType: "FieldsV1", fieldsV1, ...more };
}

function deployment(spec: object, managedFields: ManagedFieldsEntry[], metadata: object = {}): KubeObject {
  const identity = { name: "web", namespace: "shop", uid: "u", resourceVersion: "7" };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { ...identity, managedFields, ...metadata }, spec };
}

/** The spec after the patch, and what others have changed. */
function restored(live: KubeObject, before: KubeObject) {
  const { patch = [], object, changedByOthers } = planRestoration(live, before);
  const after = applyJsonPatch(live, patch);
  expect(after).toEqual(object);
  return { spec: after["spec"], metadata: after.metadata, changedByOthers };
}

const leaf = (...names: string[]): Fields => Object.fromEntries(names.map(name => [`f:${name}`, {}]));
const containers = (...names: string[]): Fields => ({
  "f:containers": Object.fromEntries(
    names.map(name => [`k:{"name":"${name}"}`, { ".": {}, "f:name": {}, "f:image": {} }]),
  ),
});

describe("planRestoration", () => {
  it.each([
    {
      what: "puts a value back that we changed",
      before: { spec: { replicas: 2 }, fields: [by(KUBECTL, leaf("replicas"))] },
      live: { spec: { replicas: 5 }, fields: [by("holdfast", leaf("replicas"))] },
      spec: { replicas: 2 },
    },
    {
      what: "takes a field away that we added",
      before: { spec: { replicas: 2 }, fields: [by(KUBECTL, leaf("replicas"))] },
      live: { spec: { replicas: 2, paused: true }, fields: [by("holdfast", leaf("replicas", "paused"))] },
      spec: { replicas: 2 },
    },
    {
      what: "brings a field back that adoption dropped",
      before: { spec: { replicas: 2, paused: true }, fields: [by(KUBECTL, leaf("replicas", "paused"))] },
      live: { spec: { replicas: 2 }, fields: [by("holdfast", leaf("replicas"))] },
      spec: { replicas: 2, paused: true },
    },
    {
      what: "takes defaults that came with our value back with it",
      before: { spec: { strategy: { type: "Recreate" } }, fields: [by(KUBECTL, { "f:strategy": leaf("type") })] },
      live: {
        spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
        fields: [by("holdfast", { "f:strategy": leaf("type") })],
      },
      spec: { strategy: { type: "Recreate" } },
    },
    {
      what: "removes a container of ours, brings back one of theirs, in the order of before",
      before: {
        spec: { containers: [item("a"), item("b")] },
        fields: [by(KUBECTL, containers("a", "b"))],
      },
      live: {
        spec: { containers: [item("c"), { ...item("b"), image: "b:2" }] },
        fields: [by("holdfast", containers("b", "c"))],
      },
      spec: { containers: [item("a"), item("b")] },
    },
    {
      what: "removes an item of ours together with what others put into it",
      before: { spec: { containers: [item("a")] }, fields: [by(KUBECTL, containers("a"))] },
      live: {
        spec: { containers: [item("a"), { ...item("c"), tty: true }] },
        fields: [
          by("holdfast", containers("a", "c")),
          by("kubectl-edit", { "f:containers": { 'k:{"name":"c"}': leaf("tty") } }),
        ],
      },
      spec: { containers: [item("a")] },
    },
    {
      what: "puts an atomic list back as a whole",
      before: { spec: { command: ["a", "b"] }, fields: [by(KUBECTL, leaf("command"))] },
      live: { spec: { command: ["a"] }, fields: [by("holdfast", leaf("command"))] },
      spec: { command: ["a", "b"] },
    },
    {
      what: "takes a value of ours out of a set and leaves theirs",
      before: { spec: { modes: ["x"] }, fields: [by(KUBECTL, { "f:modes": { 'v:"x"': {} } })] },
      live: {
        spec: { modes: ["x", "y", "z"] },
        fields: [
          by("holdfast", { "f:modes": { 'v:"x"': {}, 'v:"y"': {} } }),
          by("console", { "f:modes": { 'v:"z"': {} } }),
        ],
      },
      spec: { modes: ["x", "z"] },
      others: ['/spec/modes/"z"'],
    },
    {
      what: "leaves a value that others have changed since",
      before: { spec: { replicas: 2, paused: false }, fields: [by(KUBECTL, leaf("replicas", "paused"))] },
      live: {
        spec: { replicas: 9, paused: true },
        fields: [by("holdfast", leaf("paused")), by("autoscaler", leaf("replicas"), { subresource: "scale" })],
      },
      spec: { replicas: 9, paused: false },
      others: ["/spec/replicas"],
    },
    {
      what: "leaves a field that others have added since",
      before: { spec: { replicas: 2 }, fields: [by(KUBECTL, leaf("replicas"))] },
      live: {
        spec: { replicas: 2, note: "x" },
        fields: [by("holdfast", leaf("replicas")), by("console", leaf("note"))],
      },
      spec: { replicas: 2, note: "x" },
      others: ["/spec/note"],
    },
    {
      what: "leaves a field away whose own writer took it away",
      before: {
        spec: { replicas: 2, note: "x" },
        fields: [by(KUBECTL, leaf("replicas")), by("console", leaf("note"))],
      },
      live: { spec: { replicas: 2 }, fields: [by("holdfast", leaf("replicas"))] },
      spec: { replicas: 2 },
      others: ["/spec/note"],
    },
  ])("$what", ({ before, live, spec, others = [] }) => {
    const result = restored(deployment(live.spec, live.fields), deployment(before.spec, before.fields));

    expect(result).toMatchObject({ spec, changedByOthers: others });
  });

  it("leaves our marks to the release, and counters to their controllers", () => {
    const ofController = {
      manager: "kube-controller-manager",
      operation: "Update" as const,
      fieldsType: "FieldsV1" as const,
      fieldsV1: { "f:metadata": { "f:annotations": { "f:revision": {} } } },
    };
    const ours = by("holdfast", leaf("replicas"));
    const live = deployment({ replicas: 1 }, [ours, ofController], {
      labels: { app: "web", ...MARKS },
      annotations: { revision: "2" },
    });
    const before = deployment({ replicas: 1 }, [by(KUBECTL, leaf("replicas"))], {
      labels: { app: "web" },
      annotations: { revision: "1" },
    });

    const { patch, changedByOthers } = planRestoration(live, before);

    expect(patch).toBeUndefined();
    expect(changedByOthers).toEqual(["/metadata/annotations/revision"]);
  });

  it("takes labels of ours away and keeps a mark that stood there before out of it", () => {
    const fieldsV1 = { "f:metadata": { "f:labels": { "f:tier": {} } } };
    const live = deployment({}, [{ ...by("holdfast", {}), fieldsV1 }], { labels: { tier: "x", ...MARKS } });
    const before = deployment({}, [by(KUBECTL, {})], { labels: { "karmada.io/managed": "old" } });

    expect(restored(live, before).metadata.labels).toEqual(MARKS);
  });

  it("is guarded by uid and resourceVersion", () => {
    const live = deployment({ replicas: 5 }, [by("holdfast", leaf("replicas"))]);

    const { patch = [] } = planRestoration(live, deployment({ replicas: 2 }, [by(KUBECTL, leaf("replicas"))]));

    expect(patch.slice(0, 2).map(({ op, path }) => [op, path])).toEqual([
      ["test", "/metadata/uid"],
      ["test", "/metadata/resourceVersion"],
    ]);
  });

  it("brings back every spec that only we have touched, and then has nothing left to do", () => {
    const scalars = fc.oneof(fc.integer(), fc.boolean(), fc.string());
    const specs = fc.dictionary(
      fc.constantFrom("a", "b", "c", "d"),
      fc.oneof(scalars, fc.dictionary(fc.constantFrom("x", "y"), scalars)),
    );

    fc.assert(
      fc.property(specs, specs, (then, now) => {
        const before = deployment(then, [by(KUBECTL, fieldsOf(then))]);
        const live = deployment(now, [by("holdfast", fieldsOf(now))]);

        const { object, changedByOthers } = planRestoration(live, before);

        expect(object["spec"]).toEqual(then);
        expect(changedByOthers).toEqual([]);
        expect(planRestoration(object, before).patch).toBeUndefined();
      }),
    );
  });
});

function item(name: string): { name: string; image: string } {
  return { name, image: `${name}:1` };
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [`f:${key}`, fieldsOf(part)]));
}
