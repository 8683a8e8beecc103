// Are the rules read as they were when a template went, with one request for all that wait?
import { describe, expect, it } from "vitest";
import type { PropagationPolicy } from "../../crds/propagation-policy.js";
import type { Claim } from "../../lib/domain/claims.js";
import { CPP_ID_LABEL, PP_ID_LABEL } from "../../lib/domain/marks.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { Query } from "../../lib/kube/client.js";
import { KubeError } from "../../lib/kube/errors.js";
import { Store } from "../../lib/kube/store.js";
import { rulesReader } from "./rules-at.js";

const selector = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

function policy(revision: string, preserve: boolean | undefined, generation = 1, id = "p1"): PropagationPolicy {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: {
      name: "web-pp",
      namespace: "shop",
      uid: `uid-${id}`,
      generation,
      resourceVersion: revision,
      labels: { [PP_ID_LABEL]: id },
    },
    spec: { resourceSelectors: id === "p1" ? [selector] : [], placement: {}, preserveResourcesOnDeletion: preserve },
  } as PropagationPolicy;
}

const claim: Claim = { kind: "PropagationPolicy", namespace: "shop", name: "web-pp", id: "p1" };
const wide: Claim = { kind: "ClusterPropagationPolicy", name: "wide", id: "c1" };

const web = { apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace: "shop", name: "web" } };
const word = (preserve: boolean) => ({ preserve, decidedBy: "PropagationPolicy shop/web-pp" });

interface Asked {
  readonly query: Query;
  readonly namespace?: string;
}

/** A collection that remembers what was asked of its server. */
function collection(answer: (query: Query) => PropagationPolicy[] | Error) {
  const store = new Store<PropagationPolicy>();
  const asked: Asked[] = [];
  const client = {
    list(query: Query = {}, namespace?: string) {
      asked.push({ query, namespace });
      const items = answer(query);
      return items instanceof Error ? Promise.reject(items) : Promise.resolve({ items, resourceVersion: "100" });
    },
  };
  const subscribe = store.subscribe.bind(store);
  return { store, client, subscribe, asked };
}

type Fake = ReturnType<typeof collection>;

/** Asks as the tests do: about one template. */
function readerOf(
  policies: Fake,
  clusterPolicies: Fake,
  rules: Fake = collection(() => []),
  wide = collection(() => []),
) {
  // The reader uses four things of a collection; a real one would need a server.
  const host = {
    policies,
    clusterPolicies,
    cascadePolicies: rules,
    clusterCascadePolicies: wide,
    policiesLike: () => policies,
  };
  const read = rulesReader({ host: host as unknown as Dependencies["host"] });
  return {
    at: (of: Claim | undefined, revision: string) => read(web, of, revision),
    now: (of: Claim) => read(web, of, undefined),
  };
}

function reading(answer: (query: Query) => PropagationPolicy[] | Error, seen: readonly PropagationPolicy[] = []) {
  const policies = collection(answer);
  const clusterPolicies = collection(() => []);
  const reader = readerOf(policies, clusterPolicies);
  for (const one of seen) policies.store.observe(one);
  return { reader, policies, clusterPolicies };
}

const isExact = (query: Query) => query["resourceVersionMatch"] === "Exact";

const selecting = (preserve: boolean) =>
  ({
    resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }],
    placement: {},
    preserveResourcesOnDeletion: preserve,
  }) as unknown as PropagationPolicy["spec"];

