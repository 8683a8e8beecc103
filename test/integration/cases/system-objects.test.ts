// Do a cluster's own objects stay its own, and does everybody learn why they are not sent?
import { describe, expect, it, onTestFinished } from "vitest";
import { apply, applied, freshName, freshNamespace, remove } from "../support/case-kubectl.js";
import { condition, find, present } from "../support/case-world.js";
import { clusterPolicy, configMap, onto, policy } from "../support/case-objects.js";

const placement = onto("member1", "member2");
const RBAC = "rbac.authorization.k8s.io/v1";

describe("a policy that names what must not travel", () => {
  it.each`
    object                            | namespace            | selector
    ${"a ConfigMap in kube-system"}   | ${"kube-system"}     | ${{ apiVersion: "v1", kind: "ConfigMap", name: "x" }}
    ${"kube-root-ca.crt"}             | ${"default"}         | ${{ apiVersion: "v1", kind: "ConfigMap", name: "kube-root-ca.crt" }}
    ${"ServiceAccount default"}       | ${"default"}         | ${{ apiVersion: "v1", kind: "ServiceAccount", name: "default" }}
    ${"Service kubernetes"}           | ${"default"}         | ${{ apiVersion: "v1", kind: "Service", name: "kubernetes" }}
    ${"a Secret of the operator"}     | ${"holdfast-system"} | ${{ apiVersion: "v1", kind: "Secret", name: "x" }}
    ${"every Secret of the operator"} | ${"holdfast-system"} | ${{ apiVersion: "v1", kind: "Secret" }}
    ${"a Secret of the clusters"}     | ${"karmada-cluster"} | ${{ apiVersion: "v1", kind: "Secret", name: "member1" }}
  `("is refused in words: $object", async ({ namespace, selector }: { namespace: string; selector: object }) => {
    const bad = policy(namespace, freshName("system"), { resourceSelectors: [selector], placement });
    const said = await apply("host", bad);
    expect(said.code).toBe(1);
    expect(said.text).toMatch(/spec\.resourceSelectors\[0\](\.name)?: Forbidden: never sent to a cluster: \w/);
    expect(await find("host", bad)).toBeUndefined();
  });

  it.each`
    object                         | selector
    ${"Namespace kube-system"}     | ${{ apiVersion: "v1", kind: "Namespace", name: "kube-system" }}
    ${"ClusterRole cluster-admin"} | ${{ apiVersion: RBAC, kind: "ClusterRole", name: "cluster-admin" }}
    ${"the operator's CRDs"}       | ${{ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name: "works.work.karmada.io" }}
    ${"Clusters"}                  | ${{ apiVersion: "cluster.karmada.io/v1alpha1", kind: "Cluster" }}
    ${"kube-root-ca.crt of all"}   | ${{ apiVersion: "v1", kind: "ConfigMap", name: "kube-root-ca.crt" }}
    ${"what is in kube-system"}    | ${{ apiVersion: "v1", kind: "ConfigMap", namespace: "kube-system" }}
  `("is refused in words for the whole host: $object", async ({ selector }: { selector: object }) => {
    const bad = clusterPolicy(freshName("system"), { resourceSelectors: [selector], placement });
    const said = await apply("host", bad);
    expect(said.code).toBe(1);
    expect(said.text).toMatch(/spec\.resourceSelectors\[0\](\.name)?: Forbidden: never sent to a cluster: \w/);
    expect(await find("host", bad)).toBeUndefined();
  });

  it("says about a system: role that it goes only because it is named, and about a bootstrapped one why not", async () => {
    const name = freshName("system");
    onTestFinished(async () => void (await remove("host", "clusterpropagationpolicy", name)));
    const selector = { apiVersion: RBAC, kind: "ClusterRole", name: "system:node" };
    const before = await find("member1", { ...selector, metadata: { name: "system:node" } });
    const bad = clusterPolicy(name, { resourceSelectors: [selector], placement });
    const said = await applied("host", bad);
    expect(said.text).toContain("sent only because it is named here");

    const ready = await condition(bad, "Ready", c => c.reason === "NoMatch");
    expect(ready.message).toMatch(/ClusterRole system:node is selected but is no template: .* made by the API server/);
    expect(await find("member1", { ...selector, metadata: { name: "system:node" } })).toEqual(before);
  });
});

describe("a policy by kind alone", () => {
  it("sends a namespace's ConfigMaps and leaves the member's kube-root-ca.crt alone", async () => {
    const ns = await freshNamespace();
    const mine = configMap({ name: "mine", namespace: ns });
    const root = configMap({ name: "kube-root-ca.crt", namespace: ns });
    await present("host", root);
    await applied("host", mine);
    await applied(
      "host",
      policy(ns, "all", { resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap" }], placement }),
    );

    await present("member1", mine);
    const theirs = await present("member1", root);
    const own = await find("host", root);
    expect(theirs["data"]).not.toEqual(own?.["data"]);
    expect(JSON.stringify(theirs.metadata)).not.toMatch(/karmada|holdfast/);
    expect(JSON.stringify(own?.metadata)).not.toMatch(/karmada|holdfast/);
  });

  it("sends a namespace's ServiceAccounts and leaves the member's default alone", async () => {
    const ns = await freshNamespace();
    const robot = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot", namespace: ns } };
    const own = { ...robot, metadata: { name: "default", namespace: ns } };
    await applied("host", robot);
    const selector = { apiVersion: "v1", kind: "ServiceAccount" };
    await applied("host", policy(ns, "all", { resourceSelectors: [selector], placement }));

    await present("member1", robot);
    const theirs = await present("member1", own);
    expect(JSON.stringify(theirs.metadata)).not.toMatch(/karmada|holdfast/);
  });
});
