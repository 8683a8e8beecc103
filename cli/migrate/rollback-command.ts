// The command `migrate rollback`: brings back all that a plan has moved.
import type { Command } from "commander";
import { messageOf } from "../../lib/kube/errors.js";
import { withFleet, type Fleet } from "../access/fleet.js";
import { hostOptions, stillOption, timeoutOption, type HostFlags } from "../access/host.js";
import { suggest } from "../completion/sources.js";
import { examples } from "../examples.js";
import { formatOption, type Format } from "../output/format.js";
import { EXIT, Problem } from "../problem.js";
import { ask } from "../rollback/ask.js";
import { printProofs } from "../rollback/report.js";
import type { Proof } from "../rollback/request.js";
import type { Shell } from "../shell.js";
import { alone } from "./alone.js";
import { bringBack, clearAround } from "./back.js";
import { demandReport, readObjects } from "./directory.js";
import { forget } from "./record.js";
import { filesAround, type Report } from "./report.js";

interface BackFlags extends HostFlags {
  readonly restore?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly output?: "wide" | "json" | "yaml";
  /** Milliseconds. */
  readonly timeout: number;
}

/** Adds `migrate rollback`. */
export function addBack(migrate: Command, shell: Shell): void {
  const command = migrate
    .command("rollback <dir>")
    .description("Bring back all that a plan has moved, and prove that what runs is unharmed.");
  timeoutOption(hostOptions(command))
    .option("--restore", "give what was taken over its values of before back")
    .option("--force", "with --restore: also undo what others have changed since")
    .option("-y, --yes", "do not ask")
    .addOption(stillOption(120_000, "2m"))
    .addOption(formatOption("wide", "json", "yaml"))
    .addHelpText("after", HELP)
    .action((dir: string, flags: BackFlags) => back(dir, flags, shell));
  suggest(command, { argument: "file" });
}

const HELP = `
As rollback, for all templates of the plan at once; what was never moved is left alone. Then the plan's policies go, and the
Namespaces that apply made on the host, if they are empty. The files stay: apply moves everything again. Can be stopped at
any moment and run again. Exit codes: 0 all is proven, ${EXIT.failed} something is not, ${EXIT.usage} wrong flags or input.
${examples("holdfast migrate rollback shop/", "holdfast migrate rollback shop/ --restore -y -o json")}`;

/** Proofs shown one by one; beyond, only what is not proven. */
const MANY = 40;

async function back(dir: string, flags: BackFlags, shell: Shell): Promise<void> {
  const report = demandReport(dir);
  if (!flags.yes && (await ask(`Let go of what ${dir} has moved, and delete its templates on the host?`)) === false) {
    throw new Problem("nothing was done", "answer y, or give -y", EXIT.usage);
  }
  await alone(dir, () => backWith(dir, report, flags, shell));
}

async function backWith(dir: string, report: Report, flags: BackFlags, shell: Shell): Promise<void> {
  const objects = report.objects.filter(({ file }) => file !== undefined);
  try {
    await withFleet(flags, async fleet => {
      const { restore, force, timeout: stillMs } = flags;
      const request = { dir, cluster: report.scope.cluster, objects, options: { restore, force, stillMs } };
      const proofs = await bringBack(fleet, request, shell.progress);
      tell(proofs, flags, shell);
      if (proofs.some(({ proven }) => !proven)) return shell.finish(EXIT.failed);
      await clear(fleet, { dir, report }, shell);
      forget(dir);
    });
  } catch (error) {
    if (error instanceof Problem && error.exitCode !== EXIT.failed) throw error;
    const hint = "nothing is lost: run it again when the host answers";
    throw new Problem(messageOf(error), hint, EXIT.usage, { cause: error });
  }
}

function tell(proofs: readonly Proof[], flags: BackFlags, { output }: Shell): void {
  const format: Format = flags.output ?? "table";
  const open = proofs.filter(({ proven }) => !proven);
  const shown = format === "table" && proofs.length > MANY ? open : proofs;
  if (shown.length > 0) printProofs(shown, format, output);
  const kept = proofs.filter(({ outcome, proven }) => proven && (outcome === "Kept" || outcome === "Restored"));
  const line = `${kept.length} objects brought back and proven, ${proofs.length - kept.length - open.length} were not moved, ${open.length} not proven`;
  if (format === "table") output.print(line);
  else output.note(line);
}

async function clear(
  fleet: Fleet,
  { dir, report }: { readonly dir: string; readonly report: Report },
  { output }: Shell,
): Promise<void> {
  const { removed, kept } = await clearAround(fleet, readObjects(dir, filesAround(report)));
  if (removed.length > 0) output.note(`removed on the host: ${removed.join(", ")}`);
  for (const why of kept) output.warn(`left on the host: ${why}`);
}
