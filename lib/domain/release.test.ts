// Does adopting and releasing touch nothing but our marks and ownership, guarded against stale reads?
import { describe, expect, it } from "vitest";
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { adoptPatch } from "./adopt.js";
import { applyJsonPatch } from "./json-patch.js";
import { KARMADA_MEMBER_ANNOTATIONS, KARMADA_MEMBER_LABELS } from "./marks.js";
import { releasePatch } from "./release.js";

const OURS = { "karmada.io/managed": "true", "work.karmada.io/permanent-id": "1" };

function entry(manager: string, fieldsV1: object, more: ManagedFieldsEntry = {}): ManagedFieldsEntry {
  const fields = fieldsV1 as Record<string, unknown>;
  return { manager, operation: "Apply", apiVersion: "apps/v1", fieldsType: "FieldsV1", fieldsV1: fields, ...more };
}

function live(metadata: object, spec: object = { replicas: 2, paused: true }): KubeObject {
  const identity = { name: "web", namespace: "shop", uid: "u", resourceVersion: "7" };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { ...identity, ...metadata }, spec };
}

const REPLICAS = { "f:spec": { "f:replicas": {} } };
const PAUSED = { "f:spec": { "f:paused": {} } };
const LABEL = { "f:metadata": { "f:labels": { "f:app": {} } } };
const NO_LEAF = entry("holdfast", { "f:metadata": {} });

function released(object: KubeObject, before?: KubeObject): KubeObject {
  return applyJsonPatch(object, releasePatch(object, before) ?? []);
}

describe("releasePatch", () => {
  it("is guarded by uid and resourceVersion, and by nothing else", () => {
    const operations = releasePatch(live({ labels: OURS })) ?? [];

    expect(operations.filter(({ op }) => op === "test")).toEqual([
      { op: "test", path: "/metadata/uid", value: "u" },
      { op: "test", path: "/metadata/resourceVersion", value: "7" },
    ]);
    expect(operations.every(({ path }) => path.startsWith("/metadata/"))).toBe(true);
  });

  it("refuses to be made from an object that was not read", () => {
    expect(() => releasePatch({ ...live({ labels: OURS }), metadata: { name: "web", labels: OURS } })).toThrow(
      "read it from the cluster first",
    );
  });

  it.each`
    what                            | labels                                          | left
    ${"keeps the labels of people"} | ${{ ...OURS, app: "web" }}                      | ${{ app: "web" }}
    ${"drops a map only ours"}      | ${OURS}                                         | ${undefined}
    ${"drops KubeFed's mark"}       | ${{ "kubefed.io/managed": "true", app: "web" }} | ${{ app: "web" }}
  `("$what", ({ labels, left }) => {
    expect(released(live({ labels })).metadata.labels).toEqual(left);
  });

  it("takes every key of Karmada's", () => {
    const labels = Object.fromEntries([...KARMADA_MEMBER_LABELS, "team"].map(key => [key, "x"]));
    const annotations = Object.fromEntries([...KARMADA_MEMBER_ANNOTATIONS, "note"].map(key => [key, "x"]));

    const { metadata } = released(live({ labels, annotations }));

    expect(metadata).toMatchObject({ labels: { team: "x" }, annotations: { note: "x" } });
    expect(JSON.stringify(metadata)).not.toContain("karmada");
  });

  it.each`
    what                                       | managedFields                                                                                            | left
    ${"our entry"}                             | ${[entry("kubectl", LABEL), entry("holdfast", REPLICAS)]}                                                | ${[entry("kubectl", LABEL)]}
    ${"our entry for scale"}                   | ${[entry("kubectl", LABEL), entry("holdfast", REPLICAS, { operation: "Update", subresource: "scale" })]} | ${[entry("kubectl", LABEL)]}
    ${"all but one that owns no leaf"}         | ${[entry("holdfast", REPLICAS)]}                                                                         | ${[NO_LEAF]}
    ${"nothing of what was written to status"} | ${[entry("holdfast", REPLICAS), entry("holdfast", { "f:status": {} }, { subresource: "status" })]}       | ${[entry("holdfast", { "f:status": {} }, { subresource: "status" })]}
  `("takes $what", ({ managedFields, left }) => {
    expect(released(live({ managedFields })).metadata.managedFields).toEqual(left);
  });

  it.each`
    object
    ${live({ labels: { app: "web" }, managedFields: [entry("kubectl", LABEL)] })}
    ${live({ managedFields: [NO_LEAF] })}
    ${live({})}
  `("is undefined when nothing of ours is there", ({ object }: { object: KubeObject }) => {
    expect(releasePatch(object)).toBeUndefined();
  });

  const UPDATE = { operation: "Update" };

  it.each`
    what                                                | before                                                                 | now                              | returned
    ${"all it declared to an applier"}                  | ${[entry("kubectl", { ...LABEL, ...REPLICAS })]}                       | ${{ replicas: 3 }}               | ${[entry("kubectl", REPLICAS)]}
    ${"nothing that has gone"}                          | ${[entry("kubectl", REPLICAS)]}                                        | ${{ paused: true }}              | ${[NO_LEAF]}
    ${"what still has its value to one that updated"}   | ${[entry("helm", REPLICAS, UPDATE)]}                                   | ${{ replicas: 2 }}               | ${[entry("helm", REPLICAS, UPDATE)]}
    ${"nothing that has our value to one that updated"} | ${[entry("helm", REPLICAS, UPDATE)]}                                   | ${{ replicas: 3 }}               | ${[NO_LEAF]}
    ${"to an unknown owner what we took"}               | ${[entry("team", { "f:spec": { "f:replicas": {}, "f:paused": {} } })]} | ${{ replicas: 3, paused: true }} | ${[entry("team", REPLICAS)]}
    ${"nothing to a writer of status"}                  | ${[entry("kubectl", REPLICAS, { subresource: "status" })]}             | ${{ replicas: 2 }}               | ${[NO_LEAF]}
    ${"nothing to ourselves"}                           | ${[entry("holdfast", REPLICAS)]}                                       | ${{ replicas: 2 }}               | ${[NO_LEAF]}
  `("gives back $what", ({ before, now, returned }) => {
    const object = live({ managedFields: [entry("holdfast", REPLICAS)] }, now);

    expect(released(object, live({ managedFields: before })).metadata.managedFields).toEqual(returned);
  });

  it("gives back to an applier what a forced apply changed in its metadata", () => {
    const object = live({ labels: { app: "ours" }, managedFields: [entry("holdfast", { ...LABEL, ...REPLICAS })] });
    const before = live({ labels: { app: "web" }, managedFields: [entry("kubectl", { ...LABEL, ...REPLICAS })] });

    expect(released(object, before).metadata.managedFields).toEqual([entry("kubectl", { ...LABEL, ...REPLICAS })]);
  });

  it("adds to the entry that an owner kept", () => {
    const object = live({ managedFields: [entry("kubectl", LABEL), entry("holdfast", REPLICAS)] });
    const before = live({ managedFields: [entry("kubectl", { ...LABEL, ...REPLICAS })] });

    expect(released(object, before).metadata.managedFields).toEqual([entry("kubectl", { ...LABEL, ...REPLICAS })]);
  });
});

