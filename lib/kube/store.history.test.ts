// Does every order in which news can come lead to the same store?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { Store } from "./store.js";

function object(name: string, uid: string, revision: number, color = "red"): KubeObject {
  const metadata = { namespace: "ns", name, uid, resourceVersion: String(revision), labels: { color } };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}

const colors = (o: KubeObject): string[] => Object.values(o.metadata.labels ?? {});

const storeOf = (): Store => new Store({ indexes: { color: colors } });

type News = { readonly o: KubeObject; readonly gone: boolean };

/** The true history of three names: objects made, changed and deleted at rising revisions. */
const history: fc.Arbitrary<News[]> = fc
  .array(
    fc.record({ name: fc.constantFrom("a", "b", "c"), color: fc.constantFrom("red", "blue"), gone: fc.boolean() }),
    {
      maxLength: 30,
    },
  )
  .map(steps => {
    const uids = new Map<string, string>();
    return steps.map(({ name, color, gone }, revision) => {
      const uid = uids.get(name) ?? `${name}${revision}`;
      if (gone) uids.delete(name);
      else uids.set(name, uid);
      return { o: object(name, uid, revision + 1, color), gone };
    });
  });

function take(store: Store, { o, gone }: News): void {
  if (gone) store.remove(o, o.metadata.resourceVersion);
  else store.observe(o);
}

function expectConsistent(store: Store): void {
  for (const color of ["red", "blue"]) {
    const expected = [...store.values()].filter(o => colors(o).includes(color)).map(o => o.metadata.name);
    expect(
      store
        .byIndex("color", color)
        .map(o => o.metadata.name)
        .sort(),
    ).toEqual(expected.sort());
  }
  expect([...store.keys()].sort()).toEqual([...store.values()].map(o => `ns/${o.metadata.name}`).sort());
}

describe("under any history", () => {
  it("indexes agree with the objects after every step, and listeners could rebuild the store", () => {
    fc.assert(
      fc.property(history, news => {
        const store = storeOf();
        const mirror = new Map<string, KubeObject>();
        store.subscribe(({ key, before, after }) => {
          expect(mirror.get(key)).toBe(before);
          if (after) mirror.set(key, after);
          else mirror.delete(key);
        });
        for (const step of news) {
          take(store, step);
          expectConsistent(store);
        }
        expect(new Map([...store.values()].map(o => [`ns/${o.metadata.name}`, o]))).toEqual(mirror);
      }),
    );
  });

  it("late and repeated news from our own writes change nothing in the end", () => {
    const late = fc.array(fc.tuple(fc.nat(29), fc.nat(29)), { maxLength: 30 });
    fc.assert(
      fc.property(history, late, (news, repeats) => {
        const straight = storeOf();
        const mixed = storeOf();
        for (const [at, step] of news.entries()) {
          take(straight, step);
          take(mixed, step);
          for (const [when, which] of repeats) {
            const again = news[Math.min(which, at)];
            if (when === at && again) take(mixed, again);
          }
        }
        expect([...mixed.values()]).toEqual(expect.arrayContaining([...straight.values()]));
        expect(mixed.size).toBe(straight.size);
        expectConsistent(mixed);
      }),
    );
  });

  it("news that overtake the watch lead to the same end", () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat(29)), (news, early) => {
        const straight = storeOf();
        const mixed = storeOf();
        // Answers to our writes come first, then the watch tells everything in order.
        for (const i of early) if (news[i]) take(mixed, news[i]);
        for (const step of news) take(straight, step);
        for (const step of news) take(mixed, step);
        const names = (s: Store) => [...s.values()].map(o => [o.metadata.name, o.metadata.resourceVersion]).sort();
        expect(names(mixed)).toEqual(names(straight));
      }),
    );
  });
});
