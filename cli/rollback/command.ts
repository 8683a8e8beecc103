// The command `rollback`: lets go of copies, and proves that they are what they were.
import type { Command } from "commander";
import { fleetOptions, refuseUnknown, withFleet, type Fleet, type FleetFlags } from "../access/fleet.js";
import { namespaceOf, namespaceOptions, stillOption, type NamespaceFlags } from "../access/host.js";
import { suggest } from "../completion/sources.js";
import { examples } from "../examples.js";
import { documentOf, formatOption, isData, type Format } from "../output/format.js";
import { EXIT, Problem } from "../problem.js";
import type { Shell } from "../shell.js";
import { ask } from "./ask.js";
import { carryOut } from "./carry-out.js";
import { chosenTemplates } from "./names.js";
import { isAllowed, planRollback, type PlannedRollback } from "./plan.js";
import { planAsData, printProofs, tellPlan, tellRefusals } from "./report.js";
import type { RollbackOptions } from "./request.js";

interface RollbackFlags extends FleetFlags, NamespaceFlags {
  readonly selector?: string;
  readonly restore?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
  readonly output?: "wide" | "json" | "yaml";
}

/** Adds `rollback`. */
export function addRollback(program: Command, shell: Shell): void {
  const command = program
    .command("rollback <objects...>")
    .helpGroup("Moving in and out:")
    .description("Let go of the copies of templates, delete the templates, and prove that what runs is unharmed.");
  namespaceOptions(fleetOptions(command))
    .option("-l, --selector <selector>", "the templates of a kind with these labels, such as app=web")
    .option("--restore", "give what was taken over its values of before back")
    .option("--dry-run", "show what each member would have; write nothing")
    .option("-y, --yes", "do not ask")
    .option("--force", "with --restore: also undo what others have changed since, and go on where nobody can look")
    .addOption(stillOption(120_000, "2m"))
    .addOption(formatOption("wide", "json", "yaml"))
    .addHelpText("after", HELP)
    .action((words: string[], flags: RollbackFlags) => rollback(words, flags, shell));
  suggest(command, { argument: "objects" });
}

const HELP = `
The objects in the members stay: the same objects, the same Pods, without any mark. With -C only these members leave; the
policy is edited for that, and must place no other template. Can be stopped at any moment, and run again. Exit codes: 0 all
is proven, ${EXIT.failed} something is not, ${EXIT.usage} wrong flags or input, or the host does not answer.
${examples(
  "holdfast rollback deploy/web -n shop",
  "holdfast rollback deploy/web svc/web cm/web -n shop --restore --dry-run",
  "holdfast rollback deploy,svc -l app=web -n shop -y -o json",
  "holdfast rollback deploy/web -n shop -C member1",
)}`;

async function rollback(words: readonly string[], flags: RollbackFlags, shell: Shell): Promise<void> {
  try {
    // All members are looked at: those that are not meant must stay as they are.
    await withFleet({ ...flags, clusters: undefined }, fleet => run(fleet, words, flags, shell));
  } catch (error) {
    throw moreThanOne(error);
  }
}

/** 1 says that something is not proven: it must not say that the host could not be asked. */
function moreThanOne(error: unknown): unknown {
  if (error instanceof Problem && error.exitCode !== EXIT.failed) return error;
  const words = error instanceof Error ? error.message : String(error);
  const hint = error instanceof Problem ? error.hint : "nothing is lost: run it again when the host answers";
  return new Problem(words, hint, EXIT.usage, { cause: error });
}

async function run(fleet: Fleet, words: readonly string[], flags: RollbackFlags, shell: Shell): Promise<void> {
  const { output, progress, finish } = shell;
  refuseUnknown(fleet.all, flags.clusters);
  const namespace = namespaceOf(flags, fleet.host);
  const names = await chosenTemplates(fleet, { words, namespace, selector: flags.selector });
  const { restore, clusters, timeout: stillMs } = flags;
  const planned = await planRollback(fleet, names, { restore, clusters });
  const force = flags.force === true;
  if (flags.dryRun) return dryRun(planned, force, flags.output ?? "table", shell);

  tellPlan(planned, line => output.note(line), shell.colors());
  tellRefusals(planned, force, line => output.warn(line));
  const options = { restore, clusters, stillMs, force: force || (await isForced(planned, flags)) };
  if (!(await isWanted(planned, options, flags)))
    throw new Problem("nothing was done", "answer y, or give -y", EXIT.usage);
  const proofs = await carryOut(fleet, planned, options, progress);
  printProofs(proofs, flags.output ?? "table", output);
  if (proofs.some(({ proven }) => !proven)) finish(EXIT.failed);
}

function dryRun(planned: readonly PlannedRollback[], force: boolean, format: Format, shell: Shell): void {
  const { output, colors, finish } = shell;
  if (isData(format)) output.print(documentOf(planAsData(planned), format));
  else tellPlan(planned, line => output.print(line), colors());
  tellRefusals(planned, force, line => output.warn(line));
  if (planned.some(one => !isAllowed(one, force))) finish(EXIT.failed);
}

/** Whether the person at the terminal wants to go on where something would be lost. */
async function isForced(planned: readonly PlannedRollback[], { yes, force }: RollbackFlags): Promise<boolean> {
  const open = planned.filter(one => !isAllowed(one, false) && isAllowed(one, true));
  if (yes || force || open.length === 0) return false;
  const what = open.length === 1 ? "this object" : `these ${open.length} objects`;
  return (await ask(`Go on with ${what} all the same?`)) === true;
}

async function isWanted(
  planned: readonly PlannedRollback[],
  { force }: Pick<RollbackOptions, "force">,
  { yes, clusters }: RollbackFlags,
): Promise<boolean> {
  const live = planned.filter(one => one.state === "live" && isAllowed(one, force === true));
  if (yes || live.length === 0) return true;
  const what = live.length === 1 ? "this template" : `these ${live.length} templates`;
  const question = clusters ? `Take ${what} out of ${clusters.join(", ")}?` : `Let go, and delete ${what} on the host?`;
  return (await ask(question)) !== false;
}
