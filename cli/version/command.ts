// The command `version`: what runs where, and whether it goes together.
import type { Command } from "commander";
import { hostOptions, openHost, timeoutOption, type HostFlags } from "../access/host.js";
import { examples } from "../examples.js";
import { operatorOption, type OperatorFlags } from "../operator/flags.js";
import { documentOf, formatOption, type DataFormat } from "../output/format.js";
import { tableOf, UNKNOWN, type Column } from "../output/table.js";
import { EXIT } from "../problem.js";
import type { Shell } from "../shell.js";
import { version } from "../version.js";
import { readVersions } from "./read.js";
import type { VersionReport } from "./report.js";

interface VersionFlags extends HostFlags, OperatorFlags {
  readonly client?: boolean;
  readonly output?: DataFormat;
}

const HELP = `
Exit codes: 0 all versions are told, warnings or not; 1 the host does not answer; 2 wrong flags or input; 4 the operator's
version is not known.
${examples("holdfast version", "holdfast version --client", "holdfast version -o json")}`;

/** Adds `version`. */
export function addVersion(program: Command, shell: Shell): void {
  const command = program
    .command("version")
    .helpGroup("Other:")
    .description("Show the versions of this program, the operator, its CRDs and Kubernetes.")
    .option("--client", "only that of this program; asks nobody");
  operatorOption(timeoutOption(hostOptions(command)))
    .addOption(formatOption("json", "yaml"))
    .addHelpText("after", HELP)
    .action((flags: VersionFlags) => (flags.client ? tellClient(flags, shell) : tellAll(flags, shell)));
}

function tellClient({ output: format }: VersionFlags, { output }: Shell): void {
  const client = { version: version() };
  output.print(format ? documentOf({ client }, format) : `holdfast v${client.version}`);
}

async function tellAll(flags: VersionFlags, shell: Shell): Promise<void> {
  const report = await reportOf(flags).catch((error: unknown) => {
    // Known without the host, and half of the answer.
    tellClient(flags, shell);
    throw error;
  });
  const { output, finish } = shell;
  if (flags.output) output.print(documentOf(report, flags.output));
  else for (const line of tableOf(COLUMNS, rowsOf(report))) output.print(line);
  for (const { message, fix } of report.warnings) output.warn(`${message}: ${fix}`);
  if (report.operator.version === undefined) finish(EXIT.unproven);
}

async function reportOf(flags: VersionFlags): Promise<VersionReport> {
  const host = await openHost(flags);
  try {
    return (await readVersions(host, flags.operatorNamespace)).report;
  } finally {
    await host.client.close();
  }
}

interface Row {
  readonly component: string;
  readonly version: string | undefined;
  readonly remark?: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { header: "Component", value: ({ component }) => component },
  { header: "Version", value: row => row.version ?? UNKNOWN },
  { header: "Remark", value: ({ remark }) => remark },
];

function rowsOf({ client, operator, crds, host, members }: VersionReport): Row[] {
  const v = (text: string | undefined): string | undefined => text && `v${text}`;
  const leads = operator.leader && `leads: ${operator.leader}`;
  return [
    { component: "client", version: v(client.version) },
    { component: "operator", version: v(operator.version), remark: operator.why ?? leads },
    ...operator.deployments.map(one => ({
      component: `deployment ${one.name}`,
      version: v(one.version),
      remark: one.image,
    })),
    { component: "crds", version: v(crds.version), remark: crds.why },
    { component: "host", version: host.version, remark: host.why },
    ...members.map(({ name, version: of }) => ({ component: `member ${name}`, version: of })),
  ];
}
