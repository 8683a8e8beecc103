// Are objects kept once, read and removed together, and never believed to be kept when they are not?
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AdoptionSnapshot } from "../../crds/adoption-snapshot.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { KubeError } from "../../lib/kube/errors.js";
import { SNAPSHOTS_BY_WORK, type Host } from "../../lib/kube/host.js";
import { snapshotFactsOnly } from "../../lib/kube/snapshot-facts.js";
import { Store } from "../../lib/kube/store.js";
import { WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { snapshotsIn } from "./snapshots.js";

const NAMESPACE = "karmada-es-east";

const work = (name = "w"): Work => ({
  apiVersion: "work.karmada.io/v1alpha1",
  kind: "Work",
  metadata: { name, namespace: NAMESPACE },
  spec: { workload: { manifests: [] } },
});

function live(kind = "ConfigMap", more: object = {}): KubeObject {
  const metadata = { name: "cfg", namespace: "shop", uid: "u", resourceVersion: "7", ...more };
  return { apiVersion: "v1", kind, metadata, data: { a: "1" } };
}

/** A host that keeps snapshots and Secrets; `refuse` is asked before every write. */
function hostWith(refuse: (object: KubeObject) => Error | undefined = () => undefined) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = new Store<AdoptionSnapshot>({
    transform: snapshotFactsOnly,
    indexes: { [SNAPSHOTS_BY_WORK]: ({ metadata }) => [metadata.labels?.[WORK_ID_LABEL] ?? ""] },
  });
  const kept = new Map<string, KubeObject>();
  const asked: string[] = [];
  const woken: string[] = [];
  let revision = 0;
  let away: Error | undefined;

  function apply(object: KubeObject): KubeObject {
    asked.push(`apply ${object.kind} ${object.metadata.name}`);
    const error = refuse(object);
    if (error) throw error;
    const metadata = { ...object.metadata, uid: `s-${object.metadata.name}`, resourceVersion: String(++revision) };
    kept.set(`${object.kind} ${object.metadata.name}`, object);
    return { ...object, metadata };
  }

  function selected(kind: string, selector: string): KubeObject[] {
    if (away) throw away;
    return [...kept.values()].filter(
      o => o.kind === kind && selector.includes(o.metadata.labels?.[WORK_ID_LABEL] ?? "?"),
    );
  }

  function list(kind: string, selector: string): { items: KubeObject[] } {
    const items = selected(kind, selector);
    asked.push(`list ${kind} ${items.length}`);
    return { items };
  }

  function remove(kind: string, selector: string): void {
    const gone = selected(kind, selector);
    for (const { metadata } of gone) kept.delete(`${kind} ${metadata.name}`);
    asked.push(`delete ${kind} ${gone.length}`);
  }

  const kind = "AdoptionSnapshot";
  const client = {
    request: async (method: string, _path: string, { query }: { query: { labelSelector: string } }) =>
      method === "GET"
        ? { ...list("Secret", query.labelSelector), metadata: {} }
        : remove("Secret", query.labelSelector),
    send: async (_method: string, _path: string, { body }: { body: KubeObject }) => ({
      status: 201,
      body: apply(body),
    }),
  };
  const snapshots = {
    store,
    apply: async (object: AdoptionSnapshot) => store.observe(apply(object) as AdoptionSnapshot),
    client: {
      list: async ({ labelSelector }: { labelSelector: string }) => list(kind, labelSelector),
      deleteAll: async ({ labelSelector }: { labelSelector: string }) => remove(kind, labelSelector),
    },
  };
  const host = { client, snapshots } as unknown as Host;
  const all = snapshotsIn(NAMESPACE, host, key => woken.push(key));
  return { all, asked, woken, kept, goAway: (error?: Error) => (away = error) };
}

const moment = () => vi.advanceTimersByTimeAsync(50);
const second = () => vi.advanceTimersByTimeAsync(1_000);
const fields = { managedFields: [{ manager: "holdfast", operation: "Apply", fieldsV1: { "f:data": {} } }] };

