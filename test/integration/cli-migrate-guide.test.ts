// Does every command of the guide do what the guide says, in the order of the guide?
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { readEnv } from "../../hack/clusters/index.js";
import { openCliShop } from "./support/cli.js";
import { accessTo } from "./support/engine.js";
import { eventually } from "./support/eventually.js";
import { appObjects } from "./support/migration-mix.js";
import { createAs, learnAll, podsIn } from "./support/migration.js";

const ROOT = join(import.meta.dirname, "../..");

/** The commands in fenced blocks of shell, in order; a block may have several. */
function commandsOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block.split("\n").filter(line => line.trim() !== "" && !line.startsWith("#")),
  );
}

/** A place to work in where `holdfast` and `kubectl` mean the host. */
function workplace(): { readonly dir: string; readonly env: NodeJS.ProcessEnv } {
  const dir = mkdtempSync(join(tmpdir(), "holdfast-guide-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const bin = join(dir, "bin");
  mkdirSync(bin);
  const put = (name: string, command: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command} "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  };
  put("holdfast", `"${process.execPath}" "${join(ROOT, "cli/holdfast.js")}"`);
  put("kubectl", `"${readEnv(inject("clusters")).kubectl}"`);
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env["PATH"]}`,
    KUBECONFIG: accessTo("host").kubeconfig,
    HOME: dir,
  };
  return { dir, env };
}

/** The operator is in this process, so that it must not wait for the command. */
function run(
  command: string,
  { dir, env }: ReturnType<typeof workplace>,
): Promise<{ code: number | null; text: string }> {
  return new Promise(resolve => {
    let text = "";
    const child = spawn("sh", ["-c", command], { cwd: dir, env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", chunk => (text += String(chunk)));
    child.on("close", code => resolve({ code, text }));
  });
}

const sameCommands = commandsOf("docs/guides/migrate.md");

describe("docs/guides/migrate", () => {
  it("has the same commands in both languages", () => {
    expect(commandsOf("docs/guides/migrate.zh.md")).toEqual(sameCommands);
    expect(sameCommands.length).toBeGreaterThan(10);
  });

  it("holds to what it says", { timeout: 400_000 }, async () => {
    const shop = await openCliShop();
    const { member1, host, namespace, first } = shop;
    for (const site of [host, member1]) learnAll(site);
    for (const object of appObjects(namespace, "web")) await createAs(member1, "helm", object);
    await eventually("its Pods are ready", async () => (await podsIn(member1, namespace)).length === 3, 120_000);
    const pods = await podsIn(member1, namespace);
    const place = workplace();
    spawnSync(process.execPath, [join(ROOT, "cli/holdfast.js"), "version", "--client"]);

    for (const line of sameCommands) {
      const command = line.replaceAll("member1", first.name).replaceAll(/\bshop\b(?!-)/g, namespace);
      const { code, text } = await run(command, place);
      expect([command, code, text]).toEqual([command, 0, text]);
      expect([command, await podsIn(member1, namespace)]).toEqual([command, pods]);
    }
    const live = await member1.find({ kind: "Deployment", namespace, name: "web" });
    expect(live?.metadata.labels).toHaveProperty("karmada.io/managed", "true");
    await run(`holdfast migrate rollback shop-plan -y`, place);
  });
});
