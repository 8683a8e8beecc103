// Does a placement choose clusters by their labels, fields and names, and name those it leaves out?
import { describe, expect, it, onTestFinished } from "vitest";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { apply, applied, freshName, freshNamespace, kubectl } from "../support/case-kubectl.js";
import { absent, binding, present } from "../support/case-world.js";
import { configMap, policy } from "../support/case-objects.js";

const selector = { apiVersion: "v1", kind: "ConfigMap", name: "cfg" };

async function placed(clusterAffinity: object) {
  const ns = await freshNamespace();
  const template = configMap({ name: "cfg", namespace: ns });
  const pp = policy(ns, "cfg", { resourceSelectors: [selector], placement: { clusterAffinity } });
  await applied("host", pp, template);
  return template;
}

async function labelled(member: string, key: string, value: string): Promise<void> {
  onTestFinished(async () => void (await kubectl("host", ["label", "cluster", member, `${key}-`])));
  await kubectl("host", ["label", "cluster", member, `${key}=${value}`, "--overwrite"]);
}

describe("a placement", () => {
  it("follows the clusters' labels, also when they change", async () => {
    const key = `${freshName("zone")}.example/zone`;
    await labelled("member1", key, "a");
    await labelled("member2", key, "b");
    const template = await placed({ labelSelector: { matchLabels: { [key]: "a" } } });
    await present("member1", template);
    const told = await binding(template, b => conditionOf(b, "Scheduled")?.status === "True");
    expect(told.spec.clusters?.map(c => c.name)).toEqual(["member1"]);
    expect(conditionOf(told, "Scheduled")?.message).toMatch(/left out: member2: .*label/i);

    await labelled("member2", key, "a");
    await present("member2", template);
  });

  it("leaves out the clusters that it excludes, and says so", async () => {
    const template = await placed({ exclude: ["member2"] });
    await present("member1", template);
    const told = await binding(template, b => conditionOf(b, "Scheduled")?.status === "True");
    expect(told.spec.clusters?.map(c => c.name)).toEqual(["member1"]);
    expect(conditionOf(told, "Scheduled")?.message).toMatch(/left out: member2: .*exclude/);
  });

  it("reads the fields of clusters, and goes nowhere while none has them", async () => {
    const fieldSelector = { matchExpressions: [{ key: "provider", operator: "In", values: ["none.example"] }] };
    const template = await placed({ fieldSelector });
    const told = await binding(template, b => conditionOf(b, "Scheduled")?.status === "False");
    expect(conditionOf(told, "Scheduled")).toMatchObject({ reason: "NoClusterFit" });
    expect(conditionOf(told, "Scheduled")?.message).toMatch(/member1: .*provider.*; member2: .*provider/);
    await absent("member1", template);

    const elsewhere = { matchExpressions: [{ key: "provider", operator: "NotIn", values: ["none.example"] }] };
    await present("member2", await placed({ fieldSelector: elsewhere }));
  });

  it("is taken with a warning for a cluster that has not joined, which the binding names too", async () => {
    const ns = await freshNamespace();
    const placement = { clusterAffinity: { clusterNames: ["member1", "nowhere"] } };
    const said = await apply("host", policy(ns, "cfg", { resourceSelectors: [selector], placement }));
    expect(said).toMatchObject({ code: 0 });
    expect(said.text).toContain('clusterNames: cluster "nowhere" has not joined');
    const template = configMap({ name: "cfg", namespace: ns });
    await applied("host", template);
    await present("member1", template);
    const told = await binding(template, b => conditionOf(b, "Scheduled") !== undefined);
    expect(conditionOf(told, "Scheduled")?.message).toContain("nowhere: there is no cluster of this name");
  });

  it("is refused with a selector that means nothing", async () => {
    const ns = await freshNamespace();
    const labelSelector = { matchExpressions: [{ key: "zone", operator: "Near", values: ["a"] }] };
    const placement = { clusterAffinity: { labelSelector } };
    const said = await apply("host", policy(ns, "cfg", { resourceSelectors: [selector], placement }));
    expect(said.code).toBe(1);
    expect(said.text).toMatch(/spec\.placement\.clusterAffinity\.labelSelector\.matchExpressions\[0\]\.operator/);
  });
});
