// Under `adopted`, does what was there before stay, and does what we made go?
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import type { Work } from "../../../crds/work.js";
import { CASCADE_DELETION_ANNOTATION } from "../../../lib/domain/marks.js";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { applied, freshNamespace, kubectl, remove } from "../support/case-kubectl.js";
import { configMap, onto, policy } from "../support/case-objects.js";
import { absent, eventOn, find, present, until, work } from "../support/case-world.js";

const MEMBERS = ["member1", "member2"] as const;
const isApplied = (w: Work) => conditionOf(w, "Applied")?.status === "True";
const says = (status: string) => (w: Work) => isApplied(w) && conditionOf(w, "Adopted")?.status === status;
const isFree = ({ metadata }: KubeObject) => !/karmada|holdfast/.test(JSON.stringify(metadata.labels ?? {}));

function adoptedOnly(kind: string, namespace: string, data: Record<string, string> = { a: "1" }): KubeObject {
  const object = configMap({ name: "cfg", namespace, annotations: { [CASCADE_DELETION_ANNOTATION]: "adopted" } }, data);
  return { ...object, kind };
}

function takingOver(namespace: string, more: object = {}): KubeObject {
  const kinds = ["ConfigMap", "Secret"];
  const resourceSelectors = kinds.map(kind => ({ apiVersion: "v1", kind, name: "cfg" }));
  return policy(namespace, "cfg", {
    resourceSelectors,
    placement: onto(...MEMBERS),
    conflictResolution: "Overwrite",
    ...more,
  });
}

/** The object is in the first member before anybody propagates it. */
async function thereBefore(object: KubeObject): Promise<void> {
  const { annotations: _template, ...metadata } = object.metadata;
  const space = { apiVersion: "v1", kind: "Namespace", metadata: { name: metadata.namespace } };
  await applied("member1", space, { ...object, metadata });
}

async function snapshotOf(template: KubeObject): Promise<KubeObject | undefined> {
  const { metadata } = await work(template, "member1", says("True"));
  return find("host", { apiVersion: "holdfast.dev/v1alpha1", kind: "AdoptionSnapshot", metadata });
}

describe("a template with cascadedeletion: adopted", () => {
  it("keeps the copy that was there before, and deletes the one that we made", async () => {
    const namespace = await freshNamespace();
    const template = adoptedOnly("ConfigMap", namespace);
    await thereBefore(template);
    const before = await find("member1", template);
    await applied("host", takingOver(namespace), template);
    await work(template, "member1", says("True"));
    await work(template, "member2", says("False"));

    await remove("host", "configmap", "cfg", namespace);

    await absent("member2", template);
    const after = await present("member1", template, isFree);
    expect(after.metadata.uid).toBe(before?.metadata.uid);
    await absent("host", template);
  });

  it("deletes a copy that was there before, was deleted by somebody and made again by us", async () => {
    const namespace = await freshNamespace();
    const template = adoptedOnly("ConfigMap", namespace);
    await thereBefore(template);
    await applied("host", takingOver(namespace), template);
    const told = await work(template, "member1", says("True"));
    await remove("member1", "configmap", "cfg", namespace);
    await present("member1", template, ({ metadata }) => metadata.uid !== told.status?.manifestStatuses?.[0]?.uid);
    await work(template, "member1", says("False"));

    await remove("host", "configmap", "cfg", namespace);

    await absent("member1", template);
  });

  it("keeps a copy of which it has no record, since its Work was made again", async () => {
    const namespace = await freshNamespace();
    const template = adoptedOnly("ConfigMap", namespace);
    await applied("host", takingOver(namespace), template);
    const first = await work(template, "member2", says("False"));
    await remove("host", "work", first.metadata.name, first.metadata.namespace);
    await work(template, "member2", w => w.metadata.uid !== first.metadata.uid && says("Unknown")(w));

    await remove("host", "configmap", "cfg", namespace);

    await present("member2", template, isFree);
    await eventOn(first, "ResourcesLeftBehind", `ConfigMap ${namespace}/cfg in cluster member2 stays`);
  });

  it("knows an object for taken over although its Work was made again: by its snapshot", async () => {
    const namespace = await freshNamespace();
    const template = adoptedOnly("ConfigMap", namespace);
    await thereBefore(template);
    await applied("host", takingOver(namespace), template);
    const first = await work(template, "member1", says("True"));
    await remove("host", "work", first.metadata.name, first.metadata.namespace);
    await work(template, "member1", w => w.metadata.uid !== first.metadata.uid && says("True")(w));

    await remove("host", "configmap", "cfg", namespace);

    const after = await present("member1", template, isFree);
    expect(after.metadata.managedFields?.map(entry => entry.manager)).toEqual(["kubectl-client-side-apply"]);
  });
});

