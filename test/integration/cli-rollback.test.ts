// Does a rollback let go of what was taken over, prove it, and leave alone what it should not touch?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { marksOn } from "../../cli/rollback/verify.js";
import { QUICK, startFederation, stopFederation, WHOLE_OPERATOR } from "./support/federation.js";
import { cells, cli, configMapYaml, openCliShop, untilApplied, type CliShop } from "./support/cli.js";
import { eventually } from "./support/eventually.js";
import { editAs, namespaceInMember2, placed, policyFor, webYaml } from "./support/cli-rollback.js";

const WORD = "resourcetemplate.karmada.io/cascadedeletion";

describe("holdfast rollback", () => {
  it("keeps the objects and their Pods, proves it, and proves what it can when it is run again", async () => {
    const shop = await openCliShop();
    const { namespace, member1, first, host } = shop;
    await member1.apply(webYaml(shop, "1"));
    await host.apply(policyFor(shop, "web", "Deployment", [first.name]));
    await host.apply(webYaml(shop, "1"));
    await untilApplied(shop, "web", first.name);
    const before = await eventually("there are Pods", async () => {
      const pods = await member1.list("Pod", namespace);
      return pods.length === 2 && pods;
    });
    const web = await inMember(shop, "Deployment", "web");

    const dry = await cli(["rollback", "deploy/web", "-n", namespace, "--dry-run"]);
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(dry.stdout).toContain(`${first.name}: Deployment ${namespace}/web stays as it is, without marks`);
    expect((await host.find({ kind: "Deployment", namespace, name: "web" }))?.metadata.annotations?.[WORD]).toBe(
      undefined,
    );

    const said = await cli(["rollback", "deploy/web", "-n", namespace]);

    expect(said.code, said.stdout + said.stderr).toBe(0);
    expect(cells(said)).toEqual([["deployment.apps/web", first.name, "Kept", "same", "2/2 same", "none", "<none>"]]);
    const after = await inMember(shop, "Deployment", "web");
    expect([after.metadata.uid, after.metadata.generation]).toEqual([web.metadata.uid, web.metadata.generation]);
    expect(uids(await member1.list("Pod", namespace))).toEqual(uids(before));
    expect(await host.find({ kind: "Deployment", namespace, name: "web" })).toBeUndefined();

    const again = await cli(["rollback", "deploy/web", "-n", namespace, "-C", first.name]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("the template had gone already");
    const nothing = await cli(["rollback", "deploy/other", "-n", namespace]);
    expect(nothing.code).toBe(1);
    expect(nothing.stdout).toContain("neither the host nor any member that answers has it");
  });

  it("gives values of before back, in one command for many objects, and leaves alone what others have changed", async () => {
    const shop = await openCliShop();
    const { namespace, member1, first, second, host } = shop;
    await namespaceInMember2(shop);
    for (const name of ["plain", "edited"]) await member1.apply(configMapYaml(shop, name, "{a: before, b: kept}"));
    await host.apply(policyFor(shop, "all", "ConfigMap", [first.name, second.name]));
    for (const name of ["plain", "edited"]) await host.apply(configMapYaml(shop, name, "{a: ours}"));
    for (const name of ["plain", "edited"]) await untilApplied(shop, name, first.name, second.name);
    await editAs(member1, { kind: "ConfigMap", namespace, name: "edited" }, { data: { c: "theirs" } });
    const args = ["rollback", "cm/plain", "cm/edited", "-n", namespace, "--restore"];

    const dry = await cli([...args, "--dry-run"]);
    expect(dry.code).toBe(1);
    expect(dry.stdout).toContain("-  a: ours\n+  a: before\n");
    expect(dry.stderr).toContain("changed by others since it was taken over: /data/c");

    const said = await cli([...args, "-y", "-o", "json"]);
    expect(said.code).toBe(1);
    expect(outcomes(said.stdout)).toEqual(
      [
        ["plain", first.name, "Restored"],
        ["plain", second.name, "Kept"],
        ["edited", undefined, "Refused"],
      ].sort(byCluster(first.name)),
    );
    expect((await inMember(shop, "ConfigMap", "plain"))["data"]).toEqual({ a: "before", b: "kept" });
    expect((await inMember(shop, "ConfigMap", "edited"))["data"]).toMatchObject({ a: "ours", c: "theirs" });
    expect((await host.find({ kind: "ConfigMap", namespace, name: "edited" }))?.metadata.annotations?.[WORD]).toBe(
      undefined,
    );

    const forced = await cli([...args, "-y", "--force"]);
    expect(forced.code, forced.stdout + forced.stderr).toBe(0);
    const edited = await inMember(shop, "ConfigMap", "edited");
    expect(edited["data"]).toEqual({ a: "before", b: "kept" });
    expect(marksOn(edited)).toEqual([]);
  });

  it("takes one cluster out and leaves the other under care, unless others would leave as well", async () => {
    const shop = await openCliShop();
    const { namespace, first, second, host } = shop;
    await placed(shop, "shared-a", "shared-b");
    const refused = await cli(["rollback", "cm/shared-a", "-n", namespace, "-C", first.name]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("also places shared-b-configmap");
    const whole = await cli(["rollback", "cm/shared-a", "-n", namespace, "-C", `${first.name},${second.name}`]);
    expect(whole.stdout).toContain("leave --clusters out");

    const said = await cli(["rollback", "cm/shared-a", "cm/shared-b", "-n", namespace, "-C", first.name]);

    expect(said.code, said.stdout + said.stderr).toBe(0);
    expect(cells(said).map(row => row.slice(0, 4))).toEqual([
      ["configmap/shared-a", first.name, "Kept", "same"],
      ["configmap/shared-b", first.name, "Kept", "same"],
    ]);
    expect(marksOn(await inMember(shop, "ConfigMap", "shared-a"))).toEqual([]);
    const template = await host.find({ kind: "ConfigMap", namespace, name: "shared-a" });
    expect(template?.metadata.deletionTimestamp).toBeUndefined();
    expect(template?.metadata.annotations?.[WORD]).toBeUndefined();
    const works = (await shop.deps.host.works.client.list()).items.filter(({ metadata }) =>
      metadata.name.startsWith("shared-a-"),
    );
    expect(works.map(({ metadata }) => metadata.namespace)).toEqual([`karmada-es-${second.name}`]);
    expect((await cli(["rollback", "cm/shared-a", "-n", namespace, "-C", first.name])).code).toBe(0);
  });

  it("edits no policy by which a template would leave too that is left alone", async () => {
    const shop = await openCliShop();
    const { namespace, first, member1 } = shop;
    await placed(shop, "free", "edited");
    await editAs(member1, { kind: "ConfigMap", namespace, name: "edited" }, { data: { c: "theirs" } });

    const words = ["rollback", "cm/free", "cm/edited", "-n", namespace, "-C", first.name, "--restore", "-y"];
    const said = await cli(words);

    expect(said.code, said.stderr).toBe(1);
    expect(said.stdout).toContain(`also places ConfigMap ${namespace}/edited`);
    for (const name of ["free", "edited"]) {
      const copy = await inMember(shop, "ConfigMap", name);
      expect(copy && marksOn(copy), name).not.toEqual([]);
    }
  });

  it("goes on from wherever an earlier run was killed", async () => {
    const shop = await openCliShop();
    const { namespace, host } = shop;
    await placed(shop, "worded", "leaving");
    await host.patch(
      { kind: "ConfigMap", namespace, name: "worded" },
      { metadata: { annotations: { [WORD]: "orphan" } } },
    );
    await host.patch(
      { kind: "ConfigMap", namespace, name: "leaving" },
      { metadata: { annotations: { [WORD]: "orphan" } } },
    );
    await host.delete({ kind: "ConfigMap", namespace, name: "leaving" });

    const said = await cli(["rollback", "cm/worded", "cm/leaving", "-n", namespace, "-y"]);

    expect(said.code, said.stdout + said.stderr).toBe(0);
    expect(cells(said).every(row => row[2] === "Kept" && row[5] === "none")).toBe(true);
  });

  it("waits for an operator that is down, says what to do, and deletes nothing meanwhile", async () => {
    const shop = await openCliShop();
    const { namespace, host, deps } = shop;
    await placed(shop, "settings");
    await stopFederation(deps);

    const said = await cli(["rollback", "cm/settings", "-n", namespace, "--timeout", "1s"]);

    expect(said.code).toBe(1);
    expect(said.stdout).toContain("nothing is deleted: start it");
    const template = await host.find({ kind: "ConfigMap", namespace, name: "settings" });
    expect(template?.metadata.deletionTimestamp).toBeUndefined();
    await startFederation(QUICK, WHOLE_OPERATOR);
    const again = await cli(["rollback", "cm/settings", "-n", namespace]);
    expect(again.code, again.stdout + again.stderr).toBe(0);
  });

  it("leaves protected templates alone", async () => {
    const shop = await openCliShop();
    const { namespace, host } = shop;
    await placed(shop, "settings");
    const labels = { "resourcetemplate.karmada.io/deletion-protected": "Always" };
    await host.patch({ kind: "ConfigMap", namespace, name: "settings" }, { metadata: { labels } });

    const said = await cli(["rollback", "cm/settings", "-n", namespace, "-y", "--force"]);

    expect(said.code).toBe(1);
    expect(said.stderr).toContain("take the label off first");
    const template = await host.find({ kind: "ConfigMap", namespace, name: "settings" });
    expect(template?.metadata.annotations?.[WORD]).toBeUndefined();
  });

  it("lets go where it can, and says that a member which does not answer is still to come", async () => {
    const shop = await openCliShop();
    const { namespace, host, first, second } = shop;
    await placed(shop, "settings");
    second.proxy.refuse();
    const args = ["rollback", "cm/settings", "-n", namespace, "-y", "--request-timeout", "2s"];

    const restoring = await cli([...args, "--restore"]);
    expect(restoring.stdout).toContain(`${second.name} cannot be looked at`);
    const said = await cli(args);

    expect(said.code).toBe(1);
    const rows = new Map(cells(said).map(row => [row[1], row[2]]));
    expect(rows).toEqual(
      new Map(
        [
          [first.name, "Kept"],
          [second.name, "Pending"],
        ].sort() as [string, string][],
      ),
    );
    expect(await host.find({ kind: "ConfigMap", namespace, name: "settings" })).toBeUndefined();

    second.proxy.pass();
    const later = await eventually("the other has let go as well", async () => {
      const now = await cli(args);
      return now.code === 0 && now;
    });
    expect(later.stdout).toContain(second.name);
  });
});

function uids(objects: readonly KubeObject[]): readonly (string | undefined)[] {
  return objects.map(({ metadata }) => metadata.uid).sort();
}

function byCluster(first: string) {
  return (a: readonly (string | undefined)[], b: readonly (string | undefined)[]): number => {
    if (a[0] !== b[0]) return a[0] === "plain" ? -1 : 1;
    return (a[1] ?? first) < (b[1] ?? first) ? -1 : 1;
  };
}

function outcomes(text: string): (string | undefined)[][] {
  const { proofs } = JSON.parse(text) as {
    proofs: readonly { object: KubeObject; cluster?: string; outcome: string }[];
  };
  return proofs.map(({ object, cluster, outcome }) => [object.metadata.name, cluster, outcome]);
}

async function inMember({ member1, namespace }: CliShop, kind: string, name: string): Promise<KubeObject> {
  const found = await member1.find({ kind, namespace, name });
  if (!found) throw new Error(`${kind} ${name} is not in the member`);
  return found;
}
