// How does a person, or a script, read what became of what was in a cluster?
import type { Work } from "../crds/work.js";
import { nameOfEntry, totalOf, type FarewellReport } from "../lib/domain/farewell-report.js";
import { cascadeOfWork, orderFor, writtenOrder, type Order } from "../lib/domain/work-word.js";
import type { Output } from "./output/output.js";

/** How data is written. */
export type Format = "table" | "json";

/** The end of an unjoin. */
export interface Ending {
  readonly cluster: string;
  /** How many objects the host had for the cluster when the command began. */
  readonly expected: number;
  /** What the operator found in the cluster; `undefined` when it told nothing. */
  readonly report: FarewellReport | undefined;
}

/** What of it is not proven, as sentences; none when every object is known to be kept or deleted. */
export function unproven({ cluster, expected, report }: Ending): string[] {
  if (!report) return expected > 0 ? [`what became of ${expected} object(s) in ${cluster} is not known`] : [];
  const untold = expected - report.sent;
  return [
    ...(report.left > 0 ? [`${report.left} object(s) were left behind in ${cluster}, or cannot be read there`] : []),
    ...(untold > 0 ? [`${untold} object(s) went before the operator, which was started anew, could count them`] : []),
  ];
}

/** Writes the report as data. */
export function printEnding(ending: Ending, format: Format, output: Output): void {
  const { cluster, report } = ending;
  if (format === "table") return report && printTable(report, output);
  const { kept = 0, deleted = 0, left = 0, objects = [] } = report ?? {};
  const document = { cluster, removed: true, proven: unproven(ending).length === 0, kept, deleted, left, objects };
  output.print(JSON.stringify(document, null, 2));
}

function printTable(report: FarewellReport, output: Output): void {
  const { kept, deleted, left, objects } = report;
  if (objects.length > 0) {
    const rows = objects.map(({ outcome, why = "", ...object }) => [outcome, nameOfEntry(object), why]);
    for (const line of columns([["OUTCOME", "OBJECT", "REMARK"], ...rows])) output.print(line);
  }
  const unnamed = totalOf(report) - objects.length;
  if (unnamed > 0) output.print(`… and ${unnamed} more`);
  output.print(`kept ${kept}, deleted ${deleted}, left behind ${left}`);
}

/** What the Works of a cluster say will happen, for a dry run. */
export function printPlanned(works: readonly Work[], format: Format, output: Output): void {
  const planned = works.flatMap(work =>
    (work.spec.workload?.manifests ?? []).map(({ apiVersion, kind, metadata: { namespace, name } }) => ({
      decision: decisionOf(work),
      apiVersion,
      kind,
      ...(namespace && { namespace }),
      name,
    })),
  );
  planned.sort((a, b) => (nameOfEntry(a) < nameOfEntry(b) ? -1 : 1));
  if (format === "json") return output.print(JSON.stringify({ dryRun: true, objects: planned }, null, 2));
  if (planned.length === 0) return;
  const rows = planned.map(({ decision, ...object }) => [WORDS[decision], nameOfEntry(object)]);
  const [head = "", ...lines] = columns([["DECISION", "OBJECT"], ...rows]);
  output.print(head);
  for (const line of lines) output.print(`${line} (dry run)`);
}

const WORDS = {
  keep: "keep",
  delete: "delete",
  adopted: "keep if it was there before",
  restore: "keep, put back as before",
} as const;

/** What a Work says about its objects when its cluster leaves. */
function decisionOf(work: Work): Order {
  return writtenOrder(work) ?? orderFor(cascadeOfWork(work));
}

/** Left-aligned, two blanks between, none at the end. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0)));
  return rows.map(row =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