describe("the snapshot of what was taken over", () => {
  it("holds a Secret's data in a Secret only, and both go with the Work", async () => {
    const namespace = await freshNamespace();
    const template = adoptedOnly("Secret", namespace, { password: "aHVudGVyMg==" });
    await thereBefore(template);
    await applied("host", takingOver(namespace), template);
    const snapshot = await snapshotOf(template);
    const { secretRef } = (snapshot?.["spec"] ?? {}) as { readonly secretRef?: { namespace: string; name: string } };
    const kept: KubeObject = { apiVersion: "v1", kind: "Secret", metadata: { name: "", ...secretRef } };

    expect(JSON.stringify(snapshot)).not.toContain("aHVudGVyMg");
    expect((await present("host", kept))["type"]).toBe("holdfast.dev/adoption-snapshot");

    await remove("host", "secret", "cfg", namespace);
    await present("member1", template, isFree);
    await absent("host", kept);
    if (snapshot) await absent("host", snapshot);
  });

  it.each`
    kind           | bytes        | kept                                                                    | says
    ${"ConfigMap"} | ${450_000}   | ${{ compressed: expect.stringMatching(/^H4sI/) as unknown }}            | ${"was taken over"}
    ${"Secret"}    | ${1_047_000} | ${{ partial: true, secretRef: expect.objectContaining({}) as unknown }} | ${"too large to be kept"}
  `("is smaller than a $kind of $bytes bytes", async ({ kind, bytes, kept, says: words }) => {
    const namespace = await freshNamespace();
    const large = adoptedOnly(kind as string, namespace, { a: randomBytes(bytes as number).toString("base64") });
    const { annotations: _template, ...metadata } = large.metadata;
    await applied("member1", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    // Not applied: kubectl would note the whole object in an annotation of it.
    for (const [side, object] of [
      ["member1", { ...large, metadata }],
      ["host", large],
    ] as const) {
      expect((await kubectl(side, ["create", "-f", "-"], JSON.stringify(object))).text).toContain("created");
    }
    await applied("host", takingOver(namespace));

    const snapshot = await snapshotOf(large);

    expect(snapshot?.["spec"]).toMatchObject(kept as object);
    expect(conditionOf(await work(large, "member1", says("True")), "Adopted")?.message).toContain(words);
    await remove("host", kind as string, "cfg", namespace);
    const after = await present("member1", large, isFree);
    expect(after.metadata.managedFields?.map(entry => entry.manager)).toEqual(["kubectl-create"]);
  });
});

describe("a copy that somebody deleted while its policy was suspended", () => {
  it.each([true, false])("does not hold up its template's deletion, with preserve %s", async preserve => {
    const namespace = await freshNamespace();
    const template = configMap({ name: "cfg", namespace });
    const spec = { preserveResourcesOnDeletion: preserve };
    await applied("host", takingOver(namespace, spec), template);
    for (const member of MEMBERS) await work(template, member, isApplied);
    await applied("host", takingOver(namespace, { ...spec, suspension: { dispatching: true } }));
    const held = await work(template, "member1", w => conditionOf(w, "Dispatching")?.status === "False");
    await remove("member1", "configmap", "cfg", namespace);
    await absent("member1", template);

    await remove("host", "configmap", "cfg", namespace);

    await absent("host", template);
    await absent("host", held);
    expect(await find("member1", template)).toBeUndefined();
  });

  it("is made again when the suspension is lifted", async () => {
    const namespace = await freshNamespace();
    const template = configMap({ name: "cfg", namespace });
    await applied("host", takingOver(namespace), template);
    await work(template, "member1", isApplied);
    await applied("host", takingOver(namespace, { suspension: { dispatching: true } }));
    await work(template, "member1", w => conditionOf(w, "Dispatching")?.status === "False");
    await remove("member1", "configmap", "cfg", namespace);
    await absent("member1", template);

    await applied("host", takingOver(namespace));

    const again = await present("member1", template);
    await until(
      () => work(template, "member1", says("False")),
      w => w?.status?.manifestStatuses?.[0]?.uid === again.metadata.uid,
    );
  });
});
