// Does preserve set the word, take it off, and say what would happen?
import { describe, expect, it } from "vitest";
import { cells, cli, openCliShop } from "./support/cli.js";
import { placed } from "./support/cli-rollback.js";

describe("holdfast preserve", () => {
  it("sets the word until every Work has it, tells it by cluster, and takes it off again", async () => {
    const shop = await openCliShop();
    const { namespace, first, second, host } = shop;
    await placed(shop, "settings");
    const preserve = (verb: string, ...more: readonly string[]) =>
      cli(["preserve", verb, "cm/settings", "-n", namespace, ...more]);
    const places = [first.name, second.name].sort();

    const before = await preserve("status");
    expect(before.code).toBe(1);
    expect(cells(before).map(row => row.slice(1, 4))).toEqual(places.map(name => [name, "is deleted", "yes"]));

    expect(await preserve("enable")).toMatchObject({
      code: 0,
      stdout: "configmap/settings is kept when it is deleted\n",
    });
    const enabled = await preserve("status", "-o", "json");
    expect(enabled.code).toBe(0);
    const { copies } = JSON.parse(enabled.stdout) as { copies: readonly Record<string, unknown>[] };
    expect(copies.map(({ cluster, word, reason, isInWork }) => [cluster, word, reason, isInWork])).toEqual(
      places.map(name => [name, "orphan", "TemplateAnnotation", true]),
    );

    expect((await preserve("disable")).code).toBe(0);
    expect((await preserve("status")).code).toBe(1);
    const template = await host.find({ kind: "ConfigMap", namespace, name: "settings" });
    expect(template?.metadata.annotations ?? {}).not.toHaveProperty("resourcetemplate.karmada.io/cascadedeletion");
    expect((await preserve("enable", "--wait=false")).code).toBe(0);
  });

  it("says what is not there", async () => {
    const { namespace } = await openCliShop();
    const said = await cli(["--color=never", "preserve", "enable", "cm/none", "-n", namespace]);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain("the host does not have it");
  });
});
