// Is offered what may stand at the cursor, and nothing else?
import { Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { complete, type Names } from "./candidates.js";
import type { Line } from "./line.js";
import { suggest } from "./sources.js";

const program = new Command("holdfast").option("-v, --verbosity <level>", "how much");
const get = program
  .command("get <kind> [names...]")
  .description("Show objects.")
  .option("-n, --namespace <name>", "namespace")
  .option("-A, --all-namespaces", "all")
  .option("-C, --clusters <names>", "members")
  .addOption(new Option("-o, --output <format>", "form").choices(["json", "yaml"]))
  .addOption(new Option("--secret", "hidden").hideHelp());
suggest(get, { argument: "objects" });
suggest(program.command("tree <kind/name> [name]"), { argument: "object" });
suggest(program.command("unjoin <name>").option("--from <name>", "where"), {
  argument: "cluster",
  flags: { "--from": "cluster" },
});
suggest(program.command("read").option("-f, --filename <file>", "file"), {});
const migrate = program.command("migrate").description("Move.");
migrate.command("plan").description("Plan.");
program.command("__hidden", { hidden: true });

const where = ({ flags }: Line): string =>
  String(flags.get("--namespace") ?? (flags.has("--all-namespaces") ? "all" : ""));
const names: Names = {
  kinds: () => Promise.resolve(["deployments", "services"]),
  objects: (line, kind) =>
    Promise.resolve(["api", "web"].map(name => `${name}${where(line)}`).filter(() => kind !== "none")),
  clusters: () => Promise.resolve(["m1", "m2"]),
  namespaces: () => Promise.resolve(["shop", "stock"]),
  contexts: () => Promise.resolve(["c"]),
};

async function offered(text: string): Promise<string[]> {
  const { candidates, files } = await complete(program, text.split(" "), names);
  return files ? ["FILES"] : candidates.map(({ value }) => value);
}

describe("complete", () => {
  it.each`
    line                              | words
    ${""}                             | ${["get", "tree", "unjoin", "read", "migrate", "help"]}
    ${"g"}                            | ${["get"]}
    ${"-v 5 g"}                       | ${["get"]}
    ${"get "}                         | ${["deployments", "services"]}
    ${"get dep"}                      | ${["deployments"]}
    ${"get deploy "}                  | ${["api", "web"]}
    ${"get deploy api "}              | ${["web"]}
    ${"get none "}                    | ${[]}
    ${"get deploy/"}                  | ${["deploy/api", "deploy/web"]}
    ${"get deploy/web "}              | ${["deployments", "services"]}
    ${"get deploy/web deploy/"}       | ${["deploy/api"]}
    ${"get -n shop deploy "}          | ${["apishop", "webshop"]}
    ${"get deploy -n shop "}          | ${["apishop", "webshop"]}
    ${"get deploy --namespace=shop "} | ${["apishop", "webshop"]}
    ${"get -A deploy w"}              | ${["weball"]}
    ${"get -n "}                      | ${["shop", "stock"]}
    ${"get --namespace=st"}           | ${["--namespace=stock"]}
    ${"get deploy -C "}               | ${["m1", "m2"]}
    ${"get deploy -C m1,"}            | ${["m1,m2"]}
    ${"get deploy -o "}               | ${["json", "yaml"]}
    ${"get deploy --output=y"}        | ${["--output=yaml"]}
    ${"get deploy -v "}               | ${[]}
    ${"get --"}                       | ${["--namespace", "--all-namespaces", "--clusters", "--output", "--verbosity"]}
    ${"get -- --"}                    | ${[]}
    ${"get --nonsense=x"}             | ${[]}
    ${"tree deploy "}                 | ${["api", "web"]}
    ${"tree deploy web "}             | ${[]}
    ${"tree deploy/web "}             | ${[]}
    ${"unjoin m"}                     | ${["m1", "m2"]}
    ${"unjoin m1 "}                   | ${[]}
    ${"unjoin --from "}               | ${["m1", "m2"]}
    ${"read -f "}                     | ${["FILES"]}
    ${"migrate "}                     | ${["plan", "help"]}
    ${"nonsense x"}                   | ${[]}
  `("offers $words for '$line'", async ({ line, words }: { line: string; words: string[] }) => {
    expect(await offered(line)).toEqual(words);
  });

  it("tells what commands are", async () => {
    const { candidates } = await complete(program, ["ge"], names);
    expect(candidates).toEqual([{ value: "get", description: "Show objects." }]);
  });
});
