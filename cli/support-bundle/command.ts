// The command `support-bundle`: all that tells how the operator does, in one file that may be shown to others.
import { existsSync, writeFileSync } from "node:fs";
import { Option, type Command } from "commander";
import { messageOf } from "../../lib/kube/errors.js";
import { hostOptions, openHost, timeoutOption, type HostFlags } from "../access/host.js";
import { findingsOf } from "../check/command.js";
import { linesOf } from "../check/finding.js";
import type { Access } from "../clients.js";
import { parseDuration } from "../duration.js";
import { examples } from "../examples.js";
import { operatorOption, type OperatorFlags } from "../operator/flags.js";
import { colorsFor } from "../output/color.js";
import { documentOf } from "../output/format.js";
import { EXIT, Problem } from "../problem.js";
import type { Shell } from "../shell.js";
import { readVersions } from "../version/read.js";
import { archiveOf, collect, type Collected } from "./collect.js";
import { objectSources, podSources, type Source } from "./sources.js";

interface BundleFlags extends HostFlags, OperatorFlags {
  readonly output?: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Compressed it is a tenth: what a person can still send to others. */
const MAX_BYTES = 100_000_000;

const HELP = `
In it: Holdfast's own objects without the manifests that they carry, its Events, the operator's Deployments, pods, logs, metrics,
Leases and webhooks, versions, and what check finds. Not in it: Secrets (none is put in), kubeconfigs, the content of templates,
values of overrides and of environment variables. Names of your objects, clusters and namespaces are in it. problems.txt in it
lists what could not be read. Exit codes: 0 all is in it, 1 no file was written, 2 wrong flags or input, 4 written, and something
is missing in it.
${examples("holdfast support-bundle", "holdfast support-bundle -o /tmp/holdfast.tar.gz")}`;

/** Adds `support-bundle`. */
export function addSupportBundle(program: Command, shell: Shell): void {
  const command = program
    .command("support-bundle")
    .helpGroup("Troubleshooting:")
    .description("Write all that tells how the operator does into one file, without secrets.")
    .option("-o, --output <file>", "the archive to write (default: holdfast-support-TIME.tar.gz)")
    .addOption(new Option("--timeout <duration>", "how long to read").argParser(parseDuration).default(60_000, "1m"));
  operatorOption(timeoutOption(hostOptions(command)))
    .addHelpText("after", HELP)
    .action((flags: BundleFlags) => writeBundle(flags, shell));
}

async function writeBundle(flags: BundleFlags, { output, progress, finish }: Shell): Promise<void> {
  const file = flags.output ?? `holdfast-support-${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}.tar.gz`;
  if (existsSync(file)) throw new Problem(`${file} is there already`, "name another file with -o", EXIT.usage);
  const host = await openHost(flags);
  try {
    progress.start("reading the host");
    const collected = await readAll(host, flags);
    save(file, archiveOf(collected));
    for (const problem of collected.problems) output.warn(`not in it: ${problem}`);
    output.print(file);
    if (collected.problems.length > 0) finish(EXIT.unproven);
  } finally {
    await host.client.close();
  }
}

function save(file: string, bytes: Buffer): void {
  try {
    writeFileSync(file, bytes, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new Problem(`${file}: ${messageOf(error)}`, "name another file with -o", EXIT.failed, { cause: error });
  }
}

/** @throws Problem when the host does not answer at all */
async function readAll(host: Access, flags: BundleFlags): Promise<Collected> {
  const { installation, report } = await readVersions(host, flags.operatorNamespace);
  const { namespace } = installation;
  const bounds = { maxBytes: MAX_BYTES, withinMs: flags.timeout };
  const pods = await podSources(host.client, namespace, AbortSignal.timeout(flags.timeout)).catch((error: unknown) => [
    failing("logs", error),
  ]);
  const sources: Source[] = [
    { path: "versions.yaml", read: () => Promise.resolve(documentOf(report, "yaml")) },
    { path: "check.txt", read: () => checkText(host, flags) },
    ...objectSources(host.client, namespace),
    ...pods,
  ];
  return collect(sources, bounds);
}

function failing(path: string, error: unknown): Source {
  return { path, read: () => Promise.reject(error instanceof Error ? error : new Error(String(error))) };
}

async function checkText(host: Access, flags: BundleFlags): Promise<string> {
  const { output: _file, timeout: _timeout, ...ofHost } = flags;
  const lines = linesOf(await findingsOf(host, ofHost), colorsFor(false, {}, "never"));
  return `${lines.join("\n")}\n`;
}