describe("adoptPatch", () => {
  const manifest = live({});

  function adopted(managedFields: readonly ManagedFieldsEntry[], spec?: object, wanted = manifest): unknown {
    const object = live({ managedFields }, spec);
    return applyJsonPatch(object, adoptPatch(object, wanted) ?? []).metadata.managedFields;
  }

  it.each([
    "kubectl",
    "kubectl-client-side-apply",
    "kubectl-edit",
    "helm",
    "argocd-controller",
    "kustomize-controller",
    "helm-controller",
    "Terraform",
    "before-first-apply",
    "karmada-controller-manager",
  ])("moves what %s declared outside metadata to us", manager => {
    const theirs = entry(manager, { ...LABEL, ...REPLICAS }, { operation: "Update" });

    expect(adopted([theirs])).toEqual([entry(manager, LABEL, { operation: "Update" }), entry("holdfast", REPLICAS)]);
  });

  it.each(["kube-controller-manager", "team", "kubectl-rollout", "istio-pilot"])("leaves %s alone", manager => {
    expect(adoptPatch(live({ managedFields: [entry(manager, REPLICAS)] }), manifest)).toBeUndefined();
  });

  it("unites what several declared, with what we own already, and drops entries left without a field", () => {
    const status = entry("kubectl", { "f:status": {} }, { subresource: "status" });

    expect(adopted([entry("kubectl", REPLICAS), status, entry("holdfast", LABEL), entry("helm", PAUSED)])).toEqual([
      status,
      entry("holdfast", { ...LABEL, "f:spec": { "f:replicas": {}, "f:paused": {} } }),
    ]);
  });

  it("leaves the replica count where it is when the manifest has none", () => {
    const theirs = entry("kubectl", { "f:spec": { "f:replicas": {}, "f:paused": {} } });

    expect(adopted([theirs], undefined, live({}, { paused: true }))).toEqual([
      entry("kubectl", REPLICAS),
      entry("holdfast", PAUSED),
    ]);
  });

  it("leaves what the cluster chose for its own copy", () => {
    const fields = { "f:spec": { "f:selector": {}, "f:suspend": {}, "f:template": { "f:spec": {} } } };
    const job = {
      ...live({ managedFields: [entry("kubectl", fields, { apiVersion: "batch/v1" })] }),
      apiVersion: "batch/v1",
      kind: "Job",
      spec: { selector: { matchLabels: { "controller-uid": "1" } }, suspend: true, template: { spec: {} } },
    };

    const [theirs, ours] = applyJsonPatch(job, adoptPatch(job, job) ?? []).metadata.managedFields ?? [];

    expect(theirs?.fieldsV1).toEqual({ "f:spec": { "f:selector": {} } });
    expect(ours).toMatchObject({ manager: "holdfast", operation: "Apply", apiVersion: "batch/v1" });
  });

  it("is done after once, is guarded, and touches managedFields alone", () => {
    const object = live({ managedFields: [entry("kubectl", REPLICAS)] });
    const operations = adoptPatch(object, manifest) ?? [];

    expect(operations.map(({ op, path }) => `${op} ${path}`)).toEqual([
      "test /metadata/uid",
      "test /metadata/resourceVersion",
      "replace /metadata/managedFields",
    ]);
    expect(adoptPatch(applyJsonPatch(object, operations), manifest)).toBeUndefined();
  });

  it("is undone by a release that knows the object as it was", () => {
    const before = live({ managedFields: [entry("kubectl", { ...LABEL, ...REPLICAS }), entry("team", PAUSED)] });

    const after = released(applyJsonPatch(before, adoptPatch(before, manifest) ?? []), before);

    expect(after).toEqual(before);
  });
});
