// Is a template taken back by the step that its copy would take, and not where the two are not alike?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { applyJsonPatch } from "../../lib/domain/json-patch.js";
import { revisionBefore, revisionsOf, undo } from "./revisions.js";

const pod = (image: string, more: object = {}) => ({
  metadata: { labels: { app: "web" }, ...more },
  spec: { containers: [{ name: "web", image }] },
});

const owned = { ownerReferences: [{ uid: "u1" }] } as object;
const replicaSet = (number: string, image: string, owner = owned): KubeObject => ({
  ...{ apiVersion: "apps/v1", kind: "ReplicaSet" },
  metadata: { name: `web-${number}`, annotations: { "deployment.kubernetes.io/revision": number }, ...owner },
  spec: { template: pod(image, { labels: { app: "web", "pod-template-hash": "x" } }) },
});

describe("revisionsOf", () => {
  it("reads a Deployment's ReplicaSets, its own alone, the latest first", () => {
    const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", uid: "u1" } };
    const kept = [
      replicaSet("2", "web:2"),
      replicaSet("10", "web:10"),
      replicaSet("1", "web:1", {}),
      replicaSet("x", "web:x"),
    ];
    expect(revisionsOf(deployment, kept)).toEqual([
      { number: 10, podTemplate: pod("web:10") },
      { number: 2, podTemplate: pod("web:2") },
    ]);
  });

  it("reads the ControllerRevisions of the others", () => {
    const set = { apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "db", uid: "u1" } };
    const revision = {
      ...{ apiVersion: "apps/v1", kind: "ControllerRevision", metadata: { name: "db-1", ...owned } },
      ...{ revision: 1, data: { spec: { template: { $patch: "replace", ...pod("db:1") } } } },
    } as KubeObject;
    expect(revisionsOf(set, [revision])).toEqual([{ number: 1, podTemplate: pod("db:1") }]);
  });

  it("finds the one before, or the one that is named", () => {
    const revisions = [3, 2, 1].map(number => ({ number, podTemplate: {} }));
    expect(revisionBefore(revisions, undefined)?.number).toBe(2);
    expect(revisionBefore(revisions, 1)?.number).toBe(1);
    expect(revisionBefore(revisions, 7)).toBeUndefined();
  });
});

describe("undo", () => {
  const annotated = pod("web:1", { annotations: { a: "1" } });
  const overridden = (image: string) => pod(image, { annotations: { by: "override" } });
  it.each`
    what                          | host            | latest                 | earlier                | expected
    ${"an image"}                 | ${pod("web:2")} | ${pod("web:2")}        | ${pod("web:1")}        | ${pod("web:1")}
    ${"an annotation that came"}  | ${annotated}    | ${annotated}           | ${pod("web:1")}        | ${pod("web:1")}
    ${"what overrides let alone"} | ${pod("web:2")} | ${overridden("web:2")} | ${overridden("web:1")} | ${pod("web:1")}
  `("takes back $what", ({ host, latest, earlier, expected }) => {
    const step = undo(host, latest, earlier);
    const operations = "operations" in step ? step.operations : [];
    expect(applyJsonPatch({ spec: { template: host as object } }, operations)).toEqual({
      spec: { template: expected as object },
    });
  });

  it("has nothing to do where nothing differs", () => {
    expect(undo(pod("web:1"), pod("web:1"), pod("web:1"))).toEqual({ operations: [] });
  });

  it("names the place where the host says something else than the member", () => {
    expect(undo(pod("web:2"), pod("mirror/web:2"), pod("mirror/web:1"))).toEqual({
      differs: "/spec/containers/0/image",
    });
  });
});
