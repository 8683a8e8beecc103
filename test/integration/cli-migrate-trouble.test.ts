// Is a migration that is killed, overtaken or in trouble left where it can be gone on with, or turned back?
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { readHealth } from "../../cli/migrate/health.js";
import { remember } from "../../cli/migrate/record.js";
import { withFleet } from "../../cli/access/fleet.js";
import { objectKey } from "../../cli/view/adoption.js";
import { executionNamespace } from "../../lib/domain/names.js";
import { cli, openCliShop, type CliShop } from "./support/cli.js";
import { accessTo } from "./support/engine.js";
import { eventually } from "./support/eventually.js";
import { mixedObjects } from "./support/migration-mix.js";
import { createAs, learnAll, podsIn } from "./support/migration.js";

const PROGRAM = join(import.meta.dirname, "../../cli/holdfast.js");

interface Team extends CliShop {
  readonly dir: string;
  readonly pods: readonly string[];
}

/** Twenty-six objects in a member, and a plan for them. */
async function planned(): Promise<Team> {
  const shop = await openCliShop();
  for (const site of [shop.host, shop.member1]) learnAll(site);
  for (const { object, manager } of mixedObjects(shop.namespace, 26)) await createAs(shop.member1, manager, object);
  await eventually(
    "six Pods are ready",
    async () => (await podsIn(shop.member1, shop.namespace)).length === 6,
    120_000,
  );
  const dir = mkdtempSync(join(tmpdir(), "holdfast-trouble-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const said = await cli(["migrate", "plan", "--from", shop.first.name, "-n", shop.namespace, "-o", dir]);
  expect([said.code, said.stdout]).toEqual([0, expect.stringContaining("26 adoptable as they are")]);
  return { ...shop, dir, pods: await podsIn(shop.member1, shop.namespace) };
}

/** A process of its own, killed as soon as `when` says so; true when it was still running. */
async function killed(args: readonly string[], when: () => Promise<boolean>): Promise<boolean> {
  const env = { ...process.env, KUBECONFIG: accessTo("host").kubeconfig };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: "ignore" });
  const ended = new Promise<void>(resolve => child.on("close", () => resolve()));
  await eventually("it is far enough", async () => child.exitCode !== null || (await when()), 60_000);
  const wasRunning = child.exitCode === null && child.kill("SIGKILL");
  await ended;
  return wasRunning;
}

async function marked({ member1, namespace }: Team): Promise<number> {
  const kinds = ["ServiceAccount", "ConfigMap", "Role", "Service", "Deployment", "StatefulSet", "PodDisruptionBudget"];
  const lists = await Promise.all(kinds.map(kind => member1.list(kind, namespace)));
  return lists.flat().filter(({ metadata }) => metadata.labels?.["karmada.io/managed"] === "true").length;
}

describe("holdfast migrate, killed in the middle", () => {
  it("goes on where it was, there and back, and no Pod notices", { timeout: 300_000 }, async () => {
    const team = await planned();
    const { host, member1, namespace, dir, first, pods } = team;
    spawnSync(process.execPath, [PROGRAM, "version", "--client"]);
    const works = async (): Promise<number> => (await host.list("Work", executionNamespace(first.name))).length;

    const kills = [];
    for (const far of [1, 6, 14]) {
      kills.push(await killed(["migrate", "apply", dir, "-y", "--wave", "4"], async () => (await works()) >= far));
      expect(await podsIn(member1, namespace)).toEqual(pods);
    }
    expect(kills).toContain(true);
    const halfway = await cli(["migrate", "status", dir]);
    expect(halfway.stdout).toMatch(/26 objects: .*moved/);

    const said = await cli(["migrate", "apply", dir, "-y"]);
    expect([said.code, said.stderr]).toEqual([0, expect.stringContaining("are taken over already")]);
    expect(await cli(["migrate", "status", dir])).toMatchObject({ code: 0, stdout: "26 objects: 26 moved\n" });

    const all = await marked(team);
    const wasKilled = await killed(["migrate", "rollback", dir, "-y"], async () => (await marked(team)) < all);
    const back = await cli(["migrate", "rollback", dir, "-y"]);
    expect([wasKilled, back.code, back.stdout]).toEqual([
      wasKilled,
      0,
      expect.stringContaining("26 objects brought back and proven"),
    ]);
    expect(await marked(team)).toBe(0);
    expect(await podsIn(member1, namespace)).toEqual(pods);
    expect(await host.list("PropagationPolicy", namespace)).toEqual([]);
  });
});

