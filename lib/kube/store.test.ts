// Does a store hold the newest state of everything, whatever order the news comes in?
import { describe, expect, it, vi } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { Store, type StoreChange } from "./store.js";

function object(name: string, uid: string, revision: number, color = "red"): KubeObject {
  const metadata = { namespace: "ns", name, uid, resourceVersion: String(revision), labels: { color } };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}

const colors = (o: KubeObject): string[] => Object.values(o.metadata.labels ?? {});

function storeOf(...objects: KubeObject[]): Store {
  const store = new Store({ indexes: { color: colors } });
  for (const o of objects) store.observe(o);
  return store;
}

const revisionOf = (store: Store): string | undefined => store.get("ns/a")?.metadata.resourceVersion;

describe("observe", () => {
  it("takes a newer revision and tells what was before", () => {
    const store = storeOf(object("a", "u1", 9));
    const changes: StoreChange[] = [];
    store.subscribe(c => changes.push(c));

    store.observe(object("a", "u1", 10));

    expect(revisionOf(store)).toBe("10");
    expect(changes).toMatchObject([
      { key: "ns/a", before: { metadata: { resourceVersion: "9" } }, after: { metadata: { resourceVersion: "10" } } },
    ]);
  });

  it.each`
    given                                       | late
    ${"an older revision"}                      | ${object("a", "u1", 9)}
    ${"the same revision again"}                | ${object("a", "u1", 10)}
    ${"a late state of an earlier incarnation"} | ${object("a", "u0", 8)}
  `("ignores $given, in silence", ({ late }: { late: KubeObject }) => {
    const store = storeOf(object("a", "u1", 10));
    const listener = vi.fn();
    store.subscribe(listener);

    store.observe(late);

    expect(store.get("ns/a")?.metadata).toMatchObject({ uid: "u1", resourceVersion: "10" });
    expect(listener).not.toHaveBeenCalled();
  });

  it("buries the earlier incarnation when the name is used again", () => {
    const store = storeOf(object("a", "u1", 10), object("a", "u2", 12));

    expect(store.wasDeleted("u1")).toBe(true);
    expect(store.wasDeleted("u2")).toBe(false);
  });

  it("keeps no managedFields", () => {
    const store = new Store();
    const metadata = { name: "a", uid: "u", resourceVersion: "1", managedFields: [{ manager: "kubectl" }] };

    store.observe({ apiVersion: "v1", kind: "Namespace", metadata });

    expect(store.get("a")?.metadata).toEqual({ name: "a", uid: "u", resourceVersion: "1" });
    expect(metadata.managedFields).toHaveLength(1);
  });

  it("tells all listeners although one of them throws", () => {
    const store = new Store();
    const second = vi.fn();
    store.subscribe(() => {
      throw new Error("broken listener");
    });
    store.subscribe(second);

    expect(() => store.observe(object("a", "u1", 1))).toThrow("broken listener");

    expect(second).toHaveBeenCalledOnce();
  });
});

describe("remove", () => {
  it("without a revision is for good: no late answer brings the object back", () => {
    const store = storeOf(object("a", "u1", 10));

    store.remove(object("a", "u1", 8));
    store.observe(object("a", "u1", 9));
    store.observe(object("a", "u1", 10));

    expect(store.size).toBe(0);
    expect(store.wasDeleted("u1")).toBe(true);
  });

  it("remembers the latest revision of a burial", () => {
    const store = storeOf(object("a", "u1", 10));
    store.remove(object("a", "u1", 12), "12");
    store.remove(object("a", "u1", 10), "10");

    store.observe(object("a", "u1", 11));

    expect(store.size).toBe(0);
  });

  it("of a late event leaves what was adopted again since then", () => {
    const store = storeOf(object("a", "u1", 10));
    store.observe(object("a", "u1", 14));

    store.remove(object("a", "u1", 12), "12");

    expect(revisionOf(store)).toBe("14");
    expect(store.wasDeleted("u1")).toBe(false);
  });

  it("lets the same object come back under a later revision, as a selector sees it", () => {
    const store = storeOf(object("a", "u1", 10));
    store.remove(object("a", "u1", 12), "12");

    store.observe(object("a", "u1", 13));

    expect(revisionOf(store)).toBe("13");
    expect(store.wasDeleted("u1")).toBe(false);
  });

  it("leaves the next incarnation under the same name", () => {
    const store = storeOf(object("a", "u2", 20));
    const listener = vi.fn();
    store.subscribe(listener);

    store.remove(object("a", "u1", 10));

    expect(revisionOf(store)).toBe("20");
    expect(listener).not.toHaveBeenCalled();
  });

  it("remembers a bounded number of burials, the latest ones", () => {
    const store = new Store();
    for (let i = 0; i <= 20_000; i++) store.remove(object("a", `u${i}`, i + 1));

    expect([store.wasDeleted("u0"), store.wasDeleted("u1"), store.wasDeleted("u20000")]).toEqual([false, true, true]);
  });
});
