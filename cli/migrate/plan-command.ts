// The command `migrate plan`: what would it take to move what a member runs under this host?
import { Option, type Command } from "commander";
import { withFleet } from "../access/fleet.js";
import {
  hostOptions,
  namespaceOf,
  namespaceOptions,
  timeoutOption,
  type HostFlags,
  type NamespaceFlags,
} from "../access/host.js";
import { suggest } from "../completion/sources.js";
import { examples } from "../examples.js";
import { EXIT } from "../problem.js";
import type { Shell } from "../shell.js";
import { writePlan } from "./directory.js";
import { REPORT_MD } from "./layout.js";
import { makePlan } from "./plan.js";
import { countsOf, type Report } from "./report.js";

interface PlanFlags extends HostFlags, NamespaceFlags {
  readonly from: string;
  readonly output: string;
  readonly kinds?: readonly string[];
  readonly selector?: string;
  readonly includeSecrets?: boolean;
  readonly overwrite?: boolean;
}

/** Adds `migrate plan`. */
export function addPlan(migrate: Command, shell: Shell): void {
  const command = migrate
    .command("plan")
    .description("Write templates, policies and a report for what a member runs; nothing is changed anywhere.");
  namespaceOptions(timeoutOption(hostOptions(command)), { all: true })
    .requiredOption("--from <cluster>", "the member to look at")
    .requiredOption("-o, --output <dir>", "the directory to write into; fit for Git")
    .addOption(new Option("--kinds <kinds>", "only these kinds, with commas, such as deploy,svc,cm").argParser(words))
    .option("-l, --selector <selector>", "only objects with these labels, such as app=web")
    .option("--include-secrets", "also write Secrets, base64 as they are")
    .option("--overwrite", "lose edits in the directory")
    .addHelpText("after", HELP)
    .action((flags: PlanFlags) => plan(flags, shell));
  suggest(command, { flags: { "--from": "cluster", "--output": "file" } });
}

const HELP = `
DIR/${REPORT_MD} says of each object whether it is adoptable as it is, would change (with the differences), or cannot be taken
over, with the reason and the way out. Planning again into DIR changes only what has changed, and refuses to lose edits.
Kinds without a namespace are planned with -A; those that take effect on the host itself only when --kinds names them.
Exit codes: 0 planned, also where some objects cannot be moved, ${EXIT.failed} failed, ${EXIT.usage} wrong flags or input.
${examples(
  "holdfast migrate plan --from member1 -n shop -o shop/",
  "holdfast migrate plan --from member1 -A --kinds deploy,svc,cm -l team=blue -o blue/",
)}`;

function words(text: string): readonly string[] {
  const given = text.split(",").map(word => word.trim());
  return [...new Set(given.filter(word => word !== ""))].sort();
}

async function plan(flags: PlanFlags, shell: Shell): Promise<void> {
  const { from, kinds, selector, includeSecrets = false, overwrite = false } = flags;
  await withFleet({ ...flags, clusters: [from] }, async fleet => {
    const namespace = namespaceOf(flags, fleet.host);
    const scope = {
      cluster: from,
      ...(namespace !== undefined && { namespace }),
      ...(kinds && { kinds }),
      ...(selector !== undefined && { selector }),
    };
    const { report, files } = await makePlan(fleet, { scope, withSecrets: includeSecrets }, shell.progress);
    writePlan(flags.output, files, report, { overwrite });
    tell(report, flags.output, shell);
  });
}

function tell(report: Report, dir: string, { output }: Shell): void {
  const { ready, changes, blocked, managed } = countsOf(report);
  output.print(
    `${ready} adoptable as they are, ${changes} would change, ${blocked} cannot be taken over, ${managed} managed already`,
  );
  if (report.secrets.length > 0)
    output.note(`${report.secrets.length} Secrets are left out; --include-secrets writes them`);
  const starting = report.objects.filter(({ remarks }) =>
    remarks.some(remark => remark.startsWith("the host has nodes")),
  );
  if (starting.length > 0) output.warn(`${starting.length} of them would also start on the host, which has nodes`);
  output.note(`read ${dir.replace(/\/$/, "")}/${REPORT_MD}; then: holdfast migrate apply ${dir}`);
}
