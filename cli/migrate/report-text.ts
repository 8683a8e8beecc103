// How does a plan read for a person?
import { titleOf } from "../../lib/domain/title.js";
import { commandOf, countsOf, plannedTitle, type PlannedObject, type Report } from "./report.js";

/** `report.md`. The same state gives the same text. */
export function reportText(report: Report): string {
  const { objects } = report;
  const of = (state: string): readonly PlannedObject[] => objects.filter(({ verdict }) => verdict.state === state);
  const parts = [
    head(report),
    section("Cannot be taken over", of("blocked"), blockedLines),
    section("Would change", of("changes"), changeLines),
    section("Adoptable as they are", of("ready"), plainLines),
    section("Under this Holdfast already", of("managed"), plainLines),
    secretLines(report),
    leftOutLines(report),
  ];
  return `${parts
    .filter(part => part.length > 0)
    .map(part => part.join("\n"))
    .join("\n\n")}\n`;
}

function head(report: Report): readonly string[] {
  const { ready, changes, blocked, managed } = countsOf(report);
  const { scope } = report;
  return [
    `# Migration of ${scope.cluster}${scope.namespace === undefined ? "" : `, namespace ${scope.namespace}`}`,
    "",
    `Made by \`${commandOf(scope)}\`. Nothing has been changed anywhere.`,
    "",
    "| | Objects |",
    "| --- | --- |",
    `| Adoptable as they are | ${ready} |`,
    `| Would change | ${changes} |`,
    `| Cannot be taken over | ${blocked} |`,
    `| Under this Holdfast already | ${managed} |`,
    `| Secrets, not asked for | ${report.secrets.length} |`,
    "",
    "Next: `holdfast migrate apply DIR`, and `holdfast migrate rollback DIR` brings all of it back.",
  ];
}

function section(
  title: string,
  objects: readonly PlannedObject[],
  lines: (object: PlannedObject) => readonly string[],
): readonly string[] {
  if (objects.length === 0) return [];
  return [`## ${title} (${objects.length})`, "", ...objects.flatMap(lines)];
}

function plainLines(object: PlannedObject): readonly string[] {
  return [`- ${plannedTitle(object)}${object.remarks.map(remark => `; ${remark}`).join("")}`];
}

function blockedLines(object: PlannedObject): readonly string[] {
  const { verdict } = object;
  if (verdict.state !== "blocked") return [];
  return [...plainLines(object), `  - Why: ${verdict.why}`, `  - Way out: ${verdict.wayOut}`];
}

function changeLines(object: PlannedObject): readonly string[] {
  const { verdict } = object;
  if (verdict.state !== "changes") return [];
  const diff = verdict.diff.split("\n").map(line => `  ${line}`.trimEnd());
  const rolls = verdict.rollsOut ? ["  - Its Pods would be replaced: what they are made of changes."] : [];
  return [...plainLines(object), ...rolls, "", "  ```diff", ...diff, "  ```", ""];
}

function secretLines({ secrets, scope }: Report): readonly string[] {
  if (secrets.length === 0) return [];
  return [
    `## Secrets (${secrets.length})`,
    "",
    `Not written: a plan is made for Git. With \`${commandOf(scope)} --include-secrets\` they are, base64 as they are; keep`,
    "such a directory out of Git, or encrypt it.",
    "",
    ...secrets.map(({ namespace, name }) => `- ${titleOf({ kind: "Secret", metadata: { namespace, name } })}`),
  ];
}

function leftOutLines({ leftOut }: Report): readonly string[] {
  if (leftOut.length === 0) return [];
  const total = leftOut.reduce((sum, { count }) => sum + count, 0);
  return [
    `## Left out (${total})`,
    "",
    "No templates: every cluster makes its own, or a controller makes them from what is moved.",
    "",
    ...leftOut.map(({ kind, why, count }) => `- ${count} ${kind}: ${why}`),
  ];
}
