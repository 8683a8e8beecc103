// Does a plan say of every object what would become of it, and does it fit into Git?
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { objectsIn } from "./support/site.js";
import { cli, configMapYaml, openCliShop, type CliShop } from "./support/cli.js";
import { createAs, learnAll } from "./support/migration.js";
import { mixedObjects } from "./support/migration-mix.js";

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), "holdfast-plan-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function filesIn(dir: string): Readonly<Record<string, string>> {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter(name => /\.(yaml|json|md)$/.test(name));
  return Object.fromEntries(names.sort().map(name => [name, readFileSync(join(dir, name), "utf8")]));
}

interface Line {
  readonly kind: string;
  readonly name: string;
  readonly verdict: { readonly state: string; readonly why?: string; readonly wayOut?: string; readonly diff?: string };
}

function linesIn(dir: string): ReadonlyMap<string, Line["verdict"]> {
  const { objects } = JSON.parse(readFileSync(join(dir, "report.json"), "utf8")) as {
    readonly objects: readonly Line[];
  };
  return new Map(objects.map(({ kind, name, verdict }) => [`${kind} ${name}`, verdict]));
}

const web = (namespace: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${namespace}, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "registry.example/web:1"}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: scaled, namespace: ${namespace}, labels: {app: scaled}}
spec:
  replicas: 2
  selector: {matchLabels: {app: scaled}}
  template: {metadata: {labels: {app: scaled}}, spec: {containers: [{name: c, image: "registry.example/web:1"}]}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: scaled, namespace: ${namespace}}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: scaled}, minReplicas: 1, maxReplicas: 3}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: ${namespace}}
