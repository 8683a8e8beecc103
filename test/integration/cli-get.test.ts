// Does get show what host and members have, whose it is, and what it could not see?
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { cells, cli, configMapYaml, openCliShop, policyYaml, untilApplied, type CliShop } from "./support/cli.js";

/** Works of namespaces are nobody's to suspend. */
function isSuspended({ spec }: Work): boolean {
  const [manifest] = spec.workload?.manifests ?? [];
  return manifest?.kind === "Namespace" || spec.suspendDispatching === true;
}

/** `adopted` was in the first member before, `made` was not, `theirs` is there and nobody's business, `refused` too. */
async function filledShop(): Promise<CliShop> {
  const shop = await openCliShop();
  const { host, member1, first, second } = shop;
  for (const name of ["adopted", "theirs"]) await member1.apply(configMapYaml(shop, name));
  await host.apply(policyYaml(shop, [first.name, second.name], "Overwrite"));
  for (const name of ["adopted", "made"]) await host.apply(configMapYaml(shop, name));
  for (const name of ["adopted", "made"]) await untilApplied(shop, name, first.name, second.name);
  return shop;
}

describe("holdfast get", () => {
  it("has a row for every object in every place, and says whose it is", async () => {
    const shop = await filledShop();
    const { namespace, first, second } = shop;
    const own = (rows: readonly string[][]): string[][] => rows.filter(([name]) => name !== "kube-root-ca.crt");

    const said = await cli(["get", "cm", "-n", namespace, "-C", `${first.name},${second.name}`]);

    expect(said.stdout.split("\n")[0]).toMatch(/^NAME +CLUSTER +READY +STATUS +ADOPTION +AGE$/);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    const rows = own(cells(said)).map(([name, cluster, , , adoption]) => [name, cluster, adoption]);
    const members = [
      [first.name, "Adopted"],
      [second.name, "Created"],
    ].sort();
    expect(rows).toEqual([
      ["adopted", "<host>", "Template"],
      ...members.map(([cluster, adoption]) => ["adopted", cluster, adoption]),
      ["made", "<host>", "Template"],
      ...[first.name, second.name].sort().map(cluster => ["made", cluster, "Created"]),
      ["theirs", first.name, "Foreign"],
    ]);

    const named = await cli([
      "get",
      "configmaps/made",
      "-n",
      namespace,
      "-C",
      first.name,
      "--operation-scope",
      "members",
    ]);
    expect(cells(named).map(row => row.slice(0, 2))).toEqual([["made", first.name]]);

    const selected = await cli(["get", "cm", "-l", "app=theirs", "-n", namespace, "-C", first.name, "-o", "json"]);
    const { items } = JSON.parse(selected.stdout) as { items: KubeObject[] };
    expect(
      items.map(({ metadata }) => [metadata.name, metadata.annotations?.["resource.karmada.io/cached-from-cluster"]]),
    ).toEqual([["theirs", first.name]]);
    expect(items[0]?.metadata.managedFields).toBeUndefined();

    const names = await cli(["get", "cm", "adopted", "made", "-n", namespace, "-o", "name"]);
    expect(names.stdout).toBe("configmap/adopted\nconfigmap/made\n");

    const one = await cli(["get", "cm", "theirs", "-n", namespace, "-C", first.name, "-o", "yaml"]);
    expect(parse(one.stdout)).toMatchObject({ kind: "ConfigMap", metadata: { name: "theirs" } });

    const all = await cli(["get", "cm", "-A", "-l", "app=made", "-o", "wide", "--no-headers", "-C", first.name]);
    expect(all.stdout.split("\n")[0]).toMatch(
      new RegExp(`^${namespace} +made +<host> .*PropagationPolicy ${namespace}/all`),
    );
  });

  it("says what is missing, and what it could not see, and shows the rest", async () => {
    const shop = await filledShop();
    const { namespace, first, second, deps, member1 } = shop;
    const both = ["-n", namespace, "-C", `${first.name},${second.name}`];
    second.proxy.refuse();
    await expect.poll(() => deps.members.get(second.name)?.ready, { timeout: 20_000 }).toBe(false);

    const said = await cli(["get", "cm/adopted", ...both, "--request-timeout", "2s"]);

    expect(said.code).toBe(4);
    expect(said.stderr).toMatch(new RegExp(`^warning: ${second.name} could not be looked at: .*ECONN`, "m"));
    expect(
      cells(said)
        .find(([, cluster]) => cluster === second.name)
        ?.slice(3, 5),
    ).toEqual(["Unreachable", "Created"]);
    expect(cells(said).find(([, cluster]) => cluster === first.name)?.[4]).toBe("Adopted");

    await shop.host.patch(
      { kind: "PropagationPolicy", namespace, name: "all" },
      { spec: { suspension: { dispatching: true } } },
    );
    await expect
      .poll(() => deps.host.works.client.list({}, `karmada-es-${first.name}`), { timeout: 20_000 })
      .toMatchObject({ items: expect.toSatisfy((works: Work[]) => works.every(isSuspended)) as unknown });
    await member1.delete({ kind: "ConfigMap", namespace, name: "made" });
    const gone = await cli(["get", "cm/made", "-n", namespace, "-C", first.name]);
    expect(gone.code).toBe(0);
    expect(cells(gone).map(row => [row[1], row[4]])).toEqual([
      ["<host>", "Template"],
      [first.name, "Missing"],
    ]);
  });

  it.each`
    given                            | args                                 | code | message
    ${"a kind that is not served"}   | ${["get", "unicorns"]}               | ${2} | ${/the host serves no kind "unicorns"/}
    ${"a member that is not joined"} | ${["get", "cm", "-C", "nowhere"]}    | ${2} | ${/there is no cluster nowhere on the host/}
    ${"a name that is nowhere"}      | ${["get", "cm/nothing-of-the-kind"]} | ${1} | ${/configmap\/nothing-of-the-kind is nowhere/}
    ${"names and a selector"}        | ${["get", "cm/a", "-l", "a=b"]}      | ${2} | ${/names and --selector/}
    ${"names in all namespaces"}     | ${["get", "cm/a", "-A"]}             | ${2} | ${/names and --all-namespaces/}
    ${"a selector that is none"}     | ${["get", "cm", "-l", "a in b"]}     | ${2} | ${/configmaps: .*a in b|configmaps: /}
  `(
    "refuses $given in one line, with a hint",
    async ({ args, code, message }: { args: string[]; code: number; message: RegExp }) => {
      const said = await cli(args);

      expect(said.code).toBe(code);
      expect(said.stderr).toMatch(message);
      expect(
        said.stderr
          .trimEnd()
          .split("\n")
          .map(line => line.split(":")[0]),
      ).toEqual(["error", "hint"]);
    },
  );
});
