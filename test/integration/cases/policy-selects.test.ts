// Does a policy find its templates whatever came first, by labels, by namespaces, and in the whole cluster?
import { describe, expect, it, onTestFinished } from "vitest";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { applied, freshName, freshNamespace, kubectl, remove } from "../support/case-kubectl.js";
import { absent, binding, condition, find, present } from "../support/case-world.js";
import { clusterPolicy, configMap, onto, policy } from "../support/case-objects.js";

const BOTH = onto("member1", "member2");
const CONFIG_MAP = { apiVersion: "v1", kind: "ConfigMap" };

/** A policy for the whole host that goes with the test. */
function wide(spec: object, prefix = "wide") {
  const made = clusterPolicy(freshName(prefix), spec);
  onTestFinished(async () => void (await remove("host", "clusterpropagationpolicy", made.metadata.name)));
  return made;
}

describe("a policy", () => {
  it.each(["before", "after"])("that is made %s its template finds it", async order => {
    const ns = await freshNamespace();
    const template = configMap({ name: "cfg", namespace: ns });
    const pp = policy(ns, "cfg", { resourceSelectors: [{ ...CONFIG_MAP, name: "cfg" }], placement: BOTH });
    for (const one of order === "before" ? [pp, template] : [template, pp]) await applied("host", one);

    await present("member1", template);
    await present("member2", template);
    const told = await binding(template, b => conditionOf(b, "Ready")?.status === "True");
    expect(told.spec.resource).toMatchObject({ kind: "ConfigMap", namespace: ns, name: "cfg" });
  });

  it("says that nothing fits its selectors, where a person looks", async () => {
    const ns = await freshNamespace();
    const pp = policy(ns, "cfg", { resourceSelectors: [{ ...CONFIG_MAP, name: "nowhere" }], placement: BOTH });
    await applied("host", pp);
    const ready = await condition(pp, "Ready", c => c.reason === "NoMatch");
    expect(ready.message).toContain("no object fits any resourceSelector");
    expect((await kubectl("host", ["describe", "-n", ns, "pp", "cfg"])).text).toContain("NoMatch");
  });

  it("follows labels: a template comes in with its label and stays as it is when the label goes", async () => {
    const ns = await freshNamespace();
    const labelSelector = {
      matchLabels: { tier: "web" },
      matchExpressions: [{ key: "stage", operator: "NotIn", values: ["test"] }],
    };
    await applied(
      "host",
      policy(ns, "web", { resourceSelectors: [{ ...CONFIG_MAP, labelSelector }], placement: BOTH }),
    );
    const [inside, outside] = [
      configMap({ name: "in", namespace: ns, labels: { tier: "web" } }),
      configMap({ name: "out", namespace: ns, labels: { tier: "web", stage: "test" } }),
    ];
    await applied("host", outside, inside);
    await present("member1", inside);
    expect(await find("member1", outside)).toBeUndefined();

    await kubectl("host", ["label", "configmap", "out", "-n", ns, "stage-"]);
    await present("member1", outside);
    const { uid } = (await present("member1", inside)).metadata;
    await kubectl("host", ["label", "configmap", "in", "-n", ns, "tier=db", "--overwrite"]);
    await present("host", inside, o => !JSON.stringify(o.metadata.annotations ?? {}).includes("propagationpolicy"));
    expect((await present("member1", inside)).metadata.uid).toBe(uid);
  });

  it("goes where an edit of its placement says", async () => {
    const ns = await freshNamespace();
    const template = configMap({ name: "cfg", namespace: ns });
    const pp = (...names: string[]) =>
      policy(ns, "cfg", { resourceSelectors: [{ ...CONFIG_MAP, name: "cfg" }], placement: onto(...names) });
    await applied("host", pp("member1"), template);
    await present("member1", template);
    await applied("host", pp("member2"));
    await present("member2", template);
    await absent("member1", template);
    await applied("host", pp("member1", "member2"));
    await present("member1", template);
  });
});

describe("a policy for the whole host", () => {
  it("selects in the namespace that it names, and in no other", async () => {
    const [mine, other] = [await freshNamespace(), await freshNamespace()];
    const [here, there] = [mine, other].map(namespace => configMap({ name: "cfg", namespace }));
    await applied("host", here ?? {}, there ?? {});
    const selector = { ...CONFIG_MAP, name: "cfg", namespace: mine };
    await applied("host", wide({ resourceSelectors: [selector], placement: BOTH }));

    const template = configMap({ name: "cfg", namespace: mine });
    await present("member1", template);
    const told = await binding(template, b => conditionOf(b, "Ready")?.status === "True");
    expect(told.kind).toBe("ResourceBinding");
    expect(await find("member1", configMap({ name: "cfg", namespace: other }))).toBeUndefined();
  });

  it("selects by labels in all namespaces", async () => {
    const team = freshName("team");
    const namespaces = [await freshNamespace(), await freshNamespace()];
    const templates = namespaces.map(namespace => configMap({ name: "cfg", namespace, labels: { team } }));
    await applied("host", ...templates);
    const labelSelector = { matchLabels: { team } };
    await applied("host", wide({ resourceSelectors: [{ ...CONFIG_MAP, labelSelector }], placement: onto("member1") }));
    for (const template of templates) await present("member1", template);
  });

  it("sends a ClusterRole, and takes it back with its template", async () => {
    const name = freshName("role");
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    };
    onTestFinished(async () => void (await remove("host", "clusterrole", name)));
    const { apiVersion, kind } = role;
    await applied("host", wide({ resourceSelectors: [{ apiVersion, kind, name }], placement: BOTH }), role);
    const there = await present("member2", role);
    expect(there["rules"]).toEqual(role.rules);
    const told = await binding(role, b => conditionOf(b, "Ready")?.status === "True");
    expect(told.kind).toBe("ClusterResourceBinding");

    await remove("host", "clusterrole", name);
    await absent("member1", role);
    await absent("member2", role);
  });

  it("sends a Namespace with its labels, and lets go of it while it holds what is not ours", async () => {
    const team = freshName("team");
    const name = await freshNamespace({ team });
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    const selector = { apiVersion: "v1", kind: "Namespace", name };
    await applied("host", wide({ resourceSelectors: [selector], placement: BOTH }));
    await present("member1", namespace, o => o.metadata.labels?.["team"] === team);
    await present("member2", namespace, o => o.metadata.labels?.["team"] === team);

    const theirs = configMap({ name: "theirs", namespace: name });
    await applied("member1", theirs);
    await remove("host", "namespace", name);
    await absent("host", namespace);
    await absent("member2", namespace);
    const left = await present("member1", namespace, o => !JSON.stringify(o.metadata.labels).includes("karmada"));
    expect(left.metadata.deletionTimestamp).toBeUndefined();
    await present("member1", theirs);
    await remove("member1", "namespace", name);
  });
});
