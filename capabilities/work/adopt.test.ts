// Is nothing taken over that was not kept as it was, in the very state in which it was kept?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { CONFLICT_RESOLUTION_ANNOTATION } from "../../lib/domain/marks.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Collection } from "../../lib/kube/collection.js";
import { KubeError } from "../../lib/kube/errors.js";
import type { Member } from "../../lib/kube/member.js";
import { Store } from "../../lib/kube/store.js";
import { adopter, RefusedError } from "./adopt.js";
import type { Snapshots } from "./snapshots.js";

const THEIRS = { manager: "helm", operation: "Update", apiVersion: "v1", fieldsV1: { "f:data": { "f:a": {} } } };

function object(resourceVersion = "1", managedFields: readonly object[] = []): KubeObject {
  const metadata = { name: "cfg", namespace: "shop", uid: "u", resourceVersion, managedFields };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } };
}

interface World {
  readonly resolution?: string;
  /** What is there at each look after the first. */
  readonly later?: readonly (KubeObject | undefined)[];
  /** What each write fails with, in their order; none succeeds. */
  readonly patches?: readonly (Error | undefined)[];
  readonly sends?: readonly (Error | undefined)[];
  readonly cannotKeep?: Error;
}

function take(live: KubeObject, world: World = {}) {
  const { resolution = "overwrite", later = [], patches = [], sends = [], cannotKeep } = world;
  const did: string[] = [];
  const queues = { later: [...later], patches: [...patches], sends: [...sends] };
  const act = (what: string, error: Error | undefined) => {
    did.push(what);
    if (error) throw error;
  };
  const client = {
    find: () => Promise.resolve(queues.later.shift()),
    jsonPatch: async () => act("patch", queues.patches.shift()),
  };
  const snapshots = {
    keep: async (_work: Work, { metadata }: KubeObject) => act(`keep ${metadata.resourceVersion}`, cannotKeep),
  } as unknown as Snapshots;
  const host = { works: { store: new Store({ indexes: { id: () => [] } }) } } as unknown as Dependencies["host"];
  const { adopt } = adopter({ host }, snapshots, async (_request, _objects, { metadata }) => {
    act(`send ${metadata.uid} ${metadata.resourceVersion ?? "any"}`, queues.sends.shift());
    return { created: false, object: live, dropped: [] };
  });
  const metadata = {
    name: "w",
    namespace: "karmada-es-east",
    annotations: { [CONFLICT_RESOLUTION_ANNOTATION]: resolution },
  };
  const work: Work = { apiVersion: "work.karmada.io/v1alpha1", kind: "Work", metadata, spec: {} };
  const manifest = { ...object(), metadata: { name: "cfg", namespace: "shop" } };
  const member = { name: "east" } as Member;
  const request = { work, workKey: "karmada-es-east/w", member, manifest, signal: new AbortController().signal };
  return { did, sent: adopt(request, { client } as unknown as Collection, manifest, live) };
}

describe("adopt", () => {
  it("keeps the object, then moves what others own, then applies to this very object", async () => {
    const { did, sent } = take(object("1", [THEIRS]));
    expect(await sent).toMatchObject({ created: false });
    expect(did).toEqual(["keep 1", "patch", "send u any"]);
  });

  it("applies to the very state that was kept, where nobody owns anything", async () => {
    const { did, sent } = take(object("1"));
    await sent;
    expect(did).toEqual(["keep 1", "send u 1"]);
  });

  it("writes nothing when the object cannot be kept, and says so", async () => {
    const { did, sent } = take(object("1", [THEIRS]), { cannotKeep: new KubeError(0, "", "nobody answered") });
    await expect(sent).rejects.toThrow(
      "ConfigMap shop/cfg in cluster east: it is not taken over, since the host could not keep it as it was: nobody answered",
    );
    await expect(sent).rejects.not.toBeInstanceOf(KubeError);
    expect(did).toEqual(["keep 1"]);
  });

  it("keeps it anew when somebody has written to it in between", async () => {
    const patches = [new KubeError(422, "Invalid", "the server rejected our request")];
    const { did, sent } = take(object("1", [THEIRS]), { patches, later: [object("2", [THEIRS])] });
    await sent;
    expect(did).toEqual(["keep 1", "patch", "keep 2", "patch", "send u any"]);
  });

  it("looks again when the apply meets another state", async () => {
    const { did, sent } = take(object("1"), {
      sends: [new KubeError(409, "Conflict", "modified")],
      later: [object("2")],
    });
    await sent;
    expect(did).toEqual(["keep 1", "send u 1", "keep 2", "send u 2"]);
  });

  it("tries nothing again at once when the member refuses the manifest", async () => {
    const { did, sent } = take(object("1"), { sends: [new KubeError(422, "Invalid", "spec: Required value")] });
    await expect(sent).rejects.toMatchObject({ status: 422 });
    expect(did).toEqual(["keep 1", "send u 1"]);
  });

  it("leaves the rest to whoever makes it when it has gone meanwhile", async () => {
    const patches = [new KubeError(422, "Invalid", "the server rejected our request")];
    const { sent } = take(object("1", [THEIRS]), { patches, later: [undefined] });
    expect(await sent).toBeUndefined();
  });

  it("keeps nothing of what it may not take", async () => {
    const { did, sent } = take(object("1", [THEIRS]), { resolution: "abort" });
    await expect(sent).rejects.toBeInstanceOf(RefusedError);
    expect(did).toEqual([]);
  });
});
