// Is an override that would make another object of its template refused, and harmless where it slips in?
import { describe, expect, it } from "vitest";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { apply, applied, applyUnseen, freshNamespace, kubectl } from "../support/case-kubectl.js";
import { binding, find, present } from "../support/case-world.js";
import { configMap, onto, override, policy, rule, WEB } from "../support/case-objects.js";

const IN_MEMBER1 = { clusterNames: ["member1"] };
const replace = (path: string, value: unknown) => ({ plaintext: [{ path, operator: "replace", value }] });
const RULES = [{ overriders: replace("/spec/replicas", 1) }];

const OLD_FORMS = {
  plaintext: [{ path: "/spec/replicas", operator: "replace", value: 1 }],
  imageOverrider: [{ component: "Tag", operator: "replace", value: "v2" }],
  commandOverrider: [{ containerName: "c", operator: "add", value: ["x"] }],
  argsOverrider: [{ containerName: "c", operator: "add", value: ["x"] }],
  labelsOverrider: [{ operator: "add", value: { a: "b" } }],
  annotationsOverrider: [{ operator: "add", value: { a: "b" } }],
};

describe("an override of what says which object it is", () => {
  it.each`
    path                     | value
    ${"/metadata/namespace"} | ${"elsewhere"}
    ${"/metadata/name"}      | ${"other"}
    ${"/kind"}               | ${"StatefulSet"}
    ${"/apiVersion"}         | ${"apps/v2"}
    ${"/status/replicas"}    | ${9}
  `("is refused for $path, on create and on update", async ({ path, value }: { path: string; value: unknown }) => {
    const ns = await freshNamespace();
    const bad = override(ns, "id", rule(WEB, IN_MEMBER1, replace(path, value)));
    const created = await apply("host", bad);

    expect(created.code).toBe(1);
    expect(created.text).toContain("spec.overrideRules[0].overriders.plaintext[0].path");
    expect(created.text).toContain(`${path} cannot be overridden`);
    expect(await find("host", bad)).toBeUndefined();

    const good = override(ns, "id", rule(WEB, IN_MEMBER1, replace("/spec/replicas", 3)));
    await applied("host", good);
    const updated = await apply("host", bad);
    expect(updated.code).toBe(1);
    expect(updated.text).toContain(`${path} cannot be overridden`);
    expect((await find("host", good))?.["spec"]).toEqual(good["spec"]);
  });
});

describe("the old form beside overrideRules", () => {
  it.each(Object.entries(OLD_FORMS))("is refused for %s", async (name, list) => {
    const ns = await freshNamespace();
    const bad = override(ns, "both", { resourceSelectors: [WEB], overrideRules: RULES, overriders: { [name]: list } });
    const said = await apply("host", bad);

    expect(said.code).toBe(1);
    expect(said.text).toContain("spec.overrideRules: Forbidden: overrideRules cannot stand beside");
    expect(await find("host", bad)).toBeUndefined();
  });

  it("is refused for targetCluster alone, too", async () => {
    const ns = await freshNamespace();
    const bad = override(ns, "both", { resourceSelectors: [WEB], overrideRules: RULES, targetCluster: IN_MEMBER1 });
    const said = await apply("host", bad);
    expect(said.text).toContain("spec.overrideRules: Forbidden: overrideRules cannot stand beside");
    expect(said.code).toBe(1);
  });
});

describe("an identity override that slipped past the webhook", () => {
  it("makes no second object anywhere, and is told on the binding", async () => {
    const ns = await freshNamespace();
    const selector = { apiVersion: "v1", kind: "ConfigMap", name: "cfg" };
    const template = configMap({ name: "cfg", namespace: ns });
    const bad = override(ns, "id", rule(selector, IN_MEMBER1, replace("/metadata/name", `other-${ns}`)));
    expect(await applyUnseen(bad)).toMatchObject({ code: 0 });
    const placement = onto("member1", "member2");
    await applied("host", policy(ns, "cfg", { resourceSelectors: [selector], placement }), template);

    await present("member2", template);
    const told = await binding(template, b => conditionOf(b, "FullyApplied")?.message.includes("member1") ?? false);
    expect(conditionOf(told, "FullyApplied")?.message).toContain("must not touch /metadata/name");
    const there = await kubectl("member1", [
      "get",
      "configmaps",
      "-A",
      "--field-selector",
      "metadata.name!=kube-root-ca.crt",
    ]);
    expect(there.text).not.toContain(ns);
  });
});
