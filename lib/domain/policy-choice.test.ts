// Does the right policy claim a template, and does every other one learn why not?
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { ClusterPropagationPolicy } from "../../crds/cluster-propagation-policy.js";
import type { PropagationPolicy } from "../../crds/propagation-policy.js";
import { CPP_ID_LABEL, PP_ID_LABEL } from "./marks.js";
import { choosePolicy, whyUnclaimed, type Candidate, type ChoosablePolicy, type PolicyRef } from "./policy-choice.js";

const web = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", labels: { app: "web" } },
};
const byKind = { apiVersion: "apps/v1", kind: "Deployment" };
const byLabel = { ...byKind, labelSelector: { matchLabels: { app: "web" } } };
const byName = { ...byKind, name: "web" };

type Extra = Partial<ChoosablePolicy["spec"]> & { leaving?: boolean; id?: string; namespace?: string };

function pp(name: string, { leaving, id = `id-${name}`, namespace = "shop", ...spec }: Extra = {}): Candidate {
  const deletionTimestamp = leaving ? "2026-01-01T00:00:00Z" : undefined;
  const metadata = { name, namespace, deletionTimestamp, labels: { [PP_ID_LABEL]: id } };
  return { kind: "PropagationPolicy", policy: { metadata, spec: { resourceSelectors: [byName], ...spec } } };
}

function cpp(name: string, { leaving, id = `id-${name}`, ...spec }: Extra = {}): Candidate {
  const deletionTimestamp = leaving ? "2026-01-01T00:00:00Z" : undefined;
  const metadata = { name, deletionTimestamp, labels: { [CPP_ID_LABEL]: id } };
  return { kind: "ClusterPropagationPolicy", policy: { metadata, spec: { resourceSelectors: [byName], ...spec } } };
}

const heldByPp: PolicyRef = { kind: "PropagationPolicy", namespace: "shop", name: "web-pp", id: "id-web-pp" };
const heldByCpp: PolicyRef = { kind: "ClusterPropagationPolicy", name: "all", id: "id-all" };
const always = { preemption: "Always" };

interface Case {
  candidates: Candidate[];
  current: PolicyRef | undefined;
  winner: string | undefined;
}

describe("whyUnclaimed", () => {
  const owner = { apiVersion: "example.com/v1", kind: "App", name: "shop", uid: "u", controller: true };
  const made = { ...web, metadata: { ...web.metadata, ownerReferences: [owner] } };
  it.each`
    given                                    | template | candidates                                             | says
    ${"what a controller made, and a broad"} | ${made}  | ${[pp("web-pp", { resourceSelectors: [byKind] })]}     | ${"PropagationPolicy shop/web-pp selects it, but it is no template: App shop made it; select the App, or name this object in a policy"}
    ${"the same, claimed by one that names"} | ${made}  | ${[pp("a", { resourceSelectors: [byKind] }), pp("b")]} | ${undefined}
    ${"what a person made"}                  | ${web}   | ${[pp("web-pp", { resourceSelectors: [byKind] })]}     | ${undefined}
    ${"what no policy selects"}              | ${made}  | ${[]}                                                  | ${undefined}
  `("of $given policy", ({ template, candidates, says }) => {
    expect(whyUnclaimed(choosePolicy(template, candidates as Candidate[]))).toBe(says);
  });
});

