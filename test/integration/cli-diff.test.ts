// Does diff foretell what the operator then does, and change nothing itself?
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { withFleet } from "../../cli/access/fleet.js";
import { factsOf } from "../../cli/diff/templates.js";
import { compare } from "../../cli/preview/compare.js";
import { previewMembers } from "../../cli/preview/members.js";
import { planTemplate, workToBe } from "../../cli/preview/plan.js";
import { readPolicies } from "../../cli/preview/policies.js";
import { previewObject } from "../../cli/preview/preview.js";
import type { KubeObject } from "../../crds/object.js";
import { objectPath } from "../../lib/kube/resource.js";
import { cli, configMapYaml, openCliShop, policyYaml, untilApplied, type CliShop } from "./support/cli.js";
import { accessTo } from "./support/engine.js";
import { eventually } from "./support/eventually.js";
import { objectsIn, type Site } from "./support/site.js";

/** What a controller counts is none of ours. */
function withoutRevision(text: string | undefined): string | undefined {
  return text?.replace(/ {2}annotations:\n {4}deployment\.kubernetes\.io\/revision: .*\n/, "");
}

function file(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), "holdfast-diff-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "manifest.yaml");
  writeFileSync(path, text);
  return path;
}

/** As a tool that creates objects without server-side apply. */
async function create(site: Site, manager: string, object: KubeObject): Promise<void> {
  const path = objectPath(site.of(object.kind).resource, object.metadata).replace(/\/[^/]+$/, "");
  await site.client.request("POST", path, { body: object, query: { fieldManager: manager } });
}

const deployment = (namespace: string, name: string, spec: string, pod: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}, labels: {app: ${name}}}
spec:
  ${spec}
  selector: {matchLabels: {app: ${name}}}
  template: {metadata: {labels: {app: ${name}}}, spec: ${pod}}
