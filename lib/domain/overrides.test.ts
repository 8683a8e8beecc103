// Do overrides reach the right objects in the right order, and refuse what they must not do?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Overriders } from "../../crds/overriders.js";
import type { OverrideSpec } from "../../crds/override-spec.js";
import { applyOverrides, OverrideError, type OverrideCandidate } from "./overrides.js";

const CLUSTER = { metadata: { name: "m1", labels: { env: "prod" } }, spec: {} };

function web(metadata: object = { labels: { app: "web" } }): KubeObject {
  const containers = [
    { name: "c", image: "reg.io/web:1", command: ["run"], args: ["-v", "-x"] },
    { name: "s", image: "side:1" },
  ];
  const init = [{ name: "i", image: "init:1" }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", ...metadata },
    spec: { replicas: 2, template: { spec: { containers, initContainers: init } } },
  };
}

function policy(name: string, spec: OverrideSpec, namespace: string | undefined = "shop"): OverrideCandidate {
  return { kind: "OverridePolicy", metadata: { name, namespace }, spec };
}

function clusterPolicy(name: string, spec: OverrideSpec): OverrideCandidate {
  return { kind: "ClusterOverridePolicy", metadata: { name }, spec };
}

const rule = (overriders: Overriders) => ({ overrideRules: [{ overriders }] });

function apply(overriders: Overriders, manifest = web()): KubeObject {
  return applyOverrides({ manifest, cluster: CLUSTER, policies: [policy("p", rule(overriders))] }).manifest;
}

const replicas = (value: number) => rule({ plaintext: [{ path: "/spec/replicas", operator: "replace", value }] });
const note = (value: string): Overriders => ({ annotationsOverrider: [{ operator: "add", value: { note: value } }] });

describe("which policies apply", () => {
  it.each`
    what                                     | policies                                                                                                                                                                                                                                                                   | value
    ${"a policy without selectors"}          | ${[policy("p", replicas(5))]}                                                                                                                                                                                                                                              | ${5}
    ${"a policy of another namespace: not"}  | ${[policy("p", replicas(5), "other")]}                                                                                                                                                                                                                                     | ${2}
    ${"a selector that does not match: not"} | ${[policy("p", { ...replicas(5), resourceSelectors: [{ apiVersion: "v1", kind: "Pod" }] })]}                                                                                                                                                                               | ${2}
    ${"the namespace's after the cluster's"} | ${[policy("p", replicas(5)), clusterPolicy("z", replicas(6))]}                                                                                                                                                                                                             | ${5}
    ${"the later name after the earlier"}    | ${[policy("b", replicas(5)), policy("a", replicas(6))]}                                                                                                                                                                                                                    | ${5}
    ${"the named after the broad"}           | ${[policy("a", { ...replicas(5), resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }] }), policy("b", replicas(6))]}                                                                                                                            | ${5}
    ${"the labelled before the named"}       | ${[policy("z", { ...replicas(6), resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", labelSelector: { matchLabels: { app: "web" } } }] }), policy("a", { ...replicas(5), resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }] })]} | ${5}
    ${"the old form"}                        | ${[policy("p", { targetCluster: { clusterNames: ["m1"] }, overriders: replicas(5).overrideRules[0]?.overriders })]}                                                                                                                                                        | ${5}
    ${"another cluster's rule: not"}         | ${[policy("p", { overrideRules: [{ targetCluster: { clusterNames: ["m2"] }, overriders: replicas(5).overrideRules[0]?.overriders ?? {} }] })]}                                                                                                                             | ${2}
    ${"the rules in their order"}            | ${[policy("p", { overrideRules: [...replicas(4).overrideRules, ...replicas(5).overrideRules] })]}                                                                                                                                                                          | ${5}
  `("$what", ({ policies, value }: { policies: OverrideCandidate[]; value: number }) => {
    const { manifest } = applyOverrides({ manifest: web(), cluster: CLUSTER, policies });

    expect(manifest.spec).toMatchObject({ replicas: value });
  });

  it("lists what it applied by kind and policy, one entry a rule", () => {
    const policies = [policy("b", replicas(4)), policy("a", replicas(5)), clusterPolicy("c", rule(note("x")))];

    const { applied } = applyOverrides({ manifest: web(), cluster: CLUSTER, policies });

    expect(applied.policies.map(entry => entry.policyName)).toEqual(["a", "b"]);
    expect(applied.clusterPolicies).toEqual([{ policyName: "c", overriders: note("x") }]);
  });

  it("does not depend on the order in which policies are given", () => {
    const policies = [
      policy("a", rule(note("a"))),
      policy("b", {
        ...rule(note("b")),
        resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }],
      }),
      clusterPolicy("c", replicas(9)),
      clusterPolicy("d", replicas(3)),
    ];
    const wanted = applyOverrides({ manifest: web(), cluster: CLUSTER, policies });
    expect(wanted.manifest).toMatchObject({ metadata: { annotations: { note: "b" } }, spec: { replicas: 3 } });

    fc.assert(
      fc.property(fc.shuffledSubarray(policies, { minLength: policies.length }), shuffled => {
        expect(applyOverrides({ manifest: web(), cluster: CLUSTER, policies: shuffled })).toEqual(wanted);
      }),
    );
  });

  it("never changes the manifest it was given", () => {
    const manifest = web();
    apply({ imageOverrider: [{ component: "Tag", operator: "replace", value: "2" }], ...note("x") }, manifest);

    expect(manifest).toEqual(web());
  });
});

