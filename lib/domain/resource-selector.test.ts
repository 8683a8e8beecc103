// Do selectors select what they say, and never outside a policy's namespace?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResourceSelector } from "../../crds/affinity.js";
import { bestSelectorMatch, selectorMatch } from "./resource-selector.js";

interface Case {
  extra: Partial<ResourceSelector>;
  policyNamespace: string | undefined;
  rank: number;
}

const web = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", labels: { app: "web" } },
};
const base = { apiVersion: "apps/v1", kind: "Deployment" };

describe("selectorMatch", () => {
  it.each`
    given                                        | extra                                                          | policyNamespace | rank
    ${"the kind alone"}                          | ${{}}                                                          | ${"shop"}       | ${1}
    ${"matching labels"}                         | ${{ labelSelector: { matchLabels: { app: "web" } } }}          | ${"shop"}       | ${2}
    ${"an empty label selector"}                 | ${{ labelSelector: {} }}                                       | ${"shop"}       | ${2}
    ${"other labels"}                            | ${{ labelSelector: { matchLabels: { app: "api" } } }}          | ${"shop"}       | ${0}
    ${"the name"}                                | ${{ name: "web" }}                                             | ${"shop"}       | ${3}
    ${"the name, whatever the labels"}           | ${{ name: "web", labelSelector: { matchLabels: { a: "b" } } }} | ${"shop"}       | ${3}
    ${"another name"}                            | ${{ name: "api" }}                                             | ${"shop"}       | ${0}
    ${"another version"}                         | ${{ apiVersion: "apps/v1beta1" }}                              | ${"shop"}       | ${0}
    ${"the kind in lower case"}                  | ${{ kind: "deployment" }}                                      | ${"shop"}       | ${0}
    ${"a policy of another namespace"}           | ${{ name: "web" }}                                             | ${"ops"}        | ${0}
    ${"a policy that reaches for the namespace"} | ${{ namespace: "shop" }}                                       | ${"ops"}        | ${0}
    ${"a policy here that looks elsewhere"}      | ${{ namespace: "ops" }}                                        | ${"shop"}       | ${0}
    ${"a cluster policy for all namespaces"}     | ${{}}                                                          | ${undefined}    | ${1}
    ${"a cluster policy for this namespace"}     | ${{ namespace: "shop", name: "web" }}                          | ${undefined}    | ${3}
    ${"a cluster policy for another namespace"}  | ${{ namespace: "ops" }}                                        | ${undefined}    | ${0}
    ${"empty strings, which say nothing"}        | ${{ namespace: "", name: "" }}                                 | ${undefined}    | ${1}
  `("ranks $given as $rank", ({ extra, policyNamespace, rank }: Case) => {
    expect(selectorMatch({ ...base, ...extra }, web, policyNamespace)).toBe(rank);
  });

  it("never lets a namespaced policy select a cluster-scoped object", () => {
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "reader" } };
    expect(selectorMatch({ apiVersion: role.apiVersion, kind: role.kind, name: "reader" }, role, "shop")).toBe(0);
  });

  it("never selects outside the policy's namespace, whatever the selector says", () => {
    const word = fc.constantFrom("shop", "ops", "web", "");
    const selectors = fc.record({ namespace: word, name: word }, { requiredKeys: [] });
    fc.assert(
      fc.property(selectors, fc.constantFrom("shop", "ops"), (extra, policyNamespace) => {
        const rank = selectorMatch({ ...base, ...extra }, web, policyNamespace);
        if (rank > 0) expect(policyNamespace).toBe("shop");
      }),
    );
  });
});

describe("bestSelectorMatch", () => {
  it("takes the most precise selector, in any order", () => {
    const selectors = [{ ...base, name: "web" }, base, { ...base, name: "api" }];
    expect(bestSelectorMatch(selectors, web, "shop")).toBe(3);
    expect(bestSelectorMatch(selectors.toReversed(), web, "shop")).toBe(3);
  });

  it("reads no selectors as nothing, not as everything", () => {
    expect(bestSelectorMatch([], web, undefined)).toBe(0);
  });
});
