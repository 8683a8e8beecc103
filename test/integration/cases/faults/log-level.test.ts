// Does `holdfast log-level` reach both processes without a restart, and only until its time is up?
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { run } from "../../../../cli/program.js";
import { eventually } from "../../support/eventually.js";
import { breakable } from "../../support/faults.js";
import { aMoment } from "../../support/shop.js";
import { Site } from "../../support/site.js";

const clusters = breakable();

async function logLevel(...args: readonly string[]): Promise<string> {
  let text = "";
  const stream = { write: (more: string) => (text += more) };
  const world = { env: {}, stdout: stream, stderr: stream };
  expect(await run(["log-level", ...args, "--kubeconfig", clusters.env().host.kubeconfig], world), text).toBe(0);
  return text;
}

/** The lines of a process that were written since, with their levels. */
function loggedBy(
  process: string,
): readonly { readonly level: number; readonly msg: string; readonly logLevel?: string }[] {
  const file = join(clusters.env().dir, "logs", `${process}.log`);
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap(line => {
    try {
      return [JSON.parse(line) as { level: number; msg: string; logLevel?: string }];
    } catch {
      return [];
    }
  });
}

const changes = (process: string): string[] =>
  loggedBy(process).flatMap(({ msg, logLevel: to }) => (msg === "log level changed" ? [String(to)] : []));

/** A change that the watcher tells of at debug only. */
async function touch(cluster: string): Promise<void> {
  const host = Site.of(clusters.env(), "host");
  const annotations = { "example.test/touched": String(Date.now()) };
  await host.patch({ kind: "Cluster", name: cluster }, { metadata: { annotations } });
  await host.close();
}

afterEach(() => logLevel("reset"));

describe("log-level", () => {
  it("takes effect in both processes, and ends by itself", async () => {
    const { pids } = clusters.env();
    const before = { watcher: changes("watcher").length, admission: changes("admission").length };
    const since = (process: "watcher" | "admission"): string[] => changes(process).slice(before[process]);

    expect(await logLevel("debug", "--for", "8s")).toMatch(/^the operator logs debug and above until 20/);
    await eventually("the watcher tells more than before", async () => {
      await touch("member1");
      return loggedBy("watcher").some(({ level }) => level === 20);
    });

    for (const process of ["watcher", "admission"] as const) {
      await eventually(
        `${process} logs at debug and then as before`,
        async () => since(process).join() === "debug,info",
        15_000,
      );
    }
    expect(clusters.env().pids).toEqual(pids);
  });

  it("ends at once when it is reset, and is quiet at error", async () => {
    await logLevel("error");
    await aMoment();
    const lines = loggedBy("watcher").length;
    await logLevel("reset");
    await eventually("the watcher says that it is back", async () => changes("watcher").at(-1) === "info", 3_000);
    expect(
      loggedBy("watcher")
        .slice(lines)
        .every(({ level }) => level >= 30),
    ).toBe(true);
  });
});