function leavingPolicy(): PropagationPolicy {
  const made = policy("20", true, 2, "p2");
  return { ...made, spec: selecting(true), metadata: { ...made.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
}

describe("rulesReader", () => {
  it("says so when the present words may have come after the deletion: nobody was there to hear the edit", async () => {
    const unheard = { ...policy("10", false, 3), status: { observedGeneration: 2 } };
    const { reader } = reading(() => [unheard], [unheard]);
    expect(await reader.at(claim, "50")).toMatchObject({ exact: true, moved: true, rules: [], policy: word(false) });
    expect(await reader.now(claim)).toMatchObject({ holderUnheard: true, policy: word(false) });
  });

  it.each`
    given                                | watched      | unheard
    ${"a watch has told of"}             | ${true}      | ${false}
    ${"came while no watch was running"} | ${undefined} | ${true}
  `("takes an edit that $given for unheard: $unheard", async ({ watched, unheard }) => {
    const status = { observedGeneration: 1 };
    const edited = { ...policy("60", false, 2), status };
    const { reader, policies } = reading(() => [edited], [{ ...policy("10", true), status }]);
    policies.store.observe(edited, watched as true | undefined);
    expect(await reader.now(claim)).toMatchObject({ holderUnheard: unheard, policy: word(false) });
  });

  it("takes a live reading for the past when the policy has not changed since", async () => {
    const same = { ...policy("10", true), status: { observedGeneration: 1 } };
    const { reader, policies } = reading(() => [same], [same]);
    expect(await reader.at(claim, "50")).toMatchObject({ exact: true, moved: false, rules: [], policy: word(true) });
    expect(policies.asked).toEqual([{ query: {}, namespace: "shop" }]);
  });

  it("asks for the exact revision when the policy changed after the deletion", async () => {
    const [old, changed] = [policy("10", true), policy("60", false, 2)];
    const { reader, policies } = reading(query => (isExact(query) ? [old] : [changed]), [old, changed]);
    expect(await reader.at(claim, "50")).toMatchObject({ exact: true, moved: true, rules: [], policy: word(true) });
    expect(policies.asked[1]).toEqual({
      query: { resourceVersion: "50", resourceVersionMatch: "Exact" },
      namespace: "shop",
    });
  });

  it("finds a policy that had not claimed the template yet, and that is gone by now", async () => {
    const comer = { ...policy("40", true, 1, "p2"), spec: selecting(true) };
    const { reader } = reading(query => (isExact(query) ? [comer] : []));

    const decidedBy = "PropagationPolicy shop/web-pp, which had not claimed it yet";
    expect(await reader.at(undefined, "50")).toMatchObject({ exact: true, policy: { preserve: true, decidedBy } });
  });

  const comer = (spec: object) => ({ ...policy("40", true, 1, "p2"), spec: { ...selecting(true), ...spec } });
  const leaving = { ...policy("10", false), metadata: { ...policy("10", false).metadata, deletionTimestamp: "now" } };
  const elsewhere = { ...policy("10", false), spec: { ...policy("10", false).spec, resourceSelectors: [] } };
  it.each`
    given                                              | holder                 | other                                                                                      | preserve
    ${"one that would have taken over"}                | ${policy("10", false)} | ${comer({ preemption: "Always", priority: 1 })}                                            | ${true}
    ${"one that would have, and does not keep"}        | ${policy("10", true)}  | ${{ ...comer({ preemption: "Always", priority: 1, preserveResourcesOnDeletion: false }) }} | ${true}
    ${"one that would not have taken over"}            | ${policy("10", false)} | ${comer({})}                                                                               | ${false}
    ${"one that waits for a policy that leaves"}       | ${leaving}             | ${comer({})}                                                                               | ${true}
    ${"one that waits for one that no longer selects"} | ${elsewhere}           | ${comer({})}                                                                               | ${true}
  `("heeds a keep of another policy: $given", async ({ holder, other, preserve }) => {
    const known = [holder, other] as PropagationPolicy[];
    const { reader } = reading(() => known, known);
    expect(await reader.at(claim, "50")).toMatchObject({ policy: { preserve } });
  });

  it("asks for the exact revision when the policy is newer than what we have seen of it", async () => {
    const { reader, policies } = reading(
      query => [isExact(query) ? policy("10", true) : policy("60", false, 2)],
      [policy("10", true)],
    );
    expect(await reader.at(claim, "50")).toMatchObject({ exact: true, policy: { preserve: true } });
    expect(policies.asked).toHaveLength(2);
  });

  it("does not take a status write for a change", async () => {
    const [first, reported] = [policy("10", false), policy("60", false)];
    const { reader, policies } = reading(() => [reported], [first, reported]);
    expect(await reader.at(claim, "50")).toMatchObject({ exact: true, policy: { preserve: false } });
    expect(policies.asked).toHaveLength(1);
  });

  it.each([400, 410, 504])("says that it is no exact answer when the server refuses the past with %i", async status => {
    const changed = policy("60", false, 2);
    const answer = (query: Query) => (isExact(query) ? new KubeError(status, "Expired", "too old") : [changed]);
    const { reader } = reading(answer, [policy("10", true), changed]);
    expect(await reader.at(claim, "50")).toMatchObject({ exact: false, policy: { preserve: false } });
  });

  it.each`
    given                    | fails
    ${"the list fails"}      | ${() => true}
    ${"only the past fails"} | ${isExact}
  `("decides nothing when $given", async ({ fails }: { fails: (query: Query) => boolean }) => {
    const answer = (query: Query) => (fails(query) ? new KubeError(500, "", "down") : [policy("60", false, 2)]);
    const { reader } = reading(answer, [policy("10", true)]);
    await expect(reader.at(claim, "50")).rejects.toThrow("down");
  });

  it("counts a policy that selects the template and has not come to claim it, where it says keep", async () => {
    const namesake = { ...policy("20", true, 1, "p2"), spec: selecting(true) };
    const { reader } = reading(query => (isExact(query) ? [namesake] : [namesake]), [namesake]);
    const { policy: word } = await reader.at(claim, "50");
    expect(word).toMatchObject({ preserve: true });
    expect(word?.decidedBy).toContain("had not claimed it yet");
  });

  it.each`
    given                                      | comer
    ${"says delete"}                           | ${{ ...policy("20", false, 1, "p2"), spec: selecting(false) }}
    ${"is being deleted"}                      | ${leavingPolicy()}
    ${"selects something else"}                | ${policy("20", true, 1, "p2")}
    ${"was made after the moment asked about"} | ${{ ...policy("60", true, 1, "p2"), spec: selecting(true) }}
  `("does not count one that $given", async ({ comer }: { comer: PropagationPolicy }) => {
    const isLater = comer.metadata.resourceVersion === "60";
    const { reader } = reading(query => (isExact(query) && isLater ? [] : [comer]), [comer]);
    expect(await reader.at(claim, "50")).toMatchObject({ policy: undefined });
  });

  it("finds a policy that is gone now as it was then", async () => {
    const { reader } = reading(query => (isExact(query) ? [policy("10", true)] : []), [policy("10", true)]);
    expect(await reader.at(claim, "50")).toMatchObject({ exact: true, policy: { preserve: true } });
  });

  it("does not take a namesake for the policy of the claim", async () => {
    const namesake = policy("20", true, 1, "p2");
    const { reader } = reading(() => [namesake], [namesake]);
    expect(await reader.at(claim, "50")).toMatchObject({ exact: true, policy: undefined });
  });

  it("reads the present from the server, and not from the store", async () => {
    const { reader, policies } = reading(() => [policy("60", true, 2)], [policy("10", false)]);
    expect(await reader.now(claim)).toMatchObject({ exact: true, moved: false, rules: [], policy: word(true) });
    expect(policies.asked).toHaveLength(1);
  });

  it("tells an absent field from one that says delete", async () => {
    const { reader } = reading(() => [policy("10", undefined)]);
    expect((await reader.now(claim)).policy).toEqual({ ...word(false), preserve: undefined });
  });

  it("takes a policy that was never edited for heard: it has never said anything else", async () => {
    const fresh = policy("10", false, 1);
    const { reader } = reading(() => [fresh], [fresh]);
    expect(await reader.at(claim, "50")).toMatchObject({ exact: true, moved: false });
  });

  describe("of policies about deletion", () => {
    const rule = (revision: string, name: string, generation = 1, kind = "Deployment") =>
      ({
        kind: "CascadeDeletionPolicy",
        metadata: { name, namespace: "shop", uid: `uid-${name}`, generation, resourceVersion: revision },
        spec: { cascadeDeletion: "orphan", resourceSelectors: [{ apiVersion: "apps/v1", kind }] },
        status: { observedGeneration: generation },
      }) as unknown as PropagationPolicy;
    const nobody = () => collection(() => []);

    it("finds those about the kind, in the template's namespace and for the whole host", async () => {
      const [own, other, wide] = [rule("10", "own"), rule("11", "other", 1, "Service"), rule("12", "wide")];
      const [rules, wideRules] = [collection(() => [own, other]), collection(() => [wide])];
      for (const one of [own, other]) rules.store.observe(one);
      wideRules.store.observe(wide);
      const reader = readerOf(nobody(), nobody(), rules, wideRules);
      expect(await reader.at(undefined, "50")).toMatchObject({ exact: true, rules: [own, wide] });
      expect(rules.asked).toEqual([{ query: {}, namespace: "shop" }]);
      expect(wideRules.asked).toEqual([{ query: {}, namespace: undefined }]);
    });

    it("asks for the exact revision when one was made after the deletion", async () => {
      const late = rule("60", "late");
      const rules = collection(query => (isExact(query) ? [] : [late]));
      rules.store.observe(late);
      const reader = readerOf(nobody(), nobody(), rules);
      expect(await reader.at(undefined, "50")).toMatchObject({ exact: true, moved: true, rules: [] });
    });

    it("says that one may have been made since, when nobody has heard of it", async () => {
      const unheard = { ...rule("10", "unheard"), status: undefined };
      const rules = collection(() => [unheard]);
      rules.store.observe(unheard);
      const reader = readerOf(nobody(), nobody(), rules);
      expect(await reader.at(undefined, "50")).toMatchObject({ exact: true, moved: true });
    });
  });

  it("asks once per namespace for all that wait", async () => {
    const same = policy("10", true);
    const clusterPolicy = { ...same, metadata: { name: "wide", labels: { [CPP_ID_LABEL]: "c1" } } };
    const [policies, clusterPolicies] = [collection(() => [same]), collection(() => [clusterPolicy])];
    policies.store.observe(same);
    const reader = readerOf(policies, clusterPolicies);
    const elsewhere = { ...claim, namespace: "ops" };
    await Promise.all([
      ...Array.from({ length: 50 }, (_, i) => reader.at(claim, String(50 + i))),
      reader.at(elsewhere, "50"),
      reader.now(wide),
    ]);
    expect(policies.asked.map(a => a.namespace)).toEqual(["shop", "ops"]);
    expect(clusterPolicies.asked).toContainEqual({ query: {}, namespace: undefined });
    expect(clusterPolicies.asked).toHaveLength(1);
  });

  it("gathers more for one list while many keep asking, and is quick again for a single one", async () => {
    const same = policy("10", true);
    const { reader, policies } = reading(() => [same], [same]);
    const many = () => Promise.all(Array.from({ length: 10 }, () => reader.at(claim, "50")));
    await many();
    const asking = Array.from({ length: 20 }, async (_, n) => {
      await new Promise(resolve => setTimeout(resolve, n * 15));
      return reader.at(claim, "50");
    });
    await Promise.all(asking);
    expect(policies.asked).toHaveLength(2);
    await reader.at(claim, "50");
    await reader.at(claim, "50");
    expect(policies.asked).toHaveLength(4);
  });

  it("answers those that can be answered when others wait for a server that fails", async () => {
    const same = policy("10", true);
    const policies = collection(() => [same]);
    policies.store.observe(same);
    const clusterPolicies = collection(() => new KubeError(503, "", "away"));
    const reader = readerOf(policies, clusterPolicies);
    const [own, other] = await Promise.allSettled([reader.at(claim, "50"), reader.now(wide)]);
    expect(own).toMatchObject({ status: "fulfilled", value: { policy: { preserve: true } } });
    expect(other).toMatchObject({ status: "rejected" });
  });

  it("lets no namespace wait for the answer about another one", async () => {
    const policies = collection(() => [policy("10", true)]);
    const { list } = policies.client;
    policies.client.list = (query, namespace) =>
      namespace === "slow" ? new Promise(() => {}) : list(query, namespace);
    const reader = readerOf(
      policies,
      collection(() => []),
    );

    void reader.now({ ...claim, namespace: "slow" });

    expect(await reader.now(claim)).toMatchObject({ policy: { decidedBy: "PropagationPolicy shop/web-pp" } });
  });

  it("reads a cluster policy by its own label", async () => {
    const clusterPolicy = { ...policy("10", true), metadata: { name: "wide", labels: { [CPP_ID_LABEL]: "c1" } } };
    const policies = collection(() => []);
    const clusterPolicies = collection(() => [clusterPolicy]);
    const reader = readerOf(policies, clusterPolicies);
    expect(await reader.now(wide)).toMatchObject({ policy: { preserve: true } });
    // Only for those that may take over from it.
    expect(policies.asked).toEqual([{ query: {}, namespace: "shop" }]);
  });
});
