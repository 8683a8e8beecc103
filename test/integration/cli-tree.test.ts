// Does tree follow one template down to the members, and say where the chain breaks?
import { describe, expect, it } from "vitest";
import type { TreeNode } from "../../cli/tree/node.js";
import { cells, cli, configMapYaml, openCliShop, policyYaml, untilApplied } from "./support/cli.js";
import { eventually } from "./support/eventually.js";

describe("holdfast tree", () => {
  it("goes from the template over policy, binding and Works to the objects", async () => {
    const shop = await openCliShop();
    const { host, member1, namespace, first, second } = shop;
    await member1.apply(configMapYaml(shop, "settings"));
    await host.apply(policyYaml(shop, [first.name, second.name], "Overwrite"));
    await host.apply(configMapYaml(shop, "settings"));
    await untilApplied(shop, "settings", first.name, second.name);

    const data = await cli(["tree", "cm/settings", "-n", namespace, "-o", "json"]);
    const root = JSON.parse(data.stdout) as TreeNode;
    const chain = [root, root.children?.[0], root.children?.[0]?.children?.[0]];
    expect(chain.map(node => node?.kind)).toEqual(["ConfigMap", "PropagationPolicy", "ResourceBinding"]);
    const works = chain[2]?.children ?? [];
    expect(works.map(({ kind, cluster, state }) => [kind, cluster, state])).toEqual(
      [first.name, second.name].sort().map(cluster => ["Work", cluster, "Applied"]),
    );
    const adoptions = works.flatMap(({ children = [] }) =>
      children.map(({ cluster, adoption }) => [cluster, adoption]),
    );
    expect(Object.fromEntries(adoptions)).toEqual({ [first.name]: "Adopted", [second.name]: "Created" });

    const drawn = await cli(["tree", "cm", "settings", "-n", namespace, "-C", first.name]);
    expect(drawn).toMatchObject({ code: 0, stderr: "" });
    expect(cells(drawn).map(([object]) => object)).toEqual([
      "ConfigMap/settings",
      "└── PropagationPolicy/all",
      "    └── ResourceBinding/settings-configmap",
      expect.stringMatching(/^ {8}└── Work\/karmada-es-/),
      "            └── ConfigMap/settings",
    ]);

    second.proxy.refuse();
    const silent = await cli(["tree", "cm/settings", "-n", namespace, "--request-timeout", "2s"]);
    expect(silent.code).toBe(4);
    expect(silent.stdout).toContain("Unreachable");
    expect(silent.stderr).toContain(`warning: ConfigMap settings (${second.name}): `);
  });

  it("says why an object is not taken over, and what no policy has claimed", async () => {
    const shop = await openCliShop();
    const { host, member1, namespace, first } = shop;
    await member1.apply(configMapYaml(shop, "settings", "{a: other}"));
    await host.apply(configMapYaml(shop, "settings"));
    const unclaimed = await cli(["tree", "cm/settings", "-n", namespace]);
    expect(unclaimed.stderr).toContain("no policy has claimed it");

    await host.apply(policyYaml(shop, [first.name]));

    const said = await eventually("it is refused", async () => {
      const now = await cli(["tree", "cm/settings", "-n", namespace]);
      return now.stdout.includes("NotApplied") && now;
    });
    expect(cells(said).at(-1)?.[4]).toBe("Foreign");
    expect(said.stderr).toMatch(/warning: Work settings-\w+ \(.*conflictResolution is Abort/);
  });

  it.each`
    args                                  | code | message
    ${["tree", "cm/nothing-of-the-kind"]} | ${1} | ${"the host has no configmap/nothing-of-the-kind in namespace default"}
    ${["tree", "cm"]}                     | ${2} | ${"does not name one object"}
  `("refuses $args", async ({ args, code, message }: { args: string[]; code: number; message: string }) => {
    const said = await cli(args);
    expect([said.code, said.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});
