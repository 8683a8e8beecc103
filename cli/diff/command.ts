// The command `diff`: what would change in each member.
import type { Command } from "commander";
import { messageOf } from "../../lib/kube/errors.js";
import { fleetOptions, withFleet, type Fleet, type FleetFlags } from "../access/fleet.js";
import { namespaceOf, namespaceOptions, type NamespaceFlags } from "../access/host.js";
import { mapLimited } from "../access/limited.js";
import { suggest } from "../completion/sources.js";
import { examples } from "../examples.js";
import { readManifests } from "../files/manifests.js";
import { EXIT, Problem } from "../problem.js";
import { previewMembers } from "../preview/members.js";
import { planTemplate } from "../preview/plan.js";
import { readPolicies } from "../preview/policies.js";
import type { Shell } from "../shell.js";
import { externalDiff, runExternal } from "./external.js";
import { findingsOf, type Findings } from "./report.js";
import { factsOf, fromFiles, fromHost, type Sources } from "./templates.js";
import { unifiedLines, type Difference } from "./text.js";

interface DiffFlags extends FleetFlags, NamespaceFlags {
  readonly filename?: readonly string[];
  readonly showMarks?: boolean;
}

/** Exit codes of `diff`; what goes wrong on the way is more than 1. */
const DIFFERENT = 1;

/** Adds `diff`. */
export function addDiff(program: Command, shell: Shell): void {
  const command = program
    .command("diff [objects...]")
    .helpGroup("Basic:")
    .description("Show what would change in each member if a template were applied, or took over what is there, now.");
  namespaceOptions(fleetOptions(command))
    .option("-f, --filename <file>", "compare what this file or directory holds; - is stdin", collect)
    .option("--show-marks", "also show the two labels by which Holdfast knows its own")
    .addHelpText("after", HELP)
    .action((words: string[], flags: DiffFlags) => diff(words, flags, shell));
  suggest(command, { argument: "objects" });
}

const HELP = `
Members are asked in a dry run; nothing is written. Policies in the files count in place of those on the host. With -C, a
template that no policy selects is compared as if one did. KUBECTL_EXTERNAL_DIFF names a program that shows the
differences. Exit codes: 0 nothing would change, ${DIFFERENT} something would, ${EXIT.usage} wrong flags or input,
${EXIT.unproven} something could not be compared.
${examples(
  "holdfast diff deploy/web -n shop",
  "holdfast diff -f deployment.yaml -f policy.yaml",
  "holdfast diff deploy/web -n shop -C member1     # before a policy exists",
)}`;

function collect(file: string, before: readonly string[] = []): readonly string[] {
  return [...before, file];
}

async function diff(words: readonly string[], flags: DiffFlags, shell: Shell): Promise<void> {
  if (words.length > 0 === (flags.filename !== undefined)) {
    throw new Problem("diff needs objects or files", "write KIND/NAME, or -f FILE; not both", EXIT.usage);
  }
  try {
    const findings = await withFleet(flags, fleet => compareAll(fleet, words, flags, shell));
    await show(
      findings.flatMap(({ differences }) => differences),
      shell,
    );
    shell.finish(exitCodeOf(findings));
  } catch (error) {
    throw moreThanOne(error);
  }
}

function exitCodeOf(findings: readonly Findings[]): number {
  if (findings.some(({ isKnown }) => !isKnown)) return EXIT.unproven;
  return findings.some(({ differences, isLeaving }) => differences.length > 0 || isLeaving) ? DIFFERENT : EXIT.ok;
}

/** 1 says that there are differences: it must not say that something went wrong. */
function moreThanOne(error: unknown): Problem {
  if (!(error instanceof Problem)) return new Problem(messageOf(error), undefined, EXIT.unproven, { cause: error });
  if (error.exitCode !== EXIT.failed) return error;
  return new Problem(error.message, error.hint, EXIT.unproven, { cause: error });
}

async function compareAll(
  fleet: Fleet,
  words: readonly string[],
  flags: DiffFlags,
  { output, progress }: Shell,
): Promise<readonly Findings[]> {
  const { templates, policies: files } = await sourcesFor(fleet, words, flags);
  const policies = await readPolicies(fleet.host.client, files);
  const { clusters: asked, showMarks: marks } = flags;
  let done = 0;
  const looked = await mapLimited(templates, async template => {
    const facts = await factsOf(fleet, template);
    const plan = planTemplate(facts, policies, fleet.all, asked);
    const visits = await previewMembers(fleet, { facts, plan, policies });
    if (templates.length > 1) progress.count(++done, templates.length, "templates compared");
    return { template, plan, visits, asked, options: { marks } };
  });
  return looked.map(input => findingsOf(input, output));
}

async function sourcesFor(fleet: Fleet, words: readonly string[], flags: DiffFlags): Promise<Sources> {
  const namespace = namespaceOf(flags, fleet.host);
  if (flags.filename === undefined) return fromHost(fleet, words, namespace);
  return fromFiles(readManifests(flags.filename), fleet.discovery, namespace ?? fleet.host.namespace);
}

async function show(differences: readonly Difference[], { output, env, colors }: Shell): Promise<void> {
  const program = externalDiff(env);
  if (program && differences.length > 0) {
    const text = await runExternal(program, differences);
    if (text !== "") output.print(text.trimEnd());
    return;
  }
  for (const difference of differences) for (const line of unifiedLines(difference, colors())) output.print(line);
}
