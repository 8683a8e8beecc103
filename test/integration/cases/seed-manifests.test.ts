// Does every manifest of the articles do what its text says, or is it refused in words?
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { conditionOf } from "../../../lib/engine/conditions.js";
import { stringify } from "yaml";
import { apply, applied, freshNamespace, kubectl, remove } from "../support/case-kubectl.js";
import { absent, binding, condition, find, present } from "../support/case-world.js";
import { policy, web, WEB } from "../support/case-objects.js";

const SEEDS = join(import.meta.dirname, "../../fixtures/seeds");
const seed = (name: string): string => readFileSync(join(SEEDS, name), "utf8");

/** `kubectl apply -n NAMESPACE` of a manifest that names no namespace. */
function applyIn(namespace: string, text: string) {
  return kubectl("host", ["apply", "-n", namespace, "-f", "-"], text);
}

const BUSYBOX = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "busybox", namespace: "default" } };
const replicasOf = (object: object | undefined) => (object as { spec?: { replicas?: number } }).spec?.replicas;

describe("the demonstration of the overview", () => {
  it("runs 1 and 2 replicas in the two clusters, once the override has the name that the policy waits for", async () => {
    onTestFinished(async () => {
      for (const kind of [
        "propagationpolicy/nginx-propagation",
        "overridepolicy/busybox-override",
        "overridepolicy/nginx-override",
      ])
        await kubectl("host", ["delete", kind, "-n", "default", "--ignore-not-found", "--wait=false"]);
      await remove("host", "deployment", "busybox", "default");
      await absent("member1", BUSYBOX);
      await absent("member2", BUSYBOX);
    });
    const overridden = seed("overview-demo-override-policy.yaml");
    const said = await applied("host", overridden);
    expect(said.text).toContain("Warning: spec: targetCluster and overriders are the old form");
    await applied("host", seed("overview-demo-propagation-policy.yaml"), seed("overview-demo-deployment.yaml"));

    const pp = policy("default", "nginx-propagation", {});
    const waits = await condition(pp, "Ready", c => c.reason === "WaitingForDependentOverrides");
    expect(waits.message).toContain("nginx-override not found");
    expect(await find("member1", BUSYBOX)).toBeUndefined();

    await applied("host", overridden.replace("name: busybox-override", "name: nginx-override"));
    expect(replicasOf(await present("member1", BUSYBOX))).toBe(1);
    expect(replicasOf(await present("member2", BUSYBOX))).toBe(2);
    await binding(BUSYBOX, b => conditionOf(b, "FullyApplied")?.status === "True");
  });
});

