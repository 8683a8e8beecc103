// The command `migrate status`: how far is a migration?
import type { Command } from "commander";
import type { KubeObject } from "../../crds/object.js";
import { withFleet, type Fleet } from "../access/fleet.js";
import { hostOptions, timeoutOption, type HostFlags } from "../access/host.js";
import { suggest } from "../completion/sources.js";
import { examples } from "../examples.js";
import { documentOf, formatOption, isData, type Format } from "../output/format.js";
import { tableOf, type Column } from "../output/table.js";
import { EXIT } from "../problem.js";
import { templatesOf } from "../rollback/standing.js";
import type { Shell } from "../shell.js";
import { objectKey } from "../view/adoption.js";
import { memberOf } from "./apply-command.js";
import { demandReport, readTemplates } from "./directory.js";
import { judgeHealth, readHealth, type Healths } from "./health.js";
import { readBefore, type Before } from "./record.js";
import type { PlannedObject, Report } from "./report.js";
import { takenOf, worksFor } from "./taken.js";

interface StatusFlags extends HostFlags {
  readonly output?: "wide" | "json" | "yaml";
}

/** `Moved`: taken over, as well as before · `Suffers`: taken over, and not as well · `Moving` · `Open`: not begun · `Blocked`. */
interface Row {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly state: "Moved" | "Suffers" | "Moving" | "Failed" | "Open" | "Blocked";
  readonly remark?: string;
}

/** Adds `migrate status`. */
export function addStatus(migrate: Command, shell: Shell): void {
  const command = migrate.command("status <dir>").description("Show how far a migration is, and how its workloads do.");
  timeoutOption(hostOptions(command))
    .addOption(formatOption("wide", "json", "yaml"))
    .addHelpText("after", HELP)
    .action((dir: string, flags: StatusFlags) => status(dir, flags, shell));
  suggest(command, { argument: "file" });
}

const HELP = `
A table of what is not done or not well; with -o wide, of everything. Exit codes: 0 all of the plan is moved and as well as
before, or nothing of it is moved; ${EXIT.failed} otherwise.
${examples("holdfast migrate status shop/", "holdfast migrate status shop/ -o json")}`;

async function status(dir: string, flags: StatusFlags, shell: Shell): Promise<void> {
  const format: Format = flags.output ?? "table";
  const report = demandReport(dir);
  await withFleet({ ...flags, clusters: [report.scope.cluster] }, async fleet => {
    const rows = await rowsOf(fleet, dir, report);
    const count = (state: Row["state"]): number => rows.filter(row => row.state === state).length;
    if (isData(format)) shell.output.print(documentOf({ objects: rows }, format));
    else print(rows, format === "wide", shell);
    const isWhole = count("Open") === 0 || count("Moved") + count("Moving") + count("Suffers") === 0;
    if (!isWhole || count("Suffers") + count("Failed") + count("Moving") > 0) shell.finish(EXIT.failed);
  });
}

const COLUMNS: readonly Column<Row>[] = [
  { header: "Namespace", value: ({ namespace }) => namespace },
  { header: "Kind", value: ({ kind }) => kind },
  { header: "Name", value: ({ name }) => name },
  { header: "State", value: ({ state }) => state },
  { header: "Remark", value: ({ remark }) => remark ?? "" },
];

function print(rows: readonly Row[], isWide: boolean, { output }: Shell): void {
  const shown = isWide ? rows : rows.filter(({ state }) => state !== "Moved" && state !== "Open");
  if (shown.length > 0) for (const line of tableOf(COLUMNS, shown)) output.print(line);
  const states = [...new Set(rows.map(({ state }) => state))].sort();
  const counts = states.map(state => `${rows.filter(row => row.state === state).length} ${state.toLowerCase()}`);
  output.print(`${rows.length} objects: ${counts.join(", ") || "none"}`);
}

async function rowsOf(fleet: Fleet, dir: string, report: Report): Promise<readonly Row[]> {
  const member = await memberOf(fleet);
  const planned = report.objects.filter(({ file }) => file !== undefined);
  const files = readTemplates(dir, planned);
  const names = files.flatMap(({ apiVersion, kind, metadata: { namespace, name } }) => {
    const resource = fleet.discovery.find(apiVersion, kind);
    return resource ? [{ resource, name, ...(namespace !== undefined && { namespace }) }] : [];
  });
  const [templates, works, healths] = await Promise.all([
    templatesOf(fleet.host.client, names),
    worksFor(fleet.host.client, member.name, files),
    readHealth(member, files),
  ]);
  const before = readBefore(dir);
  return report.objects.map((object): Row => {
    const { kind, namespace, name, verdict } = object;
    const base = { kind, ...(namespace !== undefined && { namespace }), name };
    if (verdict.state === "blocked") return { ...base, state: "Blocked", remark: verdict.why };
    const file = files[planned.indexOf(object)];
    const template = file && templates.get(objectKey(file));
    if (!file || !template) return { ...base, state: "Open" };
    const key = objectKey(file);
    return { ...base, ...stateOf({ object, template, work: works.get(key), healths, before: before.get(key) }) };
  });
}

interface Known {
  readonly object: PlannedObject;
  readonly template: KubeObject;
  readonly work: Parameters<typeof takenOf>[0];
  readonly healths: Healths;
  readonly before: Before | undefined;
}

function stateOf({ object, template, work, healths, before }: Known): Pick<Row, "state" | "remark"> {
  const taken = takenOf(work, template, object.uid);
  if (taken.state === "pending") return { state: "Moving", remark: taken.why };
  if (taken.state !== "applied") return { state: "Failed", remark: taken.why };
  if (!before?.health) return { state: "Moved" };
  const rollsOut = object.verdict.state === "changes" && object.verdict.rollsOut;
  const judged = judgeHealth({ before: before.health, rollsOut }, healths.get(before.key));
  return judged.state === "fine" ? { state: "Moved" } : { state: "Suffers", remark: judged.why };
}