`;

/** Objects as they are in the member, and as the template has them: more, less and otherwise, by tools of several kinds. */
function changes({ namespace }: CliShop): readonly (readonly [manager: string, before: string, after: string])[] {
  const meta = (name: string): string => `metadata: {name: ${name}, namespace: ${namespace}}`;
  const full = `{containers: [{name: c, image: "a:1", env: [{name: A, value: "1"}, {name: B, value: "2"}], imagePullPolicy: Always}, {name: side, image: "s:1"}], volumes: [{name: v, emptyDir: {}}], nodeSelector: {x: y}}`;
  const bare = `{containers: [{name: c, image: "a:2", env: [{name: A, value: "1"}]}]}`;
  return [
    [
      "kubectl-client-side-apply",
      deployment(namespace, "client-side", "replicas: 3", full),
      deployment(namespace, "client-side", "replicas: 1", bare),
    ],
    [
      "helm",
      deployment(namespace, "helm", "minReadySeconds: 5", full),
      deployment(namespace, "helm", "replicas: 1", bare),
    ],
    [
      "some-controller",
      deployment(namespace, "unknown-tool", "replicas: 3", full),
      deployment(namespace, "unknown-tool", "replicas: 1", bare),
    ],
    [
      "kubectl-create",
      `{apiVersion: v1, kind: ConfigMap, ${meta("settings")}, data: {gone: x, same: y}}`,
      `{apiVersion: v1, kind: ConfigMap, ${meta("settings")}, data: {same: y, new: z}}`,
    ],
    [
      "kubectl-create",
      `{apiVersion: v1, kind: Service, ${meta("web")}, spec: {selector: {app: web}, ports: [{name: a, port: 80}, {name: b, port: 81}]}}`,
      `{apiVersion: v1, kind: Service, ${meta("web")}, spec: {selector: {app: web}, ports: [{name: a, port: 80, targetPort: 8080}]}}`,
    ],
    [
      "kubectl-create",
      `{apiVersion: v1, kind: Secret, ${meta("key")}, data: {gone: eA==, same: eQ==}}`,
      `{apiVersion: v1, kind: Secret, ${meta("key")}, data: {same: eQ==}}`,
    ],
  ];
}

describe("the preview", () => {
  it("foretells for every tool what an adoption, and the next edit, make of an object", async () => {
    const shop = await openCliShop();
    const { host, member1, first } = shop;
    const all = changes(shop).map(([manager, before, after]) => ({ manager, before: one(before), after: one(after) }));
    for (const { manager, before } of all) await create(member1, manager, before);
    const [policy] = objectsIn(policyYaml(shop, [first.name], "Overwrite"));
    const foretold = await preview(
      shop,
      all.map(({ after }) => after),
      policy ? [policy] : [],
    );
    // Asking has changed nothing.
    for (const { before } of all)
      expect(
        (await member1.of(before.kind).find(before.metadata))?.metadata.labels?.["karmada.io/managed"],
      ).toBeUndefined();

    if (policy) await host.applyObject(policy);
    for (const { after } of all) await host.applyObject(after);
    for (const { after } of all) await untilApplied(shop, after.metadata.name, first.name);

    await expectSame(
      all.map(({ after }) => after),
      foretold,
    );

    const edited = all.map(({ before }) => before);
    const next = await preview(shop, edited, []);
    // Server-side apply: what the manager had applied and is not in it any more goes.
    for (const object of edited) await host.applyObject(object);
    await eventually("all edits have arrived", async () => {
      await expectSame(edited, next);
      return true;
    });

    async function expectSame(objects: readonly KubeObject[], expected: ReadonlyMap<string, string>): Promise<void> {
      for (const { kind, metadata } of objects) {
        const live = await member1.of(kind).find(metadata);
        const name = `${kind} ${metadata.name}`;
        const seen = compare(undefined, live && { ...live, kind }).after;
        expect(withoutRevision(seen), name).toBe(withoutRevision(expected.get(name)));
      }
    }
  });

  it("looks again at an object that was written, or made anew, since it was read", async () => {
    const shop = await openCliShop();
    const { member1, first } = shop;
    const written = configMapYaml(shop, "written", "{gone: x, same: y}");
    const anew = configMapYaml(shop, "anew", "{gone: x, same: y}");
    for (const yaml of [written, anew]) await create(member1, "kubectl-create", one(yaml));
    const stale = await Promise.all([written, anew].map(yaml => member1.of("ConfigMap").find(one(yaml).metadata)));
    await member1.of("ConfigMap").mergePatch(one(written).metadata, { data: { other: "z" } });
    await member1.of("ConfigMap").delete(one(anew).metadata);
    await create(member1, "kubectl-create", one(configMapYaml(shop, "anew", "{same: y}")));

    const seen = await withFleet({ kubeconfig: accessTo("host").kubeconfig, clusters: [first.name] }, async fleet => {
      const [cluster] = fleet.clusters;
      if (!cluster) throw new Error("no member");
      const member = await fleet.member(cluster);
      return Promise.all(
        ["written", "anew"].map((name, i) => {
          const manifest = one(configMapYaml(shop, name, "{same: y}"));
          const work = workToBe({
            template: manifest,
            cluster: first.name,
            existing: undefined,
            taken: undefined,
            conflict: "overwrite",
          });
          return previewObject({ member, work, manifest, live: stale[i], holderOf: () => Promise.resolve(undefined) });
        }),
      );
    });

    expect(seen.map(({ action, after }) => [action, after?.["data"]])).toEqual([
      ["adopt", { same: "y", other: "z" }],
      ["adopt", { same: "y" }],
    ]);
  });

  function one(yaml: string): KubeObject {
    const [object] = objectsIn(yaml);
    if (!object) throw new Error("no object");
    return object;
  }

  async function preview({ first }: CliShop, templates: readonly KubeObject[], files: readonly KubeObject[]) {
    const flags = { kubeconfig: accessTo("host").kubeconfig, clusters: [first.name] };
    return withFleet(flags, async fleet => {
      const policies = await readPolicies(fleet.host.client, files);
      const foretold = new Map<string, string>();
      for (const template of templates) {
        const facts = await factsOf(fleet, template);
        const plan = planTemplate(facts, policies, fleet.all);
        const [visit] = await previewMembers(fleet, { facts, plan, policies });
        if (!visit || !("answer" in visit)) throw new Error(JSON.stringify(visit));
        const { kind, metadata } = template;
        foretold.set(`${kind} ${metadata.name}`, compare(undefined, visit.answer.after).after);
      }
      return foretold;
    });
  }
});

describe("holdfast diff", () => {
  it("ends with 0 for nothing, 1 for differences, 4 for what it could not see", async () => {
    const shop = await openCliShop();
    const { host, namespace, first, second } = shop;
    const members = ["-C", `${first.name},${second.name}`];
    await host.apply(policyYaml(shop, [first.name, second.name]));
    await host.apply(configMapYaml(shop, "settings"));
    await untilApplied(shop, "settings", first.name, second.name);

    expect(await cli(["diff", "cm/settings", "-n", namespace])).toEqual({ code: 0, stdout: "", stderr: "" });

    const edited = file(configMapYaml(shop, "settings", "{a: '2'}"));
    const said = await cli(["diff", "-f", edited, ...members]);
    expect(said.code).toBe(1);
    for (const { name } of [first, second])
      expect(said.stdout).toContain(`+++ MERGED/${name}/v1.ConfigMap.${namespace}.settings`);
    expect(said.stdout.match(/^[-+] .*$/gm)).toEqual(['-  a: "1"', '+  a: "2"', '-  a: "1"', '+  a: "2"']);

    const own = await cli(["diff", "-f", edited, "-C", first.name], { KUBECTL_EXTERNAL_DIFF: "diff -u -N" });
    expect([own.code, own.stdout]).toEqual([
      1,
      expect.stringContaining(`${first.name}.v1.ConfigMap.${namespace}.settings`),
    ]);

    second.proxy.refuse();
    const silent = await cli(["diff", "-f", edited, ...members, "--request-timeout", "2s"]);
    expect(silent.code).toBe(4);
    expect(silent.stdout).toContain(`LIVE/${first.name}/`);
    expect(silent.stderr).toContain(`warning: ${second.name}: ConfigMap ${namespace}/settings could not be compared: `);
  });

  it("takes policies in files for those of the host, and shows what a refused takeover would change", async () => {
    const shop = await openCliShop();
    const { member1, namespace, first, second } = shop;
    await member1.apply(configMapYaml(shop, "settings", "{a: other}"));
    const template = configMapYaml(shop, "settings");

    const nowhere = await cli(["diff", "-f", file(template)]);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      0,
      expect.stringContaining("no policy selects it, so it goes nowhere"),
    ]);

    const refused = await cli(["diff", "-f", file(`${template}\n---${policyYaml(shop, [first.name])}`)]);
    expect(refused.stderr).toContain("would stay as it is: it already exists");
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('+  a: "1"')]);

    const elsewhere = await cli(["diff", "-f", file(`${template}\n---${policyYaml(shop, [second.name])}`)]);
    expect(elsewhere.stdout).toMatch(new RegExp(`LIVE/${second.name}/`));
    expect(elsewhere.stdout).not.toContain(first.name);
    expect(elsewhere.stderr).toContain(`namespace ${namespace} is not there and would be made`);

    const promoted = await cli(["diff", "-f", file(template), "-C", first.name]);
    expect(promoted.stderr).toContain("compared as if one did, with conflictResolution: Overwrite");
    expect(promoted.code).toBe(1);
  });

  it("says what it would leave", async () => {
    const shop = await openCliShop();
    const { host, first, second } = shop;
    await host.apply(policyYaml(shop, [first.name, second.name]));
    await host.apply(configMapYaml(shop, "settings"));
    await untilApplied(shop, "settings", first.name, second.name);

    const said = await cli([
      "diff",
      "-f",
      file(`${configMapYaml(shop, "settings")}\n---${policyYaml(shop, [first.name])}`),
    ]);

    expect([said.code, said.stdout]).toEqual([1, ""]);
    expect(said.stderr).toContain(`${second.name}: ConfigMap`);
    expect(said.stderr).toContain("would leave it");
  });

  it("shows no value of a Secret", async () => {
    const shop = await openCliShop();
    const { member1, namespace, first } = shop;
    const secret = (value: string): string =>
      `{apiVersion: v1, kind: Secret, metadata: {name: key, namespace: ${namespace}}, stringData: {a: ${value}}}`;
    await member1.apply(secret("hidden-before"));

    const said = await cli(["diff", "-f", file(secret("hidden-after")), "-C", first.name]);

    expect(said.stdout).toContain('-  a: "*** (before)"');
    expect(said.stdout).toContain('+  a: "*** (after)"');
    const encoded = ["hidden-before", "hidden-after"].map(text => Buffer.from(text).toString("base64"));
    for (const text of [...encoded, "hidden"]) expect(said.stdout + said.stderr).not.toContain(text);
  });

  it.each`
    given                     | args                         | code | message
    ${"nothing"}              | ${["diff"]}                  | ${2} | ${"diff needs objects or files"}
    ${"a kind without names"} | ${["diff", "cm"]}            | ${2} | ${"no configmaps are named"}
    ${"what is not there"}    | ${["diff", "cm/nothing"]}    | ${4} | ${"the host has no configmap/nothing"}
    ${"a file that is none"}  | ${["diff", "-f", "no-file"]} | ${2} | ${"no-file: "}
  `(
    "ends with $code for $given",
    async ({ args, code, message }: { args: string[]; code: number; message: string }) => {
      const said = await cli(args);
      expect([said.code, said.stderr]).toEqual([code, expect.stringContaining(message)]);
    },
  );
});
