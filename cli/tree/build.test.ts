// Does a tree show each object under what it follows from, and say what is wrong?
import { describe, expect, it } from "vitest";
import type { Condition, KubeObject } from "../../crds/object.js";
import type { AnyBinding, AnyPolicy } from "../../lib/kube/host.js";
import { objectKey } from "../view/adoption.js";
import type { Chain } from "../view/chain.js";
import { configMap, liveOf, workFor } from "../view/samples.js";
import { treeOf, type TreeInput } from "./build.js";
import { nodesOf, treeLines } from "./lines.js";

const template: KubeObject = configMap("settings");
const work = workFor(template, { uid: "u1", origin: "Created" });
const key = objectKey(template);
const condition = (type: string, status: Condition["status"], reason: string, message = ""): Condition => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: "2026-01-01T00:00:00Z",
});
const policy = {
  apiVersion: "policy.karmada.io/v1alpha1",
  kind: "PropagationPolicy",
  metadata: { name: "pp", namespace: "shop" },
  spec: { resourceSelectors: [] },
  status: { conditions: [condition("Ready", "True", "Matched")] },
} as unknown as AnyPolicy;
const binding = (conditions: readonly Condition[] = [], clusters: readonly string[] = ["m1"]): AnyBinding =>
  ({
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: { name: "settings-configmap", namespace: "shop" },
    spec: {
      resource: { apiVersion: "v1", kind: "ConfigMap", name: "settings" },
      clusters: clusters.map(name => ({ name })),
    },
    status: { conditions },
  }) as unknown as AnyBinding;

const claim = { kind: "PropagationPolicy", namespace: "shop", name: "pp", id: "1" } as const;
const chain: Chain = { claim, policy, binding: binding(), works: [{ cluster: "m1", work }] };

function tree(changes: Partial<TreeInput> = {}): string[] {
  const visits = new Map([["m1", { cluster: "m1", answer: new Map([[key, liveOf(work, "u1")]]) }]]);
  const root = treeOf({ template, chain, clusters: ["m1", "m2"], visits, ...changes });
  return nodesOf(root).map(({ kind, cluster = "", state, adoption = "" }) =>
    `${kind} ${cluster} ${state} ${adoption}`.trim(),
  );
}

describe("treeOf", () => {
  it("goes from the template down to the object in the member", () => {
    expect(tree()).toEqual([
      "ConfigMap  Present Template",
      "PropagationPolicy  Ready",
      "ResourceBinding  Unknown",
      "Work m1 Pending",
      "ConfigMap m1 Present Created",
    ]);
  });

  it("tells where the chain ends when no policy has claimed the template", () => {
    const empty: Chain = { claim: undefined, policy: undefined, binding: undefined, works: [] };
    expect(tree({ chain: empty })).toEqual(["ConfigMap  Present"]);
  });

  it("says why no policy claims it, although one selects it", () => {
    const empty: Chain = { claim: undefined, policy: undefined, binding: undefined, works: [] };
    const root = treeOf({ template, chain: empty, clusters: [], visits: new Map(), unclaimed: "App shop made it" });
    expect(root).toMatchObject({ reason: "NotATemplate", message: "App shop made it" });
  });

  it("tells that a policy is gone and what was placed stays", () => {
    expect(tree({ chain: { ...chain, policy: undefined } })[1]).toBe("PropagationPolicy  Missing");
  });

  it("tells which Work is still to come", () => {
    expect(tree({ chain: { ...chain, binding: binding([], ["m1", "m2"]) } }).at(-1)).toBe("Work m2 Missing");
  });

  it("leaves out members that are not meant", () => {
    expect(tree({ clusters: ["m2"] })).toHaveLength(3);
  });

  it("tells what is missing in a member, and what cannot be looked at", () => {
    const nothing = new Map([["m1", { cluster: "m1", answer: new Map([[key, undefined]]) }]]);
    expect(tree({ visits: nothing }).at(-1)).toBe("ConfigMap m1 Missing Missing");
    const silence = new Map([["m1", { cluster: "m1", why: "no answer", error: undefined }]]);
    expect(tree({ visits: silence }).at(-1)).toBe("ConfigMap m1 Unreachable Created");
  });

  it.each`
    conditions                                                                              | state
    ${[condition("Scheduled", "False", "NoClusterFit", "none fits")]}                       | ${"NotScheduled"}
    ${[condition("Scheduled", "True", "Success"), condition("FullyApplied", "True", "x")]}  | ${"FullyApplied"}
    ${[condition("Scheduled", "True", "Success"), condition("FullyApplied", "False", "x")]} | ${"NotFullyApplied"}
  `("tells that a binding is $state", ({ conditions, state }: { conditions: Condition[]; state: string }) => {
    expect(tree({ chain: { ...chain, binding: binding(conditions) } })[2]).toBe(`ResourceBinding  ${state}`);
  });
});

describe("treeLines", () => {
  it("draws branches", () => {
    const leaf = { apiVersion: "v1", kind: "K", state: "Present" };
    const root = {
      ...leaf,
      name: "a",
      children: [
        { ...leaf, name: "b", children: [{ ...leaf, name: "c" }] },
        { ...leaf, name: "d" },
      ],
    };
    expect(treeLines(root, false).map(line => line.split("   <host>")[0]?.trimEnd())).toEqual([
      "OBJECT        CLUSTER   READY    STATE     ADOPTION   REASON   AGE",
      "K/a",
      "├── K/b",
      "│   └── K/c",
      "└── K/d",
    ]);
  });
});
