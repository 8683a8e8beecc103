// Is the word of a policy about deletion found that it gave before an edit by which it no longer selects?
import { describe, expect, it } from "vitest";
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { CascadeDeletionPolicy } from "../../crds/cascade-deletion-policy.js";
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { Query } from "../../lib/kube/client.js";
import { KubeError } from "./errors.js";
import { lapsesInStores, lapsesReader, withLapsed } from "./lapses.js";
import { Store } from "./store.js";

const template = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "shop", name: "web", uid: "t", resourceVersion: "5" },
};
const cluster = { metadata: { name: "m1" }, spec: {} };

const rule = (resourceVersion: string, cascadeDeletion: string, name: string, clusters?: string[]) =>
  ({
    kind: "CascadeDeletionPolicy",
    metadata: { namespace: "shop", name: "r", uid: "u", resourceVersion, generation: Number(resourceVersion) / 10 },
    spec: {
      cascadeDeletion,
      resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name }],
      ...(clusters ? { targetCluster: { clusterNames: clusters } } : {}),
    },
  }) as unknown as CascadeDeletionPolicy;

/** What the host says of the template's binding, and of the template itself, at any revision. */
interface Then {
  readonly places?: readonly string[];
  readonly made?: boolean;
  readonly forgotten?: boolean;
}

const BOTH: Then = { places: ["m1", "m2"] };

function readerOver(states: readonly CascadeDeletionPolicy[], { places, made = true, forgotten = false }: Then = BOTH) {
  const asked: string[] = [];
  const list = (query: Query = {}) => {
    const revision = Number(query["resourceVersion"]);
    asked.push(String(revision));
    const then = states.filter(state => Number(state.metadata.resourceVersion) <= revision).at(-1);
    return Promise.resolve({ items: then ? [then] : [], resourceVersion: String(revision) });
  };
  const answering = (items: readonly object[]) => ({
    list: () =>
      forgotten
        ? Promise.reject(new KubeError(410, "Expired", "compacted"))
        : Promise.resolve({ items, resourceVersion: "1" }),
  });
  const binding = places && { spec: { resource: { uid: "t" }, clusters: places.map(name => ({ name })) } };
  const host = {
    cascadePoliciesLike: () => ({ client: { list } }),
    bindingsLike: () => ({ client: answering(binding ? [binding] : []) }),
    templates: { of: () => ({ client: answering(made ? [template] : []) }) },
  } as unknown as Parameters<typeof lapsesReader>[0];
  return { asked, host, lapsesOf: lapsesReader(host), now: states.slice(-1) };
}

const heard = (policy: CascadeDeletionPolicy): CascadeDeletionPolicy => ({
  ...policy,
  status: { observedGeneration: policy.metadata.generation },
});

const heardNow = (resourceVersion: string, name: string): CascadeDeletionPolicy => {
  const policy = rule("20", "background", name);
  return heard({ ...policy, metadata: { ...policy.metadata, resourceVersion } });
};

const GONE = { ...BOTH, forgotten: true };

describe("lapsesReader, of the moment when such a word ended", () => {
  it.each`
    given                                              | word            | then                  | counts
    ${"a copy that was out"}                           | ${"background"} | ${BOTH}               | ${true}
    ${"a cluster that the template came to later"}     | ${"background"} | ${{ places: ["m2"] }} | ${false}
    ${"such a cluster, and a word that keeps"}         | ${"orphan"}     | ${{ places: ["m2"] }} | ${true}
    ${"a template that waited"}                        | ${"background"} | ${{}}                 | ${false}
    ${"a template that waited, and a word that keeps"} | ${"orphan"}     | ${{}}                 | ${true}
    ${"a template that was made later"}                | ${"background"} | ${{ made: false }}    | ${false}
    ${"such a template, and a word that keeps"}        | ${"orphan"}     | ${{ made: false }}    | ${false}
    ${"a moment that the host has forgotten"}          | ${"background"} | ${GONE}               | ${false}
    ${"such a moment, and a word that keeps"}          | ${"orphan"}     | ${GONE}               | ${true}
  `("counts it: $counts, for $given", async ({ word, then, counts }) => {
    const states = [rule("10", word as string, "web"), rule("20", "adopted", "db")];
    const { lapsesOf, now } = readerOver(states, then as Then);
    expect((await lapsesOf(template, now))(cluster)?.cascadeDeletion).toBe(counts ? word : undefined);
  });
});