describe("holdfast migrate apply", () => {
  it("stops at the first object whose Pods suffer, and says what to do", { timeout: 200_000 }, async () => {
    const team = await planned();
    const { host, member1, namespace, dir, first } = team;
    const web = {
      ...(await member1.find({ kind: "Deployment", namespace, name: "app-0" })),
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace, name: "app-0" },
    };
    await withFleet({ kubeconfig: accessTo("host").kubeconfig, clusters: [first.name] }, async fleet => {
      const [cluster] = fleet.clusters;
      if (!cluster) throw new Error("no cluster");
      const health = (await readHealth(await fleet.member(cluster), [web])).get(objectKey(web));
      if (!health) throw new Error("no health");
      // As an apply that was killed after it had remembered, before it had done anything.
      remember(dir, [{ key: objectKey(web), uid: health.uid, health }]);
    });
    const [pod] = (await member1.list("Pod", namespace)).filter(
      ({ metadata }) => metadata.name.startsWith("app-0-") && metadata.labels?.["role"] === "web",
    );
    await member1.delete({ kind: "Pod", namespace, name: pod?.metadata.name ?? "" });
    await eventually("another Pod is there", async () => (await podsIn(member1, namespace)).length === 6, 60_000);

    const said = await cli(["migrate", "apply", dir, "-y", "--wave", "1"]);

    expect(said.code).toBe(1);
    expect(said.stderr).toContain(`warning: Deployment ${namespace}/app-0: 1 of its Pods were replaced`);
    expect(said.stderr).toMatch(/error: stopped at Deployment \S+; \d+ objects taken over, \d+ not/);
    expect(said.stderr).toContain(`or holdfast migrate rollback ${dir} to bring everything back`);
    expect(await host.find({ kind: "HorizontalPodAutoscaler", namespace, name: "app-0" })).toBeUndefined();
    const status = await cli(["migrate", "status", dir]);
    expect([status.code, status.stdout]).toEqual([1, expect.stringContaining("Suffers")]);
    const back = await cli(["migrate", "rollback", dir, "-y"]);
    expect([back.code, back.stdout]).toEqual([0, expect.stringContaining("brought back and proven")]);
  });

  it("does nothing when something has moved since the plan, unless it is told to", { timeout: 200_000 }, async () => {
    const team = await planned();
    const { host, member1, namespace, dir } = team;
    const file = join(dir, namespace, "configmap-app-1.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("mode: fast", "mode: edited"));
    await member1.patch({ kind: "ConfigMap", namespace, name: "app-0" }, { data: { mode: "slow" } });
    await member1.delete({ kind: "Service", namespace, name: "app-0" });

    const said = await cli(["migrate", "apply", dir, "-y"]);

    expect(said.code).toBe(2);
    expect(said.stderr).toContain(`ConfigMap ${namespace}/app-0 would change otherwise than planned\n`);
    expect(said.stderr).toContain(
      `ConfigMap ${namespace}/app-1 would change otherwise than planned, since its file was edited`,
    );
    expect(said.stderr).toContain(`Service ${namespace}/app-0 is not in`);
    expect(await host.list("Deployment", namespace)).toEqual([]);
    // Nothing of it has been moved: what is on the host is none of a rollback's business.
    await host.apply(
      `{apiVersion: v1, kind: ConfigMap, metadata: {name: app-0, namespace: ${namespace}}, data: {own: "1"}}`,
    );
    const back = await cli(["migrate", "rollback", dir, "-y"]);
    expect([back.code, back.stdout]).toEqual([0, expect.stringContaining("0 objects brought back")]);
    expect(await host.find({ kind: "ConfigMap", namespace, name: "app-0" })).toBeDefined();
    await host.delete({ kind: "ConfigMap", namespace, name: "app-0" });

    const forced = await cli(["migrate", "apply", dir, "-y", "--accept-changes"]);
    expect([forced.code, forced.stdout]).toEqual([0, expect.stringContaining("25 objects taken over")]);
    const edited = await member1.find({ kind: "ConfigMap", namespace, name: "app-1" });
    expect(edited?.["data"]).toEqual({ mode: "edited" });
    const restored = await cli(["migrate", "rollback", dir, "-y", "--restore"]);
    expect(restored.code).toBe(0);
    expect((await member1.find({ kind: "ConfigMap", namespace, name: "app-1" }))?.["data"]).toEqual({ mode: "fast" });
  });

  it.each`
    given                      | args                             | message
    ${"a directory without"}   | ${["apply", "nowhere"]}          | ${"nowhere: there is no plan"}
    ${"a wave of none"}        | ${["apply", "x", "--wave", "0"]} | ${"write a number from 1"}
    ${"a rollback of nothing"} | ${["rollback", "nowhere", "-y"]} | ${"there is no plan"}
  `("refuses $given", async ({ args, message }: { args: string[]; message: string }) => {
    expect(inject("clusters")).toBeDefined();
    const said = await cli(["migrate", ...args]);
    expect([said.code, said.stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
