// The command `preserve`: whether copies stay when their template is deleted.
import { Option, type Command } from "commander";
import { messageOf } from "../../lib/kube/errors.js";
import { withFleet, type Fleet } from "../access/fleet.js";
import { hostOptions, namespaceOf, namespaceOptions, stillOption, timeoutOption } from "../access/host.js";
import type { HostFlags, NamespaceFlags } from "../access/host.js";
import { mapLimited } from "../access/limited.js";
import { suggest } from "../completion/sources.js";
import { examples } from "../examples.js";
import { documentOf, formatOption, isData } from "../output/format.js";
import { tableOf, type Column } from "../output/table.js";
import { EXIT, Problem } from "../problem.js";
import { chosenStandings } from "../rollback/names.js";
import { shortName } from "../rollback/report.js";
import { readStandings, type Standing } from "../rollback/standing.js";
import { untilDone } from "../rollback/until.js";
import { setWord } from "../rollback/word.js";
import type { Shell } from "../shell.js";
import { fateInWords, statusOf, type Preserved } from "./status.js";
import { titleOf } from "../../lib/domain/title.js";

interface PreserveFlags extends HostFlags, NamespaceFlags {
  readonly selector?: string;
  readonly output?: "wide" | "json" | "yaml";
  /** Milliseconds. */
  readonly timeout: number;
  readonly wait?: string;
}

type Verb = (fleet: Fleet, standings: readonly Standing[], flags: PreserveFlags, shell: Shell) => Promise<void>;

/** Adds `preserve` with its three verbs. */
export function addPreserve(program: Command, shell: Shell): void {
  const preserve = program
    .command("preserve")
    .helpGroup("Moving in and out:")
    .description(
      "Keep, or no longer keep, what is in the members when a template is deleted; or say what would happen.",
    );
  preserve.copyInheritedSettings(program);
  const enable = verb(preserve, shell, {
    name: "enable",
    says: "Keep the copies, by a word on the template.",
    run: set("orphan"),
  });
  const disable = verb(preserve, shell, {
    name: "disable",
    says: "Take that word off: policies decide again.",
    run: set(undefined),
  });
  verb(preserve, shell, { name: "status", says: "Show what would become of each copy, and on whose word.", run: show })
    .addOption(formatOption("wide", "json", "yaml"))
    .addHelpText("after", STATUS_HELP);
  for (const command of [enable, disable]) {
    command
      .addOption(stillOption(60_000, "1m"))
      .addOption(new Option("--wait <bool>", "until every Work says so").choices(["true", "false"]).default("true"))
      .addHelpText("after", examples(`holdfast preserve ${command.name()} deploy/web svc/web -n shop`));
  }
}

const STATUS_HELP = `
Exit codes: 0 every copy would stay, ${EXIT.failed} some would not, or nobody knows, ${EXIT.usage} wrong flags or input.
${examples("holdfast preserve status deploy/web -n shop")}`;

function verb(
  parent: Command,
  shell: Shell,
  { name, says, run }: { readonly name: string; readonly says: string; readonly run: Verb },
): Command {
  const command = parent.command(`${name} <objects...>`).description(says);
  namespaceOptions(timeoutOption(hostOptions(command)))
    .option("-l, --selector <selector>", "the templates of a kind with these labels, such as app=web")
    .action((words: string[], flags: PreserveFlags) =>
      withFleet(flags, async fleet => {
        const choice = { words, namespace: namespaceOf(flags, fleet.host), selector: flags.selector };
        await run(fleet, await chosenStandings(fleet, choice), flags, shell);
      }),
    );
  suggest(command, { argument: "objects" });
  return command;
}

function set(word: "orphan" | undefined): Verb {
  return async (fleet, standings, flags, { output, progress, finish }) => {
    const done: Standing[] = [];
    await mapLimited(standings, async standing => {
      const trouble = await write(fleet, standing, word);
      if (trouble === undefined) done.push(standing);
      else output.warn(`${titleOf(standing.reference)}: ${trouble}`);
    });
    const late = flags.wait === "false" ? [] : await untilSaid(fleet, done, flags, progress);
    for (const { reference } of standings.filter(one => done.includes(one) && !late.includes(one))) {
      output.print(
        `${shortName(reference)} ${word ? "is kept when it is deleted" : "has no word of its own any more"}`,
      );
    }
    if (late.length > 0) throw tooLate(late, word);
    if (done.length < standings.length) finish(EXIT.failed);
  };
}

/** Why it could not be written. */
async function write(fleet: Fleet, standing: Standing, word: string | undefined): Promise<string | undefined> {
  if (!standing.template) return "the host does not have it";
  try {
    const said = await setWord(fleet.host.client, standing, standing.template, word);
    return said ? undefined : "it is being deleted; its order is given";
  } catch (error) {
    return messageOf(error);
  }
}

function untilSaid(
  fleet: Fleet,
  standings: readonly Standing[],
  { timeout: stillMs }: PreserveFlags,
  progress: Shell["progress"],
): Promise<readonly Standing[]> {
  const { client } = fleet.host;
  const placed = standings.filter(({ binding }) => binding);
  return untilDone(placed, {
    open: async pending => {
      const clusters = fleet.all.map(({ metadata }) => metadata.name);
      const now = await readStandings(
        client,
        pending.map(({ name }) => name),
        clusters,
      );
      return pending.filter((_, i) => now[i]?.binding && !isSaid(now[i]));
    },
    stillMs,
    progress,
    what: "templates whose Works say so",
    hint: pending => `waits for the operator to write into the Works of ${pending.length} template(s)`,
  });
}

/** The binding has taken the template's word in, and every Work that of the binding. */
function isSaid(standing: Standing): boolean {
  const { copies, why } = statusOf(standing);
  return why === undefined && copies.every(({ isInWork }) => isInWork);
}

function tooLate(late: readonly Standing[], word: string | undefined): Problem {
  const [first] = late;
  const what = first ? titleOf(first.reference) : "";
  const more = late.length > 1 ? ` and ${late.length - 1} more` : "";
  return new Problem(
    word === undefined
      ? `the word is off ${what}${more}, but still in some Work`
      : `the word is on ${what}${more}, but not in every Work yet`,
    "that counts all the same: what the template says before its deletion decides; is the operator running?",
    EXIT.timeout,
  );
}

async function show(_: Fleet, standings: readonly Standing[], flags: PreserveFlags, shell: Shell): Promise<void> {
  const all = standings.map(standing => ({ standing, ...statusOf(standing) }));
  const copies = all.flatMap(one => one.copies);
  const { output: format = "table" } = flags;
  if (isData(format)) shell.output.print(documentOf({ copies }, format));
  else if (copies.length > 0)
    for (const line of tableOf(COLUMNS, copies, { wide: format === "wide" })) shell.output.print(line);
  for (const { standing, why } of all) if (why) shell.output.warn(`${titleOf(standing.reference)}: ${why}`);
  if (all.some(({ why }) => why !== undefined) || copies.some(({ stays }) => !stays)) {
    shell.finish(EXIT.failed);
  }
}

const COLUMNS: readonly Column<Preserved>[] = [
  { header: "Object", value: ({ object }) => shortName(object) },
  { header: "Cluster", value: ({ cluster }) => cluster },
  { header: "Copy", value: fateInWords },
  { header: "In work", value: ({ isInWork }) => (isInWork ? "yes" : "not yet") },
  { header: "By", value: ({ by }) => by },
  { header: "Reason", value: ({ reason }) => reason, wide: true },
];
