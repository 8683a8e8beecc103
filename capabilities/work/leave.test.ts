// Does a Work go only when its order is carried out, and does what was kept for it go with it, or stay for the next one?
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { RB_ID_LABEL, TEMPLATE_UID_ANNOTATION, WORK_FINALIZER } from "../../lib/domain/marks.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { silentLog } from "../../lib/engine/log.js";
import type { Member } from "../../lib/kube/member.js";
import { Store } from "../../lib/kube/store.js";
import { leaver } from "./leave.js";
import { Outcomes } from "./outcomes.js";
import type { Snapshots } from "./snapshots.js";

const KEY = "karmada-es-east/w";
const template: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "cfg", namespace: "shop", uid: "t" },
};

function work(more: object = {}): Work {
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: {
      name: "w",
      namespace: "karmada-es-east",
      uid: "w",
      finalizers: [WORK_FINALIZER],
      deletionTimestamp: "2026-01-01T00:00:00Z",
      ...more,
    },
    spec: { workload: { manifests: [template] }, preserveResourcesOnDeletion: true },
  };
}

/** Of a binding, and its template lives: nobody ordered it to go. */
const UNORDERED = { labels: { [RB_ID_LABEL]: "b" }, annotations: { [TEMPLATE_UID_ANNOTATION]: "t" } };

interface World {
  readonly cluster?: Partial<Cluster["metadata"]>;
  /** How often the snapshots are asked for before they are there; the same for their removal. */
  readonly waits?: number;
}

function leaving({ cluster, waits = 0 }: World = {}) {
  const did: string[] = [];
  const outcomes = new Outcomes(() => {});
  const left = { read: waits, discard: waits };
  const snapshots = {
    of: () => [],
    read: () => (left.read-- > 0 ? undefined : new Map()),
    discard() {
      did.push("discard");
      return left.discard-- <= 0;
    },
  } as unknown as Snapshots;
  const collection = {
    store: new Store(),
    whenSynced: () => Promise.resolve(),
    find: () => template,
    client: {
      find() {
        did.push("look");
        return Promise.resolve(undefined);
      },
    },
  };
  const host = {
    clusters: { get: () => cluster && ({ metadata: { name: "east", ...cluster } } as Cluster) },
    bindings: { get: () => undefined },
    templates: { ensure: () => collection },
    works: { removeFinalizer: async () => did.push("gone") },
  };
  const metrics = { finalizerWaitSeconds: { observe() {} } };
  const events = { warning: (_about: object, reason: string) => did.push(reason) };
  const deps = { host, metrics, events, log: silentLog, members: {} } as unknown as Dependencies;
  const member = { name: "east", ready: true, discovery: { find: () => ({}) }, objects: () => collection };
  const see = leaver(deps, outcomes, snapshots);
  const signal = new AbortController().signal;
  return {
    did,
    outcomes,
    leave: (on: Work, reached = true) => see(KEY, on, reached ? (member as unknown as Member) : undefined, signal),
  };
}

describe("a Work that goes", () => {
  it("looks into the member, discards what was kept, and is gone", async () => {
    const { did, leave } = leaving();
    expect(await leave(work())).toEqual({});
    expect(did).toEqual(["look", "discard", "gone"]);
  });

  it("waits for what was kept to be read before it touches anything, and looks into the member once", async () => {
    const { did, leave } = leaving({ waits: 1 });
    await leave(work());
    expect(did).toEqual([]);
    await leave(work());
    expect(did).toEqual(["look", "discard"]);
    await leave(work());
    expect(did).toEqual(["look", "discard", "discard", "gone"]);
  });

  it("keeps what was kept for the next Work of its name when nobody ordered it", async () => {
    const { did, leave } = leaving();
    await leave(work(UNORDERED));
    expect(did).toEqual(["gone"]);
  });

  it("brings to its end what it has begun, also when its place is wanted again meanwhile", async () => {
    const { did, leave } = leaving({ waits: 1 });
    await leave(work());
    await leave(work());
    await leave(work(UNORDERED));
    expect(did).toEqual(["look", "discard", "discard", "gone"]);
  });

  it("says what waits for a cluster that stays, and leaves nothing kept for one that has left", async () => {
    const stays = leaving({ cluster: {} });
    expect(await stays.leave(work(), false)).toEqual({});
    expect(stays.did).toEqual([]);
    expect(stays.outcomes.get(KEY)).toMatchObject({ reason: "FinalizerBlocked" });

    const leaves = leaving({ cluster: { deletionTimestamp: "2026-01-01T00:00:00Z" } });
    await leaves.leave(work(), false);
    expect(leaves.did).toEqual(["ResourcesLeftBehind", "discard", "gone"]);
  });

  it("has nothing to do with a Work that is not ours to see off", async () => {
    const { did, leave } = leaving();
    expect(await leave(work({ finalizers: ["other"] }))).toEqual({});
    expect(did).toEqual([]);
  });
});