describe("the policies of the overview", () => {
  it("is refused for every field that does nothing here, each with what to write", async () => {
    const ns = await freshNamespace();
    const said = await applyIn(ns, seed("overview-propagation-policy.yaml"));
    expect(said.code).toBe(1);
    expect(said.text).toContain("spec.propagateDependensies: Forbidden: no such field; write propagateDeps");
    expect(said.text).toMatch(/spec\.placement\.spreadConstraints.*not supported by this version/);
    expect(said.text).toContain("spreadByLabel");
    expect(await find("host", policy(ns, "example-policy", {}))).toBeUndefined();
  });

  it("is taken without those fields, with a warning about schedulerName: default, and works", async () => {
    const ns = await freshNamespace();
    const text = seed("overview-propagation-policy.yaml")
      .replace(/ {2}propagateDependensies: false\n/, "")
      .replace(/ {4}spreadConstraints:[^]*?(?= {2}schedulerName)/, "")
      .replace("- cluster1", "- member1")
      .replace("deployment-1", "web");
    const said = await applyIn(ns, text);
    expect(said).toMatchObject({ code: 0 });
    expect(said.text).toContain('Warning: spec.schedulerName: "default" is taken as "default-scheduler"');
    expect(said.text).toMatch(/Warning: .*cluster3/);

    const template = web(ns);
    await applied("host", template);
    await present("member1", template);
    const told = await binding(template, b => conditionOf(b, "Scheduled") !== undefined);
    expect(told.spec.schedulerName).toBe("default-scheduler");
    expect(conditionOf(told, "Scheduled")?.message).toContain("cluster3: there is no cluster of this name");
  });

  it("is refused with another scheduler, with the one that there is", async () => {
    const ns = await freshNamespace();
    const said = await apply("host", policy(ns, "p", { resourceSelectors: [WEB], schedulerName: "volcano" }));
    expect(said.code).toBe(1);
    expect(said.text).toMatch(/spec\.schedulerName: Unsupported value: "volcano".*default-scheduler/);
  });

  it("is refused for component: prefix, with the parts that an image has", async () => {
    const said = await apply("host", seed("overview-override-policy.yaml"));
    expect(said.code).toBe(1);
    expect(said.text).toMatch(/component: Unsupported value: "prefix".*"Registry", "Repository", "Tag"/);
  });

  it("works in the old form of an override, with a warning, once the component is one", async () => {
    const ns = await freshNamespace();
    const text = seed("overview-override-policy.yaml")
      .replace("namespace: default", `namespace: ${ns}`)
      .replace("component: prefix", "component: Registry");
    const label = { "failuredomain.kubernetes.io/region": "region1" };
    await kubectl("host", ["label", "cluster", "member2", "failuredomain.kubernetes.io/region=region1"]);
    onTestFinished(async () => {
      await kubectl("host", ["label", "cluster", "member2", `${Object.keys(label)[0]}-`]);
    });
    const said = await applied("host", text);
    expect(said.text).toContain("Warning: spec: targetCluster and overriders are the old form");

    const template = web(ns);
    await applied("host", policy(ns, "web", { resourceSelectors: [WEB] }), template);
    await present("member2", template, o => JSON.stringify(o["spec"]).includes("region-1.registry.io/web:1.0"));
    await present("member1", template, o => JSON.stringify(o["spec"]).includes("registry.example/web:1.0"));
  });
});

describe("the policy of the rollback proposal", () => {
  it("leaves the Deployment in the members, without a mark, when the template is deleted", async () => {
    const ns = await freshNamespace();
    expect(await applyIn(ns, seed("rollback-propagation-policy.yaml"))).toMatchObject({ code: 0 });
    const nginx = stringify({ ...web(ns), metadata: { name: "nginx", namespace: ns } });
    await applied("host", nginx);
    const ref = { ...BUSYBOX, metadata: { name: "nginx", namespace: ns } };
    const { uid } = (await present("member1", ref)).metadata;
    await binding(ref, b => conditionOf(b, "DeletionProtected")?.status === "True");

    await remove("host", "deployment", "nginx", ns);
    await absent("host", ref);
    const left = await present("member1", ref, o => !JSON.stringify(o.metadata).includes("karmada"));
    expect(left.metadata.uid).toBe(uid);
    expect(JSON.stringify(left.metadata)).not.toMatch(/karmada|holdfast/);
    await kubectl("member1", ["delete", "namespace", ns, "--wait=false"]);
    await kubectl("member2", ["delete", "namespace", ns, "--wait=false"]);
  });
});

describe("the Cluster of the overview", () => {
  it("is read back with the same fields from a joined cluster", async () => {
    const ref = { apiVersion: "cluster.karmada.io/v1alpha1", kind: "Cluster", metadata: { name: "member1" } };
    const cluster = await present("host", ref);
    expect(cluster.metadata.finalizers).toContain("karmada.io/cluster-controller");
    expect(cluster["spec"]).toMatchObject({
      secretRef: { name: "member1", namespace: "karmada-cluster" },
      syncMode: "Push",
    });
    expect(Object.keys(cluster["status"] as object)).toEqual(
      expect.arrayContaining(["apiEnablements", "conditions", "kubernetesVersion", "nodeSummary", "resourceSummary"]),
    );
  });
});
