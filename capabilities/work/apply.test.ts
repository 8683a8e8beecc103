// Does a manifest reach its object with no more requests than needed, and never by taking what is somebody else's?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { CONFLICT_RESOLUTION_ANNOTATION, TEMPLATE_UID_ANNOTATION } from "../../lib/domain/marks.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { Member } from "../../lib/kube/member.js";
import { Store, storeKey } from "../../lib/kube/store.js";
import { RefusedError } from "./adopt.js";
import { applier } from "./apply.js";
import { Outcomes } from "./outcomes.js";
import { idOf, isOurs } from "./plan.js";
import type { Snapshots } from "./snapshots.js";

const configMap = (name: string, data: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "shop" },
  data,
});

const work = {
  apiVersion: "work.karmada.io/v1alpha1",
  kind: "Work",
  metadata: { name: "w", namespace: "karmada-es-east", uid: "work" },
  spec: {},
} as Work;

/** A member that keeps objects under rising revisions, and does what the test says in between. */
function memberWith(on: { afterApply?: (object: KubeObject) => void; refuse?: string } = {}) {
  const store = new Store();
  const objects = new Map<string, KubeObject>();
  const sent: string[] = [];
  let revision = 0;

  function put(object: KubeObject): KubeObject {
    const { uid = `uid-${object.metadata.name}` } = objects.get(storeKey(object.metadata))?.metadata ?? {};
    const managedFields = object.metadata.managedFields ?? [{ manager: "holdfast", operation: "Apply" }];
    const metadata = { ...object.metadata, uid, resourceVersion: String(++revision), managedFields };
    const stored = { ...object, metadata };
    objects.set(storeKey(metadata), stored);
    return stored;
  }

  const collection = {
    store,
    whenSynced: () => Promise.resolve(),
    find: (name: KubeObject["metadata"]) => store.get(storeKey(name)),
    apply(object: KubeObject) {
      sent.push(`apply ${object.metadata.name}`);
      if (on.refuse) return Promise.reject(new KubeError(500, "", on.refuse));
      const created = !objects.has(storeKey(object.metadata));
      const answer = put(object);
      store.observe(answer);
      on.afterApply?.(answer);
      return Promise.resolve({ created, object: answer });
    },
    client: {
      // Another one's object, made since, is not there at the first look.
      find: (name: KubeObject["metadata"]) =>
        Promise.resolve(sent.length === 0 ? undefined : objects.get(storeKey(name))),
      jsonPatch(name: KubeObject["metadata"], patch: readonly { op: string; path: string; value?: unknown }[]) {
        const live = objects.get(storeKey(name));
        const expected = patch.find(({ path }) => path === "/metadata/resourceVersion")?.value;
        sent.push(`patch ${name.name}`);
        if (!live || live.metadata.resourceVersion !== expected) {
          return Promise.reject(new KubeError(422, "Invalid", "the server rejected our request due to an error"));
        }
        put({ ...live, metadata: { ...live.metadata, labels: {} } });
        return Promise.resolve(live);
      },
    },
  };
  const member = {
    name: "east",
    discovery: {
      find: () => ({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true }),
    },
    objects: () => collection,
  } as unknown as Member;
  return { member, sent, put, live: (name: string) => objects.get(`shop/${name}`) };
}

const NO_SNAPSHOTS = { keep: () => Promise.resolve() } as unknown as Snapshots;

function applierFor(annotations: Record<string, string> = {}, template?: KubeObject, now?: Work) {
  const spec = { workload: { manifests: [configMap("one")] } };
  const on = { ...work, metadata: { ...work.metadata, annotations }, spec };
  const outcomes = new Outcomes(() => {});
  const templates = { ensure: () => ({ whenSynced: () => Promise.resolve(), find: () => template }) };
  const store = new Store<Work>({ indexes: { id: () => [] } });
  if (now) store.observe(now);
  const host = { works: { store, get: store.get.bind(store) }, templates };
  const metrics = { writesToMembers: { inc() {} } };
  const applyOne = applier({ host, metrics } as unknown as Dependencies, outcomes, NO_SNAPSHOTS);
  const signal = new AbortController().signal;
  const apply = (member: Member, manifest: KubeObject) =>
    applyOne({ work: on, workKey: "karmada-es-east/w", member, manifest, signal });
  return Object.assign(apply, { origin: (name: string) => outcomes.origin("karmada-es-east/w", configMap(name)) });
}

