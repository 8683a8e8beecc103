// Does a snapshot give back the object that was put into it, and no Secret's data outside a Secret?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AdoptionSnapshot } from "../../crds/adoption-snapshot.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { keepingsFor, objectIn, planSnapshot, SNAPSHOT_SECRET_TYPE, type Keeping } from "./snapshot.js";

const ENTRY = { manager: "helm", operation: "Update", fieldsV1: { "f:data": { "f:a": {} } } };

function live(kind = "ConfigMap", data: object = { a: "1" }, annotations: Record<string, string> = {}): KubeObject {
  const metadata = {
    name: "cfg",
    namespace: "shop",
    uid: "u",
    resourceVersion: "7",
    managedFields: [ENTRY],
    annotations,
  };
  return { apiVersion: "v1", kind, metadata, data };
}

function work(...manifests: KubeObject[]): Work {
  const metadata = { name: "cfg-abc", namespace: "karmada-es-east" };
  return { apiVersion: "work.karmada.io/v1alpha1", kind: "Work", metadata, spec: { workload: { manifests } } };
}

const takenAt = new Date("2026-01-02T03:04:05.678Z");
const plan = (object: KubeObject, keeping: Keeping, on = work(object)) =>
  planSnapshot({ work: on, live: object, takenAt, keeping });

describe("planSnapshot", () => {
  it("says which object it is, of which Work, and when it was taken over", () => {
    const { snapshot, secret } = plan(live(), "whole");
    expect(secret).toBeUndefined();
    expect(AdoptionSnapshot.parse(snapshot)).toEqual(snapshot);
    expect(snapshot.metadata).toMatchObject({ name: "cfg-abc", namespace: "karmada-es-east" });
    expect(snapshot.spec).toEqual({
      cluster: "east",
      workName: "cfg-abc",
      apiVersion: "v1",
      kind: "ConfigMap",
      namespace: "shop",
      name: "cfg",
      uid: "u",
      resourceVersion: "7",
      takenAt: "2026-01-02T03:04:05Z",
      object: live(),
    });
  });

  it("names several objects of one Work apart, within what a name may have", () => {
    const other = { ...live(), metadata: { ...live().metadata, name: "other" } };
    const on = { ...work(live(), other), metadata: { ...work().metadata, name: "w".repeat(253) } };
    const names = [live(), other].map(object => plan(object, "whole", on).snapshot.metadata.name);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^[a-z0-9.-]{1,253}$/);
  });

  it("refuses an object that was not read", () => {
    expect(() => plan({ ...live(), metadata: { name: "cfg" } }, "whole")).toThrow("read it from the cluster first");
  });

  it.each(["compressed", "partial"] as const)("keeps nothing of a Secret outside a Secret when it is %s", keeping => {
    const last = { "kubectl.kubernetes.io/last-applied-configuration": '{"data":{"password":"aHVudGVyMg=="}}' };
    const { snapshot, secret } = plan(live("Secret", { password: "aHVudGVyMg==" }, last), keeping);

    expect(JSON.stringify(snapshot)).not.toContain("aHVudGVyMg");
    const { namespace, name, labels } = secret?.metadata ?? {};
    expect(snapshot.spec.secretRef).toEqual({ namespace, name });
    expect({ type: secret?.["type"], labels }).toEqual({
      type: SNAPSHOT_SECRET_TYPE,
      labels: snapshot.metadata.labels,
    });
    expect(objectIn(snapshot, secret)?.metadata.managedFields).toEqual([ENTRY]);
  });

  it("keeps of an object that is too large who owned what, and says that this is all", () => {
    const last = { "kubectl.kubernetes.io/last-applied-configuration": "x".repeat(1000), note: "kept" };
    const { snapshot } = plan(live("ConfigMap", { a: "large" }, last), "partial");
    expect(snapshot.spec.partial).toBe(true);
    expect(objectIn(snapshot)).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { ...live().metadata, annotations: { note: "kept" } },
    });
  });
});

/** As it comes off the wire, where there is no negative zero. */
const anyData = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map(data => JSON.parse(JSON.stringify(data)) as Record<string, unknown>);

describe("objectIn", () => {
  it("is what was put in, however it was kept", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("ConfigMap", "Secret", "Deployment"),
        anyData,
        fc.constantFrom<Keeping>("whole", "compressed"),
        (kind, data, keeping) => {
          const object = live(kind, data);
          const { snapshot, secret } = plan(object, keeping);
          expect(objectIn(snapshot, secret)).toEqual(object);
        },
      ),
    );
  });

  const { snapshot, secret } = plan(live("Secret"), "compressed");
  it.each`
    given                                | on                                            | of
    ${"a Secret that is gone"}           | ${snapshot}                                   | ${undefined}
    ${"a Secret with other data"}        | ${snapshot}                                   | ${{ ...secret, data: { x: "" } }}
    ${"a text that is not gzip"}         | ${{ spec: { uid: "u", compressed: "bm8=" } }} | ${undefined}
    ${"an object that it does not name"} | ${{ spec: { uid: "other", object: live() } }} | ${undefined}
    ${"no object at all"}                | ${{ spec: { uid: "u" } }}                     | ${undefined}
    ${"something that is no object"}     | ${{ spec: { uid: "u", object: [] } }}         | ${undefined}
  `("is nothing for $given", ({ on, of }) => {
    expect(objectIn(on as AdoptionSnapshot, of as KubeObject | undefined)).toBeUndefined();
  });
});

describe("keepingsFor", () => {
  it.each`
    given               | object                                       | ways
    ${"a small object"} | ${live()}                                    | ${["whole", "compressed", "partial"]}
    ${"a large object"} | ${live("ConfigMap", { a: "x".repeat(5e5) })} | ${["compressed", "partial"]}
    ${"a Secret"}       | ${live("Secret")}                            | ${["compressed", "partial"]}
  `("is $ways for $given", ({ object, ways }) => {
    expect(keepingsFor(object as KubeObject)).toEqual(ways);
  });
});
