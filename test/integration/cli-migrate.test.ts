// Does a team get there and back, in one go or interrupted, without one of its Pods noticing?
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { KARMADA_MEMBER_LABELS } from "../../lib/domain/marks.js";
import { cli, openCliShop, type CliShop, type Said } from "./support/cli.js";
import { eventually } from "./support/eventually.js";
import { createAs, learnAll, podsIn } from "./support/migration.js";
import { mixedObjects } from "./support/migration-mix.js";

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), "holdfast-migrate-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function timed(what: string, work: () => Promise<Said>): Promise<Said> {
  const started = performance.now();
  const said = await work();
  console.info(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return said;
}

async function teamOf(count: number): Promise<CliShop & { readonly objects: readonly KubeObject[] }> {
  const shop = await openCliShop();
  for (const site of [shop.host, shop.member1]) learnAll(site);
  const mixed = mixedObjects(shop.namespace, count);
  for (const { object, manager } of mixed) await createAs(shop.member1, manager, object);
  const objects = mixed.map(({ object }) => object);
  const wanted = objects.filter(({ kind }) => kind === "Deployment" || kind === "StatefulSet").length;
  await eventually(
    `${wanted} Pods are ready`,
    async () => (await podsIn(shop.member1, shop.namespace)).length === wanted,
    120_000,
  );
  return { ...shop, objects };
}

async function liveOf(
  { member1, namespace }: CliShop,
  objects: readonly KubeObject[],
): Promise<ReadonlyMap<string, KubeObject>> {
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  const lists = await Promise.all(
    kinds.map(async kind => (await member1.list(kind, namespace)).map(live => ({ ...live, kind }))),
  );
  const names = new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const all = lists.flat().map(live => [`${live.kind} ${live.metadata.name}`, live] as const);
  return new Map(all.filter(([name]) => names.has(name)));
}

const uidsOf = (live: ReadonlyMap<string, KubeObject>) =>
  [...live].map(([name, { metadata }]) => `${name} ${metadata.uid}`).sort();

const markedIn = (live: ReadonlyMap<string, KubeObject>) =>
  [...live]
    .filter(([, { metadata }]) => KARMADA_MEMBER_LABELS.some(label => label in (metadata.labels ?? {})))
    .map(([name]) => name);

describe("holdfast migrate", () => {
  it("takes 200 mixed objects there and back, and no Pod restarts", { timeout: 600_000 }, async () => {
    const team = await teamOf(200);
    const { host, member1, namespace, first, objects } = team;
    const dir = directory();
    const before = await liveOf(team, objects);
    const pods = await podsIn(member1, namespace);

    const planned = await timed("plan of 200 objects", () =>
      cli(["migrate", "plan", "--from", first.name, "-n", namespace, "-o", dir]),
    );
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining("0 cannot be taken over")]);

    const applied = await timed("apply of 200 objects", () => cli(["migrate", "apply", dir, "-y", "--progress=plain"]));
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("200 objects taken over")]);
    const held = await liveOf(team, objects);
    expect(markedIn(held)).toHaveLength(200);
    expect(uidsOf(held)).toEqual(uidsOf(before));
    expect(await podsIn(member1, namespace)).toEqual(pods);

    const status = await cli(["migrate", "status", dir]);
    expect([status.code, status.stdout]).toEqual([0, "200 objects: 200 moved\n"]);
    const again = await cli(["migrate", "apply", dir, "-y"]);
    expect([again.code, again.stdout]).toEqual([0, "all 200 objects are under Holdfast already: nothing to do\n"]);

    const back = await timed("rollback of 200 objects", () => cli(["migrate", "rollback", dir, "-y"]));
    expect([back.code, back.stdout]).toEqual([
      0,
      "200 objects brought back and proven, 0 were not moved, 0 not proven\n",
    ]);
    const after = await liveOf(team, objects);
    expect(markedIn(after)).toEqual([]);
    expect(uidsOf(after)).toEqual(uidsOf(before));
    expect(await podsIn(member1, namespace)).toEqual(pods);
    for (const kind of ["Deployment", "PropagationPolicy"]) expect(await host.list(kind, namespace)).toEqual([]);
    expect(await cli(["migrate", "status", dir])).toMatchObject({ code: 0, stdout: "200 objects: 200 open\n" });
  });

  it("brings back what has no field of its own, and what people have edited on the host since", async () => {
    const shop = await openCliShop();
    const { host, member1, namespace, first } = shop;
    for (const site of [host, member1]) learnAll(site);
    const meta = (name: string) => ({ name, namespace });
    const objects: KubeObject[] = [
      { apiVersion: "v1", kind: "ServiceAccount", metadata: meta("bare") },
      { apiVersion: "v1", kind: "ConfigMap", metadata: meta("edited"), data: { a: "1" } },
    ];
    for (const object of objects) await createAs(member1, "kubectl-create", object);
    const dir = directory();
    await cli(["migrate", "plan", "--from", first.name, "-n", namespace, "-o", dir]);
    await cli(["migrate", "apply", dir, "-y"]);
    await host.of("ConfigMap").mergePatch(meta("edited"), { data: { a: "2" } });

    const back = await cli(["migrate", "rollback", dir, "-y"]);

    expect([back.code, back.stdout]).toEqual([0, expect.stringContaining("2 objects brought back and proven, 0 were")]);
    expect(markedIn(await liveOf(shop, objects))).toEqual([]);
    for (const { kind, metadata } of objects) expect(await host.of(kind).find(metadata)).toBeUndefined();
  });

  it(
    "makes the Namespace that the host lacks, takes it away again, and moves anew at once",
    { timeout: 200_000 },
    async () => {
      const team = await teamOf(13);
      const { host, member1, namespace, first } = team;
      const dir = directory();
      const place = { kind: "Namespace", name: namespace };
      await host.delete(place);
      await eventually("the host has no such Namespace", async () => !(await host.find(place)), 60_000);
      const pods = await podsIn(member1, namespace);
      await cli(["migrate", "plan", "--from", first.name, "-n", namespace, "-o", dir]);

      for (const again of ["there and back", "once more, while the Namespace is still going"]) {
        const applied = await cli(["migrate", "apply", dir, "-y"]);
        expect([again, applied.code, applied.stdout]).toEqual([
          again,
          0,
          expect.stringContaining("13 objects taken over"),
        ]);
        const back = await cli(["migrate", "rollback", dir, "-y"]);
        expect([back.code, back.stderr]).toEqual([0, expect.stringContaining(`Namespace ${namespace}`)]);
      }
      expect(await podsIn(member1, namespace)).toEqual(pods);
      await eventually("the host has no such Namespace again", async () => !(await host.find(place)), 60_000);
      expect(await member1.find(place)).toBeDefined();
    },
  );
});
