// The command `migrate apply`: takes over what a plan says.
import { InvalidArgumentError, Option, type Command } from "commander";
import { withFleet, type Fleet } from "../access/fleet.js";
import { hostOptions, stillOption, timeoutOption, type HostFlags } from "../access/host.js";
import type { MemberAccess } from "../access/member.js";
import { suggest } from "../completion/sources.js";
import { examples } from "../examples.js";
import { EXIT, Problem } from "../problem.js";
import { ask } from "../rollback/ask.js";
import type { Shell } from "../shell.js";
import { alone } from "./alone.js";
import { applyPlan, type Applied } from "./apply.js";
import { demandReport } from "./directory.js";
import { prepare, type Prepared } from "./prepare.js";
import type { Report } from "./report.js";
import { fullTitleOf } from "./verdict.js";
import { watchWorks } from "./watched-works.js";

interface ApplyFlags extends HostFlags {
  readonly wave: number;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly acceptChanges?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Adds `migrate apply`. */
export function addApply(migrate: Command, shell: Shell): void {
  const command = migrate
    .command("apply <dir>")
    .description("Take over what a plan says, in waves, and stop at the first object whose Pods suffer.");
  timeoutOption(hostOptions(command))
    .addOption(new Option("--wave <n>", "how many objects at the same time").argParser(positive).default(20))
    .option("-y, --yes", "do not ask")
    .option("--dry-run", "say what would be done, and what has moved since the plan; write nothing")
    .option("--accept-changes", "go on though something has moved since the plan, or files were edited")
    .addOption(stillOption(120_000, "2m"))
    .addHelpText("after", HELP)
    .action((dir: string, flags: ApplyFlags) => apply(dir, flags, shell));
  suggest(command, { argument: "file" });
}

const HELP = `
Policies come first, then templates: what others need before what needs it. How each workload and its Pods were before is
kept in DIR/.state. Can be stopped at any moment and run again: it goes on where it was, and does nothing twice. Exit codes:
0 all is taken over and unharmed, ${EXIT.failed} stopped, ${EXIT.usage} wrong flags or input, or something has moved since the plan.
${examples("holdfast migrate apply shop/ --dry-run", "holdfast migrate apply shop/", "holdfast migrate apply shop/ --wave 5 -y")}`;

function positive(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("write a number from 1 to 9999");
}

async function apply(dir: string, flags: ApplyFlags, shell: Shell): Promise<void> {
  const report = demandReport(dir);
  if (flags.dryRun) return applyReport(dir, report, flags, shell);
  await alone(dir, () => applyReport(dir, report, flags, shell));
}

async function applyReport(dir: string, report: Report, flags: ApplyFlags, shell: Shell): Promise<void> {
  await withFleet({ ...flags, clusters: [report.scope.cluster] }, async fleet => {
    const member = await memberOf(fleet);
    const prepared = await prepare(fleet, member, { dir, report, progress: shell.progress });
    tell(prepared, shell);
    if (flags.dryRun) return shell.finish(prepared.moved.length > 0 ? EXIT.usage : EXIT.ok);
    if (prepared.open.length === 0 && prepared.moved.length === 0) {
      shell.output.print(`all ${prepared.done.length} objects are under Holdfast already: nothing to do`);
      return;
    }
    await demandConsent(prepared, member.name, flags);
    const wanted = { ...prepared, open: prepared.open.filter(({ verdict }) => verdict.state !== "blocked") };
    const watched = await watchWorks(fleet.host.client, member.name);
    const course = { fleet, member, progress: shell.progress, stillMs: flags.timeout, works: () => watched.read() };
    try {
      finish(dir, await applyPlan(course, wanted, { dir, wave: flags.wave }), shell);
    } finally {
      await watched.stop();
    }
  });
}

/** @throws Error that says why the member is no use */
export async function memberOf(fleet: Fleet): Promise<MemberAccess> {
  const [cluster] = fleet.clusters;
  if (!cluster) throw new Problem("the plan names no member", "plan again", EXIT.usage);
  return fleet.member(cluster);
}

function tell({ open, done, moved, hostRuns }: Prepared, { output }: Shell): void {
  if (done.length > 0) output.note(`${done.length} objects are taken over already`);
  const changing = open.filter(({ verdict }) => verdict.state === "changes");
  output.note(`${open.length} objects to take over, ${changing.length} of which would change`);
  for (const { what, diff } of moved) {
    output.warn(what);
    if (diff) output.note(diff);
  }
  if (hostRuns) output.warn("the host has nodes: workloads will start on the host too");
}

/** @throws Problem unless the person agrees to what has moved, and to begin */
async function demandConsent({ open, moved }: Prepared, cluster: string, flags: ApplyFlags): Promise<void> {
  if (moved.length > 0 && !flags.acceptChanges) {
    const hint = "plan again, or give --accept-changes; what cannot be taken over is left out then";
    throw new Problem(`${moved.length} object(s) are not as the plan says: nothing was done`, hint, EXIT.usage);
  }
  if (flags.yes || open.length === 0) return;
  if ((await ask(`Take over ${open.length} objects of ${cluster}?`)) === false) {
    throw new Problem("nothing was done", "answer y, or give -y", EXIT.usage);
  }
}

function finish(dir: string, { done, left, troubles }: Applied, { output }: Shell): void {
  if (troubles.length === 0) {
    output.print(`${done} objects taken over: the same objects, the same Pods`);
    output.note(`holdfast migrate status ${dir} shows them; holdfast migrate rollback ${dir} brings them back`);
    return;
  }
  for (const { mover, why } of troubles) output.warn(`${fullTitleOf(mover.template)}: ${why}`);
  const [first] = troubles;
  throw new Problem(
    `stopped at ${first ? fullTitleOf(first.mover.template) : "an object"}; ${done} objects taken over, ${left} not, or not for certain`,
    `see what happened to it, then run this again to go on, or holdfast migrate rollback ${dir} to bring everything back`,
  );
}
