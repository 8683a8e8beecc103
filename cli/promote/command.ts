// The command `promote`: brings an object that runs in a member under Holdfast.
import { InvalidArgumentError, Option, type Command } from "commander";
import { withFleet, type Fleet } from "../access/fleet.js";
import {
  hostOptions,
  namespaceOf,
  namespaceOptions,
  stillOption,
  timeoutOption,
  type HostFlags,
  type NamespaceFlags,
} from "../access/host.js";
import type { MemberAccess } from "../access/member.js";
import { suggest } from "../completion/sources.js";
import { examples } from "../examples.js";
import type { Assessment } from "../migrate/assess.js";
import { fullTitleOf } from "../migrate/verdict.js";
import { documentOf, formatOption, listOf, yamlOf, type DataFormat } from "../output/format.js";
import { tableOf, type Column } from "../output/table.js";
import { EXIT, Problem } from "../problem.js";
import { ask } from "../rollback/ask.js";
import { refuseHost } from "../migrate/plan.js";
import type { Shell } from "../shell.js";
import { resolveObject } from "../target/targets.js";
import { draftOf, type Draft } from "./draft.js";
import { promote, type Promoted } from "./promote.js";

interface PromoteFlags extends HostFlags, NamespaceFlags {
  readonly cluster: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly output?: DataFormat;
  readonly policyName?: string;
  readonly autoCreatePolicy: boolean;
  readonly dependencies?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Adds `promote`. */
export function addPromote(program: Command, shell: Shell): void {
  const command = program
    .command("promote <object...>")
    .helpGroup("Moving in and out:")
    .description("Make an object that runs in a member a template on the host, and take it over unharmed.");
  namespaceOptions(timeoutOption(hostOptions(command)))
    .requiredOption("-C, --cluster <name>", "the member where it runs")
    .option("--dry-run", "show what would be written, and what that would change; write nothing")
    .option("-y, --yes", "do not ask, even where the object would change")
    .addOption(formatOption("json", "yaml"))
    .option("--policy-name <name>", "name of the policy (default: as karmadactl names it)")
    .addOption(
      new Option("--auto-create-policy [boolean]", "make a policy for it; false: one that selects it is there already")
        .argParser(truth)
        .default(true),
    )
    .option("-d, --dependencies", "also ConfigMaps, Secrets, ServiceAccount and claims that its Pods refer to")
    .addOption(stillOption(120_000, "2m"))
    .addHelpText("after", HELP)
    .action((words: string[], flags: PromoteFlags) => promoteCommand(words, flags, shell));
  suggest(command, { argument: "object", flags: { "--cluster": "cluster" } });
}

const HELP = `
The policy keeps what it finds (preserveResourcesOnDeletion) and takes over what is there (conflictResolution: Overwrite).
With -o, the policy and the template are printed; with --dry-run they are only printed. Exit codes: 0 taken over, the same
object and the same Pods; ${EXIT.failed} it cannot be, or is not proven to be; ${EXIT.usage} wrong flags or input.
${examples(
  "holdfast promote deploy/web -n shop -C member1 --dry-run",
  "holdfast promote deploy/web -n shop -C member1 -d",
  "holdfast promote deploy/web -n shop -C member1 --dry-run -o yaml > web.yaml",
)}`;

function truth(text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new InvalidArgumentError("write true or false");
}

async function promoteCommand(words: readonly string[], flags: PromoteFlags, shell: Shell): Promise<void> {
  await withFleet({ ...flags, clusters: [flags.cluster] }, async fleet => {
    const [cluster] = fleet.clusters;
    if (!cluster) throw new Problem("no member is named", "give -C MEMBER", EXIT.usage);
    await refuseHost(fleet, cluster);
    await run(fleet, await fleet.member(cluster), { words, flags }, shell);
  });
}

interface Asked {
  readonly words: readonly string[];
  readonly flags: PromoteFlags;
}

async function run(fleet: Fleet, member: MemberAccess, { words, flags }: Asked, shell: Shell): Promise<void> {
  const { resource, name } = resolveObject(member.discovery.served.resources, words);
  const namespace = resource.namespaced ? namespaceOf(flags, fleet.host) : undefined;
  const request = {
    resource,
    name,
    namespace,
    withPolicy: flags.autoCreatePolicy,
    withDependencies: flags.dependencies === true,
    policyName: flags.policyName,
  };
  const draft = await draftOf(fleet, member, request, shell.colors());
  refuseBlocked(draft);
  tell(draft, member.name, flags, shell);
  if (flags.dryRun) return print(draft, flags.output, shell);
  if (draft.assessments.every(({ verdict }) => verdict.state === "managed")) {
    return shell.output.note(`${words.join(" ")} is under Holdfast already: nothing to do`);
  }
  await confirm(draft, member.name, flags);
  const course = { fleet, member, progress: shell.progress, stillMs: flags.timeout };
  const promoted = await promote(course, draft);
  if (flags.output) print(draft, flags.output, shell);
  else for (const line of tableOf(COLUMNS, promoted)) shell.output.print(line);
}

/** @throws Problem: either all of it, or nothing */
function refuseBlocked({ assessments }: Draft): void {
  for (const { subject, verdict } of assessments) {
    if (verdict.state !== "blocked") continue;
    throw new Problem(`${fullTitleOf(subject.template)} cannot be taken over: ${verdict.why}`, verdict.wayOut);
  }
}

function tell({ assessments }: Draft, cluster: string, { output: format }: PromoteFlags, { output }: Shell): void {
  const say = (line: string): void => (format ? output.note(line) : output.print(line));
  for (const { subject, verdict, remarks } of assessments) {
    say(`${cluster}: ${fullTitleOf(subject.template)} ${sentence(verdict)}`);
    if (verdict.state === "changes") say(verdict.diff);
    for (const remark of remarks) output.warn(`${fullTitleOf(subject.template)}: ${remark}`);
  }
}

function sentence(verdict: Assessment["verdict"]): string {
  if (verdict.state === "managed") return "is under this Holdfast already";
  if (verdict.state !== "changes") return "is taken over as it is: nothing changes but two labels";
  return verdict.rollsOut ? "would change, and its Pods would be replaced:" : "would change:";
}

function print({ policy, templates }: Draft, format: DataFormat | undefined, { output }: Shell): void {
  const objects = [...(policy ? [policy] : []), ...templates];
  if (format === "json") output.print(documentOf(listOf(objects), "json"));
  else if (format === "yaml") output.print(objects.map(yamlOf).join("---\n").trimEnd());
}

/** Only what changes something is asked about. */
async function confirm({ assessments }: Draft, cluster: string, { yes }: PromoteFlags): Promise<void> {
  const changing = assessments.filter(({ verdict }) => verdict.state === "changes");
  if (yes || changing.length === 0) return;
  const answer = await ask(`Take over what is in ${cluster}, and change it as shown?`);
  if (answer) return;
  const hint = "give -y to change it, or correct what differs first";
  throw new Problem("nothing was done: the object would change", hint, EXIT.usage);
}

const COLUMNS: readonly Column<Promoted>[] = [
  { header: "Object", value: ({ template }) => fullTitleOf(template) },
  { header: "Outcome", value: () => "Adopted" },
  { header: "UID", value: () => "same" },
  { header: "Pods", value: ({ pods }) => pods && `${pods.same}/${pods.before} same` },
];
