// Is nothing ever read as everything in a policy, and everything always as everything in an override?
import { describe, expect, it } from "vitest";
import { conditionOf } from "../../../lib/engine/conditions.js";
import type { KubeObject } from "../../../crds/object.js";
import type { WorkStatus } from "../../../crds/work.js";
import { apply, applied, applyUnseen, freshNamespace } from "../support/case-kubectl.js";
import { absent, find, present, until } from "../support/case-world.js";
import { configMap, onto, override, policy } from "../support/case-objects.js";

const placement = onto("member1");
const ALL_SECRETS = { apiVersion: "v1", kind: "Secret" };

describe("a propagation policy that selects nothing by mistake", () => {
  it.each`
    given                         | spec                                                         | field
    ${"an empty list"}            | ${{ resourceSelectors: [], placement }}                      | ${"spec.resourceSelectors"}
    ${"no list"}                  | ${{ placement }}                                             | ${"spec.resourceSelectors"}
    ${"a selector with no words"} | ${{ resourceSelectors: [{}], placement }}                    | ${"spec.resourceSelectors[0].apiVersion"}
    ${"only a label selector"}    | ${{ resourceSelectors: [{ labelSelector: {} }], placement }} | ${"spec.resourceSelectors[0].kind"}
  `(
    "is refused with $given, with and without the webhook",
    async ({ spec, field }: { spec: object; field: string }) => {
      const ns = await freshNamespace();
      const bad = policy(ns, "empty", spec);
      for (const said of [await apply("host", bad), await applyUnseen(bad)]) {
        expect(said.code).toBe(1);
        expect(said.text).toContain(field);
      }
      expect(await find("host", bad)).toBeUndefined();
    },
  );
});

describe("a policy by kind alone", () => {
  it("sends the Secrets of its namespace with a warning, and none that a cluster made for itself", async () => {
    const ns = await freshNamespace();
    const other = await freshNamespace();
    const secret = (namespace: string, name: string, type = "Opaque", annotations = {}): KubeObject => ({
      apiVersion: "v1",
      kind: "Secret",
      type,
      metadata: { name, namespace, annotations },
    });
    const [mine, theirs] = [secret(ns, "mine"), secret(other, "theirs")];
    const robot = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot", namespace: ns } };
    const token = secret(ns, "robot-token", "kubernetes.io/service-account-token", {
      "kubernetes.io/service-account.name": "robot",
    });
    const helm = secret(ns, "sh.helm.release.v1.x.v1", "helm.sh/release.v1");
    await applied("host", robot, token, helm, theirs, mine);
    const said = await applied("host", policy(ns, "all", { resourceSelectors: [ALL_SECRETS], placement }));

    expect(said.text).toContain(`Warning: spec.resourceSelectors[0]: sends every Secret in ${ns} to the clusters`);
    await present("member1", mine);
    await settled(ns, "all", 1);
    for (const one of [token, helm, theirs]) expect(await find("member1", one)).toBeUndefined();
  });

  it("counts an empty labelSelector as all of the kind", async () => {
    const ns = await freshNamespace();
    const template = configMap({ name: "cfg", namespace: ns });
    const selector = { apiVersion: "v1", kind: "ConfigMap", labelSelector: {} };
    await applied("host", template, policy(ns, "all", { resourceSelectors: [selector], placement }));
    await present("member1", template);
    await settled(ns, "all", 1);
  });
});

describe("an override that selects nothing", () => {
  const overrideRules = [
    { overriders: { annotationsOverrider: [{ operator: "add", value: { "team.example/all": "yes" } }] } },
  ];
  const selector = { apiVersion: "v1", kind: "ConfigMap", name: "cfg" };
  const isOverridden = (o: KubeObject) => o.metadata.annotations?.["team.example/all"] === "yes";

  it.each`
    given                                  | selectors                                                                              | order
    ${"an empty list"}                     | ${{ resourceSelectors: [] }}                                                           | ${"before"}
    ${"an empty list"}                     | ${{ resourceSelectors: [] }}                                                           | ${"after"}
    ${"no list"}                           | ${{}}                                                                                  | ${"before"}
    ${"no list"}                           | ${{}}                                                                                  | ${"after"}
    ${"a kind alone"}                      | ${{ resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap" }] }}                    | ${"before"}
    ${"a kind and an empty labelSelector"} | ${{ resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap", labelSelector: {} }] }} | ${"after"}
  `("changes everything with $given, made $order the template", async ({ selectors, order }) => {
    const ns = await freshNamespace();
    const template = configMap({ name: "cfg", namespace: ns });
    const everything = override(ns, "all", { ...selectors, overrideRules });
    if (order === "before") await applied("host", everything);
    await applied("host", template, policy(ns, "cfg", { resourceSelectors: [selector], placement }));
    if (order === "after") {
      await present("member1", template, o => !isOverridden(o));
      await applied("host", everything);
    }
    await present("member1", template, isOverridden);
  });

  it("is refused with a selector that has no words", async () => {
    const ns = await freshNamespace();
    const bad = override(ns, "all", { resourceSelectors: [{}], overrideRules });
    const said = await apply("host", bad);
    expect(said.code).toBe(1);
    expect(said.text).toContain("spec.resourceSelectors[0].apiVersion");
    await absent("host", bad);
  });
});

/** Waits until the policy itself says how many templates it holds: then all of them have been decided. */
async function settled(namespace: string, name: string, matched: number): Promise<void> {
  const ref = policy(namespace, name, {});
  await until(
    () => find("host", ref),
    object => {
      const status = object?.["status"] as Pick<WorkStatus, "conditions"> & { readonly matched?: number };
      return status?.matched === matched && conditionOf({ status }, "Ready")?.status === "True";
    },
  );
}
