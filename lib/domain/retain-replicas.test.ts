// Do we give up spec.replicas, and only that, and only ours?
import { describe, expect, it } from "vitest";
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { applyJsonPatch } from "./json-patch.js";
import { withoutReplicas, yieldReplicasPatch } from "./retain-replicas.js";

const entry = (manager: string, spec: object, more: object = {}): ManagedFieldsEntry => ({
  manager,
  operation: "Apply",
  fieldsV1: { "f:metadata": { "f:labels": { "f:app": {} } }, "f:spec": { ...spec } },
  ...more,
});
const OURS = { "f:replicas": {}, "f:template": { "f:spec": {} } };

const live = (...managedFields: ManagedFieldsEntry[]): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", uid: "u1", resourceVersion: "5", managedFields },
  spec: { replicas: 6 },
});

describe("withoutReplicas", () => {
  it.each`
    given                           | spec                             | left
    ${"a count"}                    | ${{ replicas: 2, paused: true }} | ${{ paused: true }}
    ${"a count of 0"}               | ${{ replicas: 0 }}               | ${{}}
    ${"no count"}                   | ${{ paused: true }}              | ${{ paused: true }}
    ${"no spec"}                    | ${undefined}                     | ${undefined}
    ${"a deeper field of the name"} | ${{ template: { replicas: 3 } }} | ${{ template: { replicas: 3 } }}
  `("takes away $given", ({ spec, left }) => {
    const manifest = { ...live(), spec } as KubeObject;
    expect(withoutReplicas(manifest)["spec"]).toEqual(left);
    expect(manifest["spec"]).toBe(spec);
  });
});

describe("yieldReplicasPatch", () => {
  it("takes f:replicas out of our entry, and nothing else out of any", () => {
    const hpa = entry("kube-controller-manager", { "f:replicas": {} }, { subresource: "scale", operation: "Update" });
    const object = live(entry("holdfast", OURS), hpa);
    const patch = yieldReplicasPatch(object);
    expect(patch?.slice(0, 2)).toEqual([
      { op: "test", path: "/metadata/uid", value: "u1" },
      { op: "test", path: "/metadata/resourceVersion", value: "5" },
    ]);
    const after = applyJsonPatch(object, patch ?? []);
    expect(after.metadata.managedFields).toEqual([entry("holdfast", { "f:template": { "f:spec": {} } }), hpa]);
    expect(after["spec"]).toEqual({ replicas: 6 });
    expect(yieldReplicasPatch(after)).toBeUndefined();
  });

  it.each`
    given                           | entries
    ${"nobody has an entry"}        | ${[]}
    ${"another owns it"}            | ${[entry("kubectl", OURS)]}
    ${"our entry does not have it"} | ${[entry("holdfast", { "f:template": {} })]}
    ${"our entry is about status"}  | ${[entry("holdfast", OURS, { subresource: "status" })]}
    ${"our entry has no spec"}      | ${[{ manager: "holdfast", fieldsV1: {} }, { manager: "holdfast" }]}
  `("has nothing to do when $given", ({ entries }) => {
    expect(yieldReplicasPatch(live(...(entries as ManagedFieldsEntry[])))).toBeUndefined();
  });

  it("refuses to make a patch for an object that was not read from a server", () => {
    const metadata = { ...live(entry("holdfast", OURS)).metadata, uid: undefined };
    expect(() => yieldReplicasPatch({ ...live(), metadata })).toThrow("read it from the cluster first");
  });
});