describe("choosePolicy", () => {
  it("takes both policy kinds as they come from the API", () => {
    expectTypeOf<PropagationPolicy>().toExtend<ChoosablePolicy>();
    expectTypeOf<ClusterPropagationPolicy>().toExtend<ChoosablePolicy>();
  });

  it.each`
    given                                         | candidates                                                                                   | current      | winner
    ${"no policy"}                                | ${[]}                                                                                        | ${undefined} | ${undefined}
    ${"equal policies: the smaller name"}         | ${[pp("web-pp"), pp("aaa")]}                                                                 | ${undefined} | ${"aaa"}
    ${"upper case before lower case"}             | ${[pp("b"), pp("B")]}                                                                        | ${undefined} | ${"B"}
    ${"a higher priority"}                        | ${[pp("aaa"), pp("zzz", { priority: 5 })]}                                                   | ${undefined} | ${"zzz"}
    ${"a negative priority"}                      | ${[pp("aaa", { priority: -1 }), pp("zzz")]}                                                  | ${undefined} | ${"zzz"}
    ${"a name over a label"}                      | ${[pp("aaa", { resourceSelectors: [byLabel] }), pp("zzz")]}                                  | ${undefined} | ${"zzz"}
    ${"a label over a kind"}                      | ${[pp("aaa", { resourceSelectors: [byKind] }), pp("zzz", { resourceSelectors: [byLabel] })]} | ${undefined} | ${"zzz"}
    ${"priority over a name"}                     | ${[pp("aaa"), pp("zzz", { priority: 1, resourceSelectors: [byKind] })]}                      | ${undefined} | ${"zzz"}
    ${"namespaced over a cluster policy"}         | ${[cpp("all", { priority: 9 }), pp("zzz", { resourceSelectors: [byKind] })]}                 | ${undefined} | ${"zzz"}
    ${"a policy being deleted"}                   | ${[pp("aaa", { leaving: true }), pp("zzz")]}                                                 | ${undefined} | ${"zzz"}
    ${"a policy of another namespace"}            | ${[pp("aaa", { namespace: "ops" })]}                                                         | ${undefined} | ${undefined}
    ${"no selectors at all"}                      | ${[pp("aaa", { resourceSelectors: [] })]}                                                    | ${undefined} | ${undefined}
    ${"a claim against the same priority"}        | ${[pp("web-pp"), pp("aaa")]}                                                                 | ${heldByPp}  | ${"web-pp"}
    ${"a claim against a higher priority"}        | ${[pp("web-pp"), pp("aaa", { priority: 5 })]}                                                | ${heldByPp}  | ${"web-pp"}
    ${"a claim against preemption of higher"}     | ${[pp("web-pp"), pp("aaa", { priority: 5, ...always })]}                                     | ${heldByPp}  | ${"aaa"}
    ${"a claim against preemption of equal"}      | ${[pp("web-pp"), pp("aaa", always)]}                                                         | ${heldByPp}  | ${"web-pp"}
    ${"preemption without a name"}                | ${[pp("web-pp"), pp("aaa", { priority: 5, ...always, resourceSelectors: [byKind] })]}        | ${heldByPp}  | ${"web-pp"}
    ${"a cluster policy against a namespaced"}    | ${[pp("web-pp"), cpp("all", { priority: 9, ...always })]}                                    | ${heldByPp}  | ${"web-pp"}
    ${"a namespaced against a cluster policy"}    | ${[pp("web-pp", { priority: -3, ...always }), cpp("all", { priority: 9 })]}                  | ${heldByCpp} | ${"web-pp"}
    ${"a namespaced one that may not preempt"}    | ${[pp("web-pp", { priority: 9 }), cpp("all")]}                                               | ${heldByCpp} | ${"all"}
    ${"cluster policies, higher with preemption"} | ${[cpp("all"), cpp("zzz", { priority: 1, ...always })]}                                      | ${heldByCpp} | ${"zzz"}
    ${"a claim whose policy is being deleted"}    | ${[pp("web-pp", { leaving: true }), cpp("all")]}                                             | ${heldByPp}  | ${"all"}
    ${"a claim whose policy is gone"}             | ${[cpp("all")]}                                                                              | ${heldByPp}  | ${"all"}
    ${"a claim that no longer selects"}           | ${[pp("web-pp", { resourceSelectors: [{ ...byKind, name: "api" }] }), pp("zzz")]}            | ${heldByPp}  | ${"zzz"}
    ${"a namesake of the claimant"}               | ${[pp("web-pp", { id: "new" }), pp("aaa")]}                                                  | ${heldByPp}  | ${"aaa"}
  `("chooses $winner for $given, in any order", ({ candidates, current, winner }: Case) => {
    expect(choosePolicy(web, candidates, current).winner?.policy.metadata.name).toBe(winner);
    expect(choosePolicy(web, candidates.toReversed(), current).winner?.policy.metadata.name).toBe(winner);
  });

  it.each`
    loser                                                    | current      | why
    ${cpp("all")}                                            | ${undefined} | ${"a namespaced policy goes before a cluster policy"}
    ${pp("z", { priority: 1 })}                              | ${undefined} | ${"its priority is 3, this one's 1"}
    ${pp("z", { priority: 3, resourceSelectors: [byKind] })} | ${undefined} | ${"it selects by name, this one by kind"}
    ${pp("z", { priority: 3 })}                              | ${undefined} | ${"its name is the smaller one"}
    ${pp("z", { leaving: true })}                            | ${undefined} | ${"the policy is being deleted"}
    ${pp("z", { resourceSelectors: [] })}                    | ${undefined} | ${"no resourceSelector selects apps/v1 Deployment shop/web"}
    ${pp("z", { priority: 5 })}                              | ${heldByPp}  | ${"PropagationPolicy shop/web-pp has claimed the template; to take over, set preemption: Always"}
    ${pp("z", always)}                                       | ${heldByPp}  | ${"set a priority above 3"}
    ${cpp("z", always)}                                      | ${heldByPp}  | ${"never takes over from a PropagationPolicy"}
    ${pp("z", { ...always, resourceSelectors: [byKind] })}   | ${heldByPp}  | ${"select the template by name"}
  `("tells the loser: $why", ({ loser, current, why }: { loser: Candidate; current?: PolicyRef; why: string }) => {
    const { considered } = choosePolicy(web, [pp("web-pp", { priority: 3 }), loser], current);
    expect(considered[0]?.outcome).toBe("won");
    expect(considered[1]?.why).toContain(why);
    expect(considered[1]?.outcome).not.toBe("won");
  });

  it("tells the one that was preempted, and a bystander, what happened", () => {
    const candidates = [pp("web-pp"), pp("aaa", { priority: 5, ...always }), pp("zzz", { priority: 9 })];
    const { considered } = choosePolicy(web, candidates, heldByPp);
    expect(considered.map(({ outcome }) => outcome)).toEqual(["lost", "won", "lost"]);
    expect(considered[0]?.why).toContain("PropagationPolicy shop/aaa has taken over");
    expect(considered[1]?.why).toContain("it has taken over from PropagationPolicy shop/web-pp");
    expect(considered[2]?.why).toContain("to take over, set preemption: Always");
  });

  it("says why a system object is no template, even to the policy that names it", () => {
    const ca = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kube-root-ca.crt", namespace: "shop" } };
    const named = pp("aaa", { resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap", name: "kube-root-ca.crt" }] });
    const { winner, considered } = choosePolicy(ca, [named]);
    expect(winner).toBeUndefined();
    expect(considered[0]).toMatchObject({ outcome: "never-template", why: expect.stringContaining("every cluster") });
  });

  it("lets a policy that names an owned object win over a broad one of higher priority", () => {
    const ownerReferences = [{ apiVersion: "v1", kind: "Certificate", name: "tls", uid: "u", controller: true }];
    const owned = { ...web, metadata: { ...web.metadata, ownerReferences } };
    const candidates = [pp("broad", { priority: 9, resourceSelectors: [byKind] }), pp("exact")];
    expect(choosePolicy(owned, candidates).winner?.policy.metadata.name).toBe("exact");
  });

  const anyPolicy = fc
    .record({
      make: fc.constantFrom(pp, cpp),
      name: fc.constantFrom("a", "b", "c", "d"),
      priority: fc.integer({ min: -1, max: 1 }),
      preemption: fc.constantFrom("Always", "Never"),
      leaving: fc.boolean(),
      resourceSelectors: fc.subarray([byKind, byLabel, byName]),
    })
    .map(({ make, name, ...extra }) => make(name, extra));
  const anyPolicies = fc.uniqueArray(anyPolicy, { selector: ({ kind, policy }) => `${kind} ${policy.metadata.name}` });

  it("does not depend on the order of the candidates", () => {
    fc.assert(
      fc.property(anyPolicies, policies => {
        const names = [policies, policies.toReversed()].map(list => choosePolicy(web, list).winner?.policy);
        expect(names[0]).toBe(names[1]);
      }),
    );
  });

  it("is settled: the winner, once it has the claim, keeps it", () => {
    fc.assert(
      fc.property(anyPolicies, policies => {
        const refOf = ({ kind, policy: { metadata } }: Candidate): PolicyRef => ({
          kind,
          name: metadata.name,
          namespace: metadata.namespace,
        });
        const { winner } = choosePolicy(web, policies);
        if (winner) expect(choosePolicy(web, policies, refOf(winner)).winner?.policy).toBe(winner.policy);
      }),
    );
  });
});