spec: {type: NodePort, selector: {app: web}, ports: [{name: http, port: 80}]}
---
apiVersion: v1
kind: Secret
metadata: {name: key, namespace: ${namespace}}
stringData: {password: do-not-tell}
---
${configMapYaml({ namespace } as CliShop, "settings")}
`;

async function shopWith(yaml: (namespace: string) => string): Promise<CliShop> {
  const shop = await openCliShop();
  learnAll(shop.member1);
  learnAll(shop.host);
  for (const object of objectsIn(yaml(shop.namespace))) await createAs(shop.member1, "kubectl-create", object);
  return shop;
}

const plan = (shop: CliShop, dir: string, ...more: readonly string[]) =>
  cli(["migrate", "plan", "--from", shop.first.name, "-n", shop.namespace, "-o", dir, ...more]);

describe("holdfast migrate plan", () => {
  it("writes templates that change nothing, and the same bytes when it is run twice", async () => {
    const shop = await shopWith(web);
    const { namespace, first } = shop;
    const dir = directory();

    const said = await plan(shop, dir);

    expect(said).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("5 adoptable as they are, 0 would change, 0 cannot") as string,
    });
    const files = filesIn(dir);
    expect(Object.keys(files)).toEqual(
      [
        `namespaces/namespace-${namespace}.yaml`,
        "report.json",
        "report.md",
        ...[
          "configmap-settings",
          "deployment-scaled",
          "deployment-web",
          "horizontalpodautoscaler-scaled",
          "policy",
          "service-web",
        ].map(name => `${namespace}/${name}.yaml`),
      ].sort(),
    );
    expect(files[`${namespace}/service-web.yaml`]).not.toMatch(/nodePort|clusterIP|uid|resourceVersion|status/);
    expect(files[`${namespace}/deployment-scaled.yaml`]).toContain('retain-replicas: "true"');
    expect(files[`${namespace}/deployment-scaled.yaml`]).not.toMatch(/^ {2}replicas/m);
    expect(files[`${namespace}/policy.yaml`]).toContain(`name: migrate-${first.name}`);
    expect(files["report.md"]).toContain(`- Secret ${namespace}/key`);
    expect(JSON.stringify(files)).not.toMatch(/do-not-tell|ZG8tbm90LXRlbGw/);

    expect((await plan(shop, dir)).code).toBe(0);
    expect(filesIn(dir)).toEqual(files);

    const withSecrets = directory();
    await plan(shop, withSecrets, "--include-secrets");
    expect(filesIn(withSecrets)[`${namespace}/secret-key.yaml`]).toContain("ZG8tbm90LXRlbGw=");
    const some = directory();
    await plan(shop, some, "--kinds", "deploy,cm", "-l", "app=web");
    expect(Object.keys(filesIn(some)).filter(name => name.startsWith(namespace))).toEqual([
      `${namespace}/deployment-web.yaml`,
      `${namespace}/policy.yaml`,
    ]);
  });

  it("never loses edits in silence", async () => {
    const shop = await shopWith(web);
    const dir = directory();
    await plan(shop, dir);
    const path = join(dir, shop.namespace, "configmap-settings.yaml");
    const edited = readFileSync(path, "utf8").replace('a: "1"', 'a: "2"');
    writeFileSync(path, edited);

    const refused = await plan(shop, dir);

    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`edited since the last plan: ${shop.namespace}/configmap-settings.yaml`),
    ]);
    expect(readFileSync(path, "utf8")).toBe(edited);
    expect((await plan(shop, dir, "--overwrite")).code).toBe(0);
    expect(readFileSync(path, "utf8")).toContain('a: "1"');
    await shop.member1.delete({ kind: "ConfigMap", namespace: shop.namespace, name: "settings" });
    expect((await plan(shop, dir)).code).toBe(0);
    expect(Object.keys(filesIn(dir))).not.toContain(`${shop.namespace}/configmap-settings.yaml`);
  });

  it("says why an object cannot be taken over, and the way out, and plans the others", async () => {
    const shop = await openCliShop();
    const { host, member1, namespace, first } = shop;
    learnAll(member1);
    const meta = (name: string, more = ""): string => `metadata: {name: ${name}, namespace: ${namespace}${more}}`;
    const made = async (yaml: string): Promise<KubeObject | undefined> => {
      for (const object of objectsIn(yaml)) await createAs(member1, "kubectl-create", object);
      const [object] = objectsIn(yaml);
      return object && member1.find({ kind: object.kind, namespace, name: object.metadata.name });
    };
    await made(configMapYaml(shop, "fine"));
    await made(`{apiVersion: v1, kind: ConfigMap, ${meta("x".repeat(253))}}`);
    await made(
      `{apiVersion: v1, kind: ConfigMap, ${meta("theirs", ', labels: {karmada.io/managed: "true", work.karmada.io/permanent-id: "0"}')}}`,
    );
    const owner = await made(configMapYaml(shop, "owner"));
    await made(
      `{apiVersion: v1, kind: ConfigMap, ${meta("owned", `, ownerReferences: [{apiVersion: kafka.example/v1, kind: Kafka, name: k, uid: ${owner?.metadata.uid}, controller: true}]`)}}`,
    );
    await made(configMapYaml(shop, "twin", "{a: member}"));
    await host.apply(configMapYaml(shop, "twin", "{a: host}"));
    await made(configMapYaml(shop, "alike", "{a: both}"));
    await host.apply(configMapYaml(shop, "alike", "{a: both}"));
    await made(configMapYaml(shop, "rival"));
    await host.apply(
      `{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, ${meta("rival")}, spec: {priority: 7, resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: rival}], placement: {clusterAffinity: {clusterNames: [${first.name}]}}}}`,
    );
    await made(web(namespace));
    await host.apply(
      `{apiVersion: policy.karmada.io/v1alpha1, kind: OverridePolicy, ${meta("other-selector")}, spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}], overrideRules: [{overriders: {plaintext: [{path: /spec/selector/matchLabels/app, operator: replace, value: other}, {path: /spec/template/metadata/labels/app, operator: replace, value: other}]}}]}}`,
    );
    await host.apply(
      `{apiVersion: policy.karmada.io/v1alpha1, kind: OverridePolicy, ${meta("other-value")}, spec: {resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: fine}], overrideRules: [{overriders: {plaintext: [{path: /data/b, operator: add, value: "2"}]}}]}}`,
    );
    const kind = await unknownToHost(shop);
    const dir = directory();

    const said = await plan(shop, dir);

    expect(said.code).toBe(0);
    const lines = linesIn(dir);
    const blocked = (name: string) => [lines.get(name)?.why, lines.get(name)?.wayOut];
    expect(lines.get("ConfigMap fine")).toMatchObject({
      state: "changes",
      diff: expect.stringContaining('+  b: "2"') as string,
    });
    expect(lines.get(`ConfigMap ${"x".repeat(253)}`)).toEqual({ state: "ready" });
    expect(lines.get("ConfigMap alike")).toEqual({ state: "ready" });
    expect(blocked("ConfigMap theirs")).toEqual([
      expect.stringContaining("another Holdfast or Karmada"),
      expect.stringContaining("let go of it there"),
    ]);
    expect(blocked("ConfigMap owned")).toEqual([
      expect.stringContaining("Kafka k (kafka.example/v1) controls it"),
      expect.stringContaining("move Kafka k"),
    ]);
    expect(blocked("ConfigMap twin")).toEqual([
      "the host has an object of this name with other content",
      expect.stringContaining("make both say the same"),
    ]);
    expect(blocked("ConfigMap rival")).toEqual([
      expect.stringContaining(`PropagationPolicy ${namespace}/rival on the host selects it too`),
      expect.stringContaining("lower its priority"),
    ]);
    expect(blocked("Deployment web")).toEqual([
      expect.stringContaining("field is immutable"),
      expect.stringContaining("OverridePolicy"),
    ]);
    expect(blocked(`${kind} thing`)).toEqual([
      expect.stringContaining(`the host knows no ${kind}`),
      expect.stringContaining("install its CRD"),
    ]);
    expect(readFileSync(join(dir, "report.md"), "utf8")).toContain("## Cannot be taken over (6)");
  });

  it.each`
    given                          | args                                            | message
    ${"an unknown member"}         | ${["--from", "nobody", "-n", "default"]}        | ${"there is no cluster nobody"}
    ${"a reserved namespace"}      | ${["--from", "FIRST", "-n", "kube-system"]}     | ${"is reserved"}
    ${"a namespace that is not"}   | ${["--from", "FIRST", "-n", "nowhere"]}         | ${"has no namespace nowhere"}
    ${"a kind that nobody serves"} | ${["--from", "FIRST", "-A", "--kinds", "cars"]} | ${'the member serves no kind "cars"'}
  `("refuses $given", async ({ args, message }: { args: string[]; message: string }) => {
    const shop = await openCliShop();
    const said = await cli([
      "migrate",
      "plan",
      "-o",
      directory(),
      ...args.map(arg => (arg === "FIRST" ? shop.first.name : arg)),
    ]);
    expect([said.code, said.stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("a plan of 1,000 objects", () => {
  it("asks for lists, and about each object twice at most", { timeout: 300_000 }, async () => {
    const shop = await openCliShop();
    learnAll(shop.member1);
    const mixed = mixedObjects(shop.namespace, 1_000);
    for (let i = 0; i < mixed.length; i += 8) {
      await Promise.all(mixed.slice(i, i + 8).map(({ object, manager }) => createAs(shop.member1, manager, object)));
    }
    const before = await requestsTo(shop);
    const started = performance.now();

    const said = await plan(shop, directory());

    const seconds = (performance.now() - started) / 1_000;
    const after = await requestsTo(shop);
    const [dryRuns, lists] = [after.dryRuns - before.dryRuns, after.lists - before.lists];
    console.info(`plan of 1,000 objects: ${seconds.toFixed(1)} s, ${dryRuns} dry runs, ${lists} lists by anybody`);
    expect([said.code, said.stdout]).toEqual([0, expect.stringContaining("1000 adoptable as they are")]);
    // The second one where a tool's fields would be taken over.
    expect(dryRuns).toBeLessThanOrEqual(2_000);
    expect(lists).toBeLessThan(300);
  });
});

/** What the member's API server has been asked, by anybody. */
async function requestsTo({ member1 }: CliShop): Promise<{ readonly dryRuns: number; readonly lists: number }> {
  const text = await member1.client.request<string>("GET", "/metrics", { accept: "text/plain" });
  const lines = text.split("\n").filter(line => line.startsWith("apiserver_request_total{"));
  const sum = (part: RegExp): number =>
    lines.filter(line => part.test(line)).reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);
  return { dryRuns: sum(/dry_run="All"/), lists: sum(/verb="LIST"/) };
}

/** A kind that only the member has, with one object. */
async function unknownToHost({ member1, namespace }: CliShop): Promise<string> {
  const group = `${namespace}.example`;
  const names = { plural: "things", singular: "thing", kind: "Thing" };
  member1.learn({ group, version: "v1", kind: "Thing", plural: "things", namespaced: true });
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
  };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const versions = [{ name: "v1", served: true, storage: true, schema }];
  await member1.applyObject({ ...crd, spec: { group, scope: "Namespaced", names, versions } });
  onTestFinished(() => member1.delete({ kind: crd.kind, name: crd.metadata.name }));
  await expect
    .poll(
      () =>
        member1.applyObject({ apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "thing", namespace } }).then(
          () => "made",
          () => "not yet",
        ),
      { timeout: 20_000 },
    )
    .toBe("made");
  return "Thing";
}
