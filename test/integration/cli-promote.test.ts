// Does promote bring what runs in a member under Holdfast, unharmed, as karmadactl's would?
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { KubeObject } from "../../crds/object.js";
import { promotedPolicyName } from "../../cli/migrate/names.js";
import { cli, configMapYaml, openCliShop, type CliShop } from "./support/cli.js";
import { eventually } from "./support/eventually.js";
import { createAs, learnAll, podsIn } from "./support/migration.js";
import { objectsIn } from "./support/site.js";

const web = (namespace: string, image = "registry.example/web:1"): string => `
{apiVersion: v1, kind: ServiceAccount, metadata: {name: runner, namespace: ${namespace}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${namespace}, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      serviceAccountName: runner
      containers: [{name: c, image: "${image}", envFrom: [{configMapRef: {name: settings}}, {secretRef: {name: key}}]}]
---
${configMapYaml({ namespace } as CliShop, "settings")}
---
{apiVersion: v1, kind: Secret, metadata: {name: key, namespace: ${namespace}}, stringData: {a: b}}
`;

async function shopWith(yaml: string | ((namespace: string) => string)): Promise<CliShop> {
  const shop = await openCliShop();
  for (const site of [shop.host, shop.member1]) learnAll(site);
  const text = typeof yaml === "string" ? yaml : yaml(shop.namespace);
  for (const object of objectsIn(text)) await createAs(shop.member1, "kubectl-create", object);
  return shop;
}

const promote = ({ first, namespace }: CliShop, ...more: readonly string[]) =>
  cli(["promote", "-n", namespace, "-C", first.name, ...more]);

describe("holdfast promote", () => {
  it("takes over with what its Pods need, the same object and the same Pods, and once only", async () => {
    const shop = await shopWith(web);
    const { host, member1, namespace, first } = shop;
    const place = { kind: "Deployment", namespace, name: "web" };
    await eventually("two Pods are ready", async () => (await podsIn(member1, namespace)).length === 2, 60_000);
    const before = await member1.find(place);
    const pods = await podsIn(member1, namespace);

    const dry = await promote(shop, "deploy/web", "-d", "--dry-run", "-o", "yaml");
    expect(dry.code).toBe(0);
    const [policy, template] = dry.stdout.split("---\n").map(text => parse(text) as KubeObject);
    expect(policy).toMatchObject({
      kind: "PropagationPolicy",
      metadata: { name: promotedPolicyName({ apiVersion: "apps/v1", kind: "Deployment", metadata: place }) },
      spec: {
        conflictResolution: "Overwrite",
        preserveResourcesOnDeletion: true,
        placement: { clusterAffinity: { clusterNames: [first.name] } },
      },
    });
    expect(template?.metadata).toEqual({ name: "web", namespace, labels: { app: "web" } });
    expect(await host.find(place)).toBeUndefined();

    const said = await promote(shop, "deploy/web", "-d");
    expect([said.code, said.stderr]).toEqual([0, ""]);
    expect(said.stdout).toMatch(/Deployment \S+\/web +Adopted +same +2\/2 same/);
    for (const object of [
      `ConfigMap ${namespace}/settings`,
      `Secret ${namespace}/key`,
      `ServiceAccount ${namespace}/runner`,
    ]) {
      expect(said.stdout).toContain(`${object} is taken over as it is`);
    }
    const after = await member1.find(place);
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(after?.metadata.labels?.["karmada.io/managed"]).toBe("true");
    expect(await podsIn(member1, namespace)).toEqual(pods);

    const again = await promote(shop, "deploy/web", "-d");
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("is under Holdfast already")]);
  });

  it("asks before it changes anything, and says which", async () => {
    const shop = await shopWith(web);
    const { host, member1, namespace } = shop;
    await host.apply(`
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: mirror, namespace: ${namespace}}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  overrideRules: [{overriders: {plaintext: [{path: /spec/template/spec/containers/0/image, operator: replace, value: "mirror.example/web:1"}]}}]
`);

    const refused = await promote(shop, "deploy/web");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("the object would change")]);
    expect(refused.stdout).toContain("its Pods would be replaced");
    expect(refused.stdout).toContain("+        image: mirror.example/web:1");
    expect(await host.find({ kind: "Deployment", namespace, name: "web" })).toBeUndefined();

    expect((await promote(shop, "deploy/web", "-y")).code).toBe(0);
    const live = await member1.find({ kind: "Deployment", namespace, name: "web" });
    expect(JSON.stringify(live?.["spec"])).toContain("mirror.example/web:1");
  });

  it("leaves the policy to others where it is told to, and takes over all the same", async () => {
    const shop = await shopWith(namespace => configMapYaml({ namespace } as CliShop, "settings"));
    const { host, namespace, first } = shop;
    await host.apply(`
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: all, namespace: ${namespace}}
spec: {resourceSelectors: [{apiVersion: v1, kind: ConfigMap}], placement: {clusterAffinity: {clusterNames: [${first.name}]}}}
`);

    const said = await promote(shop, "cm/settings", "--auto-create-policy=false");

    expect([said.code, said.stderr]).toEqual([0, ""]);
    expect((await host.list("PropagationPolicy", namespace)).map(({ metadata }) => metadata.name)).toEqual(["all"]);
  });

  it.each`
    given                         | args                                      | code | message
    ${"what is not there"}        | ${["cm/nothing"]}                         | ${1} | ${"has no ConfigMap nothing"}
    ${"what every cluster makes"} | ${["cm/kube-root-ca.crt"]}                | ${1} | ${"it cannot be promoted: every cluster makes its own"}
    ${"a Namespace"}              | ${["ns/default"]}                         | ${2} | ${"has no Namespace that can be promoted"}
    ${"no such choice"}           | ${["cm/x", "--auto-create-policy=maybe"]} | ${2} | ${"write true or false"}
  `("refuses $given", async ({ args, code, message }: { args: string[]; code: number; message: string }) => {
    const shop = await shopWith("");
    const said = await promote(shop, ...args);
    expect([said.code, said.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});