describe("lapsesReader", () => {
  it.each`
    given                                       | states                                                                                   | word
    ${"an edit to another name"}                | ${[rule("10", "orphan", "web"), rule("20", "background", "db")]}                         | ${"orphan"}
    ${"an edit to another cluster"}             | ${[rule("10", "orphan", "web"), rule("20", "adopted", "web", ["m2"])]}                   | ${"orphan"}
    ${"the last word before several edits"}     | ${[rule("10", "background", "web"), rule("20", "orphan", "web"), rule("30", "x", "db")]} | ${"orphan"}
    ${"a policy that has never selected it"}    | ${[rule("10", "orphan", "db"), rule("20", "orphan", "dc")]}                              | ${undefined}
    ${"an edit that has been heard since"}      | ${[rule("10", "orphan", "web"), rule("20", "background", "db"), heardNow("21", "db")]}   | ${"orphan"}
    ${"words that had been heard before it"}    | ${[heard(rule("10", "orphan", "web")), rule("20", "background", "db")]}                  | ${undefined}
    ${"a policy that was made, and not edited"} | ${[rule("10", "orphan", "web")]}                                                         | ${undefined}
  `("answers $word for $given", async ({ states, word }) => {
    const { lapsesOf, now } = readerOver(states as CascadeDeletionPolicy[]);
    const lapses = await lapsesOf(template, now);
    expect(lapses(cluster)?.cascadeDeletion).toBe(word);
  });

  it("reads a policy's past once for all templates", async () => {
    const { lapsesOf, now, asked } = readerOver([rule("10", "orphan", "web"), rule("20", "background", "db")]);
    await Promise.all(Array.from({ length: 10 }, () => lapsesOf(template, now)));
    expect(asked).toEqual(["19", "9"]);
  });
});

describe("lapsesInStores", () => {
  function storesOver(states: readonly CascadeDeletionPolicy[]) {
    const { asked, host } = readerOver(states);
    const store = new Store<CascadeDeletionPolicy>();
    const cascadePolicies = { store, subscribe: store.subscribe.bind(store) };
    const clusterCascadePolicies = { store: new Store(), subscribe: () => () => {} };
    const both = { ...host, cascadePolicies, clusterCascadePolicies } as unknown as Parameters<
      typeof lapsesInStores
    >[0];
    return { asked, store, host: both };
  }

  const states = [rule("10", "orphan", "web"), rule("20", "background", "db")];
  const deselected = rule("20", "background", "db");

  it.each([["was there before"], ["comes later"]])("knows a rule that %s", async when => {
    const { store, host } = storesOver(states);
    if (when === "was there before") store.observe(deselected);
    const lapsesOf = lapsesInStores(host);
    if (when === "comes later") store.observe(deselected);
    expect((await lapsesOf(template))(cluster)?.cascadeDeletion).toBe("orphan");
  });

  it("asks nothing about a rule that has been heard, and forgets one that is heard now", async () => {
    const { store, host, asked } = storesOver(states);
    const lapsesOf = lapsesInStores(host);
    store.observe(deselected);
    store.observe({ ...heard(deselected), metadata: { ...deselected.metadata, resourceVersion: "21" } });
    expect((await lapsesOf(template))(cluster)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("asks nothing about a rule of another namespace", async () => {
    const { store, host, asked } = storesOver(states);
    store.observe({ ...deselected, metadata: { ...deselected.metadata, namespace: "other" } });
    await lapsesInStores(host)(template);
    expect(asked).toEqual([]);
  });
});

describe("withLapsed", () => {
  const word = (cascadeDeletion: Cascade, decidedBy = "R", reason = "CascadeDeletionPolicy") => ({
    name: "m1",
    cascadeDeletion,
    reason,
    decidedBy,
  });

  it.each`
    given                                    | lapsed                | recorded                                     | first
    ${"no word that lapsed"}                 | ${undefined}          | ${[word("background")]}                      | ${"background"}
    ${"nothing on record"}                   | ${word("background")} | ${[]}                                        | ${"background"}
    ${"one that keeps less than another's"}  | ${word("background")} | ${[word("orphan", "S")]}                     | ${"orphan"}
    ${"one that keeps more than another's"}  | ${word("orphan")}     | ${[word("background", "S")]}                 | ${"orphan"}
    ${"one that keeps less than the rule's"} | ${word("background")} | ${[word("orphan")]}                          | ${"background"}
    ${"a record of the policy's own field"}  | ${word("background")} | ${[word("orphan", "policy", "PolicyField")]} | ${"background"}
  `("lets $first stand first for $given", ({ lapsed, recorded, first }) => {
    expect(withLapsed(lapsed as ClusterDeletion | undefined, recorded as ClusterDeletion[])[0]?.cascadeDeletion).toBe(
      first,
    );
  });
});
