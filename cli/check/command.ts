// The command `check`: can Holdfast be installed here, and does it work?
import type { Command } from "commander";
import { hostOptions, openHost, timeoutOption, type HostFlags } from "../access/host.js";
import type { Access } from "../clients.js";
import { examples } from "../examples.js";
import { operatorOption, type OperatorFlags } from "../operator/flags.js";
import { answerIn } from "../operator/read.js";
import { documentOf, formatOption, type DataFormat } from "../output/format.js";
import { EXIT } from "../problem.js";
import type { Shell } from "../shell.js";
import { readVersions } from "../version/read.js";
import { beforeFindings, notInstalled } from "./before.js";
import { linesOf, type Finding } from "./finding.js";
import { installedFindings } from "./installed.js";

interface CheckFlags extends HostFlags, OperatorFlags {
  readonly pre?: boolean;
  readonly output?: DataFormat;
}

const HELP = `
Changes nothing: what is tried is tried in a dry run. Exit codes: 0 nothing has failed, warnings or not; 1 something has, or the
host does not answer; 2 wrong flags or input.
${examples("holdfast check --pre", "holdfast check", "holdfast check -o json")}`;

/** Adds `check`. */
export function addCheck(program: Command, shell: Shell): void {
  const command = program
    .command("check")
    .helpGroup("Troubleshooting:")
    .description("Check that Holdfast works on the host, and say of what does not what to do.")
    .option("--pre", "check instead that it can be installed there");
  operatorOption(timeoutOption(hostOptions(command)))
    .addOption(formatOption("json", "yaml"))
    .addHelpText("after", HELP)
    .action((flags: CheckFlags) => check(flags, shell));
}

async function check(flags: CheckFlags, { output, colors, finish }: Shell): Promise<void> {
  const host = await openHost(flags);
  try {
    const findings = await findingsOf(host, flags);
    const ok = findings.every(({ outcome }) => outcome !== "failed");
    if (flags.output) output.print(documentOf({ ok, checks: findings }, flags.output));
    else for (const line of linesOf(findings, colors())) output.print(line);
    if (!ok) finish(EXIT.failed);
  } finally {
    await host.client.close();
  }
}

/** What `check` finds, for those who only want to know. @throws Problem when the host does not answer */
export async function findingsOf(host: Access, flags: CheckFlags): Promise<readonly Finding[]> {
  const versions = await readVersions(host, flags.operatorNamespace);
  if (flags.pre) return beforeFindings(host.client, versions);
  const nothing = notInstalled(answerIn(versions.installation.crds) ?? []);
  return nothing ? [nothing] : installedFindings(host.client, versions, flags.requestTimeout ?? 10_000);
}