describe("keep", () => {
  it.each`
    given                                          | second                                                    | writes
    ${"the same state"}                            | ${live()}                                                 | ${1}
    ${"a state in which it is half taken over"}    | ${live("ConfigMap", { resourceVersion: "8", ...fields })} | ${1}
    ${"a later state of before it was taken over"} | ${live("ConfigMap", { resourceVersion: "8" })}            | ${2}
    ${"another object under the name"}             | ${live("ConfigMap", { uid: "u2", ...fields })}            | ${2}
  `("writes $writes in all for $given", async ({ second, writes }) => {
    const { all, asked } = hostWith();
    await all.keep(work(), live());
    await all.keep(work(), second as KubeObject);
    expect(asked).toHaveLength(writes as number);
  });

  it("holds nothing of the object itself in memory", async () => {
    const { all } = hostWith();
    await all.keep(work(), live());
    expect(all.of(work()).map(({ spec }) => ({ uid: spec.uid, object: spec.object }))).toEqual([
      { uid: "u", object: undefined },
    ]);
  });

  it.each([413, 500])("keeps less of what is too large for the host, answered with %i", async status => {
    const isLarge = (o: KubeObject) => !(o as AdoptionSnapshot).spec.partial;
    const { all, asked } = hostWith(o => (isLarge(o) ? new KubeError(status, "", "request is too large") : undefined));
    await all.keep(work(), live());
    expect(asked).toHaveLength(3);
    expect(all.of(work())[0]?.spec.partial).toBe(true);
  });

  it("keeps a Secret in a Secret, and says nothing before that is stored", async () => {
    const { all, asked } = hostWith(o => (o.kind === "Secret" ? new KubeError(403, "Forbidden", "no") : undefined));
    await expect(all.keep(work(), live("Secret"))).rejects.toThrow("no");
    expect(asked).toEqual([expect.stringMatching(/^apply Secret adopted-/)]);
    expect(all.of(work())).toEqual([]);
  });
});

describe("read", () => {
  it("asks nobody for a Work that has taken nothing over", () => {
    const { all, asked } = hostWith();
    expect(all.read(work())).toEqual(new Map());
    expect(asked).toEqual([]);
  });

  it("asks once for all Works that go within a moment, and wakes them", async () => {
    const { all, asked, woken } = hostWith();
    for (const name of ["a", "b", "c"]) await all.keep(work(name), live(name === "c" ? "Secret" : "ConfigMap"));
    asked.length = 0;
    expect(["a", "b", "c"].map(name => all.read(work(name)))).toEqual([undefined, undefined, undefined]);

    await moment();

    expect(asked).toEqual(["list AdoptionSnapshot 3", "list Secret 1"]);
    expect(woken).toEqual(["a", "b", "c"].map(name => `${NAMESPACE}/${name}`));
    expect(all.read(work("a"))?.get("u")).toEqual(live());
    expect(all.read(work("c"))?.get("u")).toEqual(live("Secret"));
  });

  it("knows nothing of a snapshot that somebody has deleted", async () => {
    const { all, kept } = hostWith();
    await all.keep(work(), live());
    kept.clear();
    all.read(work());
    await moment();
    expect(all.read(work())).toEqual(new Map());
  });

  it("says that the host does not answer, and asks again", async () => {
    const { all, goAway } = hostWith();
    await all.keep(work(), live());
    goAway(new KubeError(0, "", "nobody answered"));
    all.read(work());
    await moment();
    expect(() => all.read(work())).toThrow("nobody answered");
    goAway();
    expect(all.read(work())).toBeUndefined();
    await moment();
    expect(all.read(work())?.get("u")).toEqual(live());
  });
});

describe("discard", () => {
  it("removes those of many Works at once, the Secrets first", async () => {
    const { all, asked, kept } = hostWith();
    for (const name of ["a", "b"]) await all.keep(work(name), live(name === "b" ? "Secret" : "ConfigMap"));
    asked.length = 0;
    expect([all.discard(work("a")), all.discard(work("b"))]).toEqual([false, false]);

    await second();

    expect(asked).toEqual(["delete Secret 1", "delete AdoptionSnapshot 2"]);
    expect(kept.size).toBe(0);
    expect([all.discard(work("a")), all.discard(work("b"))]).toEqual([true, true]);
  });

  it("is done at once for a Work that has none", () => {
    const { all, asked } = hostWith();
    expect(all.discard(work())).toBe(true);
    expect(asked).toEqual([]);
  });

  it("does not believe that they are gone when the host has not said so", async () => {
    const { all, goAway } = hostWith();
    await all.keep(work(), live());
    goAway(new KubeError(503, "", "try later"));
    all.discard(work());
    await second();
    expect(() => all.discard(work())).toThrow("try later");
    goAway();
    expect(all.discard(work())).toBe(false);
    await second();
    expect(all.discard(work())).toBe(true);
  });
});
