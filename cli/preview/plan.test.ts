// Is it planned as the operator would plan it?
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { AnyPolicy } from "../../lib/kube/host.js";
import { configMap, workFor } from "../view/samples.js";
import { planTemplate, renderFor, workToBe, type TemplateFacts } from "./plan.js";
import type { Policies } from "./policies.js";

const cluster = (name: string): Cluster => ({
  apiVersion: "cluster.karmada.io/v1alpha1",
  kind: "Cluster",
  metadata: { name },
  spec: { syncMode: "Push" },
  status: { apiEnablements: [{ groupVersion: "v1", resources: [{ name: "configmaps", kind: "ConfigMap" }] }] },
});
const clusters = [cluster("m1"), cluster("m2")];
const template = configMap("settings");
const facts: TemplateFacts = { template, live: undefined, binding: undefined, works: [] };

function policies(spec: object = {}, name = "pp"): Policies {
  const policy = {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name, namespace: "shop" },
    spec: { resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap", name: "settings" }], ...spec },
  } as unknown as AnyPolicy;
  return { propagation: [{ kind: "PropagationPolicy", policy }], overrides: [] };
}

const onto = (...clusterNames: string[]) => ({ placement: { clusterAffinity: { clusterNames } } });

describe("planTemplate", () => {
  it("goes where the policy that selects it says", () => {
    const plan = planTemplate(facts, policies(onto("m2")), clusters);
    expect(plan).toMatchObject({ targets: ["m2"], conflict: "abort" });
    expect(plan.rejected.map(rejection => rejection.cluster)).toEqual(["m1"]);
  });

  it("goes nowhere without a policy, or where it is told to, and then takes over", () => {
    const none: Policies = { propagation: [], overrides: [] };
    expect(planTemplate(facts, none, clusters).targets).toEqual([]);
    expect(planTemplate(facts, none, clusters, ["m2", "m1"])).toMatchObject({
      targets: ["m1", "m2"],
      conflict: "overwrite",
    });
  });

  it("tells where it is now and would not be any more", () => {
    const works = [{ cluster: "m1", work: workFor(template) }];
    expect(planTemplate({ ...facts, works }, policies(onto("m2")), clusters).leaving).toEqual(["m1"]);
  });

  it.each`
    ofTemplate     | ofPolicy       | conflict
    ${undefined}   | ${undefined}   | ${"abort"}
    ${undefined}   | ${"Overwrite"} | ${"overwrite"}
    ${"abort"}     | ${"Overwrite"} | ${"abort"}
    ${"overwrite"} | ${"Abort"}     | ${"overwrite"}
    ${"nonsense"}  | ${"Abort"}     | ${"abort"}
  `(
    "has $conflict for $ofTemplate on the template and $ofPolicy in the policy",
    ({ ofTemplate, ofPolicy, conflict }) => {
      const annotations = ofTemplate && { "work.karmada.io/conflict-resolution": ofTemplate as string };
      const own: KubeObject = { ...template, metadata: { ...template.metadata, ...(annotations && { annotations }) } };
      expect(
        planTemplate({ ...facts, template: own }, policies({ conflictResolution: ofPolicy as string }), clusters)
          .conflict,
      ).toBe(conflict);
    },
  );
});

describe("renderFor", () => {
  it("applies overrides for the cluster", () => {
    const overriders = { labelsOverrider: [{ operator: "add", value: { zone: "a" } }] };
    const override = {
      kind: "OverridePolicy",
      metadata: { name: "op", namespace: "shop" },
      spec: { overrideRules: [{ targetCluster: { clusterNames: ["m1"] }, overriders }] },
    } as unknown as Policies["overrides"][number];
    const labels = clusters.map(
      one => renderFor(template, one, { propagation: [], overrides: [override] }).metadata.labels,
    );
    expect(labels).toEqual([{ zone: "a" }, undefined]);
  });
});

describe("workToBe", () => {
  const request = { template, cluster: "m1", existing: undefined, taken: undefined, conflict: "abort" } as const;
  const other = { ...workFor(configMap("other")), metadata: { name: "settings-x", namespace: "karmada-es-m1" } };

  it.each`
    given                               | more                               | name
    ${"the Work that is there"}         | ${{ existing: workFor(template) }} | ${/^settings-work$/}
    ${"its plain name"}                 | ${{}}                              | ${/^settings-[a-z0-9]+$/}
    ${"its own Work of an old binding"} | ${{ taken: workFor(template) }}    | ${/^settings-work$/}
    ${"a suffix where it is taken"}     | ${{ taken: other }}                | ${/^settings-[a-z0-9]+-[a-z0-9]+$/}
  `("has $given", ({ more, name }: { more: Partial<Parameters<typeof workToBe>[0]>; name: RegExp }) => {
    const { metadata } = workToBe({ ...request, ...more });
    expect(metadata.name).toMatch(name);
    expect(metadata.annotations).toMatchObject({ "work.karmada.io/conflict-resolution": "abort" });
  });
});