describe("applyOne", () => {
  it("makes nothing for a Work that has been sent away since, and whose template is gone by now", async () => {
    const { member, sent } = memberWith();
    const metadata = { ...work.metadata, uid: "w", resourceVersion: "9", deletionTimestamp: "2026-01-01T00:00:00Z" };

    const result = await applierFor({}, undefined, { ...work, metadata })(member, configMap("one"));

    expect({ withheld: result.withheld, sent }).toEqual({ withheld: true, sent: [] });
  });

  it("sends nothing again for a Work of several objects that are in step", async () => {
    const { member, sent } = memberWith();
    const apply = applierFor();
    const manifests = [configMap("one"), configMap("two"), configMap("three")];

    for (let round = 0; round < 3; round++) for (const manifest of manifests) await apply(member, manifest);

    expect(sent).toEqual(["apply one", "apply two", "apply three"]);
  });

  it("lets go of an object that somebody made first, however often its controller writes to it meanwhile", async () => {
    let writes = 2;
    const world = memberWith({
      afterApply(object) {
        for (; writes > 0; writes--) world.put({ ...object, data: { written: String(writes) } });
      },
    });
    world.put({
      ...configMap("one"),
      metadata: { ...configMap("one").metadata, managedFields: [{ manager: "helm" }] },
    });
    const refused = applierFor()(world.member, configMap("one"));

    await expect(refused).rejects.toBeInstanceOf(RefusedError);
    const live = world.live("one");
    expect(live && isOurs(live, work)).toBe(false);
    expect(world.sent).toEqual(["apply one", "patch one", "patch one"]);
  });

  it("takes an object that somebody made first over as it would any other, where its Work may", async () => {
    const world = memberWith();
    world.put({
      ...configMap("one"),
      metadata: { ...configMap("one").metadata, managedFields: [{ manager: "helm" }] },
    });
    const apply = applierFor({ [CONFLICT_RESOLUTION_ANNOTATION]: "overwrite" });

    await apply(world.member, configMap("one"));

    expect(world.sent).toEqual(["apply one", "patch one", "apply one"]);
    expect(apply.origin("one")).toEqual({ uid: "uid-one", origin: "Adopted" });
  });

  it("remembers that it has made an object, also one that it made again", async () => {
    const { member, live } = memberWith();
    const apply = applierFor();

    await apply(member, configMap("one"));

    expect(apply.origin("one")).toEqual({ uid: live("one")?.metadata.uid, origin: "Created" });
  });

  it.each`
    given                               | uid     | sent
    ${"its own template"}               | ${"u1"} | ${[]}
    ${"another one that bore its name"} | ${"u0"} | ${["apply one"]}
  `("sends $sent for an object that is not there when $given is on its way out", async ({ uid, sent: expected }) => {
    const { member, sent } = memberWith();
    const metadata = { ...configMap("one").metadata, uid: uid as string, deletionTimestamp: "2026-01-01T00:00:00Z" };
    const apply = applierFor({ [TEMPLATE_UID_ANNOTATION]: "u1" }, { ...configMap("one"), metadata });

    await apply(member, configMap("one"));

    expect(sent).toEqual(expected);
  });

  it("gives up at a field that it cannot take out, and says the member's words", async () => {
    const refuse = 'failed to create typed patch object: .data.list[x="y"].z: field not declared in schema';
    const { member, sent } = memberWith({ refuse });

    await expect(applierFor()(member, configMap("one", { a: "b" }))).rejects.toThrow("field not declared in schema");
    expect(sent).toEqual(["apply one", "apply one"]);
  });

  it("marks what it makes with the Work's id", async () => {
    const { member, live } = memberWith();

    await applierFor()(member, configMap("one"));

    expect(live("one")?.metadata.labels).toMatchObject({ "work.karmada.io/permanent-id": idOf(work) });
  });
});
