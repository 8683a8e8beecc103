// The command `templates`: what becomes of a namespace of templates when it stops being one.
import { Option, type Command } from "commander";
import { holdsTemplates } from "../../lib/domain/hold.js";
import { TEMPLATES_LABEL } from "../../lib/domain/marks.js";
import { withFleet, type Fleet } from "../access/fleet.js";
import { hostOptions, stillOption, timeoutOption, type HostFlags } from "../access/host.js";
import { suggest } from "../completion/sources.js";
import { examples } from "../examples.js";
import { tableOf, type Column } from "../output/table.js";
import { EXIT, Problem } from "../problem.js";
import { ask } from "../rollback/ask.js";
import { shortName } from "../rollback/report.js";
import type { Shell } from "../shell.js";
import { deleteAll, type Deleting } from "./delete-all.js";
import { carryOutRelease } from "./release.js";
import { planRelease, type Released } from "./release-plan.js";
import { readSpace, unlabel, type Space } from "./space.js";

interface ReleaseFlags extends HostFlags {
  readonly run?: boolean;
  readonly delete?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Adds `templates` with its verb. */
export function addTemplates(program: Command, shell: Shell): void {
  const templates = program
    .command("templates")
    .helpGroup("Moving in and out:")
    .description("Let a namespace of templates be an ordinary one again.");
  templates.copyInheritedSettings(program);
  const release = templates
    .command("release <namespace>")
    .description("Say what would start here, and then start it, or delete it.");
  timeoutOption(hostOptions(release))
    .addOption(new Option("--run", "take the label off: what is held runs here, too").conflicts("delete"))
    .option("--delete", "delete the templates as their policies say, and take the label off")
    .option("--dry-run", "say what would happen; write nothing")
    .option("-y, --yes", "do not ask")
    .addOption(stillOption(120_000, "2m"))
    .addHelpText("after", HELP)
    .action((name: string, flags: ReleaseFlags) =>
      withFleet(flags, fleet => releaseNamespace(fleet, name, flags, shell)),
    );
  suggest(release, { argument: "namespace" });
}

const HELP = `
Copies in members stay as they are with --run; with --delete each stays or goes as its template's decision says. Can be run
again; what --run is making again when it is stopped has to be applied again.
${examples("holdfast templates release shop --run --dry-run", "holdfast templates release shop --delete -y")}`;

async function releaseNamespace(fleet: Fleet, name: string, flags: ReleaseFlags, shell: Shell): Promise<void> {
  if (!flags.run && !flags.delete) {
    throw new Problem("neither --run nor --delete is given", "say what is to become of the templates", EXIT.usage);
  }
  const space = await readSpace(fleet, name);
  // One that was stopped in the middle of --run has lost its label, and goes on with what is still held.
  if (!holdsTemplates(space.namespace) && (flags.delete || space.templates.length === 0)) {
    throw new Problem(`namespace ${name} is no namespace of templates`, `its label would be ${TEMPLATES_LABEL}=true`);
  }
  const isWanted = async (question: string): Promise<boolean> => !flags.dryRun && (await isConfirmed(question, flags));
  const how = { timeout: flags.timeout, isWanted };
  await (flags.run ? runHere(fleet, space, how, shell) : deleteAll(fleet, space, how, shell));
}

const COLUMNS: readonly Column<Released>[] = [
  { header: "Object", value: ({ template }) => shortName(template) },
  { header: "Starts here", value: ({ starts }) => starts ?? "nothing" },
  { header: "How", value: ({ way }) => WAYS[way.how] },
];

const WAYS = { edit: "as it is", remake: "made again", stays: "goes on being held" };

async function runHere(
  fleet: Fleet,
  { namespace, templates }: Space,
  { timeout, isWanted }: Deleting,
  shell: Shell,
): Promise<void> {
  const { output } = shell;
  const plans = templates.map(one => ({ ...one, plan: planRelease(one.template) }));
  const rows = plans.map(({ plan }) => plan);
  for (const line of tableOf(COLUMNS, rows)) output.print(line);
  for (const { template, way } of rows) {
    if (way.how === "stays") output.warn(`${shortName(template)} goes on being held: ${way.why}`);
  }
  if (!(await isWanted(`Let them run in this cluster, namespace ${namespace.metadata.name}?`))) return;
  await unlabel(fleet, namespace, "run");
  const failed = await carryOutRelease(plans, timeout);
  // The word was for this once.
  await unlabel(fleet, namespace, null);
  for (const { template, why } of failed) output.warn(`${shortName(template)}: ${why}`);
  output.print(`namespace ${namespace.metadata.name} holds nothing back any more`);
  if (failed.length > 0) shell.finish(EXIT.failed);
}

/** @throws Problem when nobody can be asked */
async function isConfirmed(question: string, { yes }: ReleaseFlags): Promise<boolean> {
  if (yes) return true;
  const answer = await ask(question);
  if (answer === undefined) throw new Problem("nobody is there to be asked", "give -y", EXIT.usage);
  return answer;
}