describe("what overrides must not do", () => {
  const plaintext = (path: string, operator: "add" | "replace" | "remove" = "replace", value: unknown = "x") =>
    ({
      plaintext: [
        { path: "/spec/replicas", operator: "replace", value: 1 },
        { path, operator, value },
      ],
    }) as Overriders;

  it.each(["/metadata/name", "/metadata/namespace", "/kind", "/apiVersion"])("changes %s", path => {
    expect(() => apply(plaintext(path))).toThrow(OverrideError);
    expect(() => apply(plaintext(path))).toThrow(
      `OverridePolicy shop/p: spec.overrideRules[0].overriders: must not touch ${path}`,
    );
  });

  it.each(["/status", "/metadata/uid", "/metadata/ownerReferences", ""])("adds %o", path => {
    expect(() => apply(plaintext(path, "add", {}))).toThrow("must not touch");
  });

  it.each`
    path                                        | operator     | hint
    ${"/metadata/annotations/lb.example/vpc"}   | ${"add"}     | ${"/metadata/annotations/lb.example~1vpc"}
    ${'/metadata/annotations/"lb.example/vpc"'} | ${"add"}     | ${"/metadata/annotations/lb.example~1vpc"}
    ${"/spec/template/metadata/labels/a/b"}     | ${"replace"} | ${"/spec/template/metadata/labels/a~1b"}
    ${"/spec/nothing"}                          | ${"remove"}  | ${"there is no field /spec/nothing"}
    ${"spec/replicas"}                          | ${"replace"} | ${'write "/spec/replicas"'}
  `("names policy, place and working form for $path", ({ path, operator, hint }) => {
    const attempt = () => apply(plaintext(path, operator));

    expect(attempt).toThrow("OverridePolicy shop/p: spec.overrideRules[0].overriders.plaintext[1]: ");
    expect(attempt).toThrow(hint);
  });

  it("passes on what is wrong with an image", () => {
    const overriders: Overriders = { imageOverrider: [{ component: "Tag", operator: "replace", value: "a b" }] };
    const old = policy("p", { overriders });

    expect(() => applyOverrides({ manifest: web(), cluster: CLUSTER, policies: [old] })).toThrow(
      'spec.overriders.imageOverrider[0]: "reg.io/web:a b" is not an image reference',
    );
    expect(() =>
      apply({ imageOverrider: [{ ...overriders.imageOverrider?.[0], predicate: { path: "/spec" } } as never] }),
    ).toThrow('predicate.path "/spec" names no text');
  });
});
