// What does a person need to understand what went wrong with one app?
import { describeCommand, type Command } from "../model/commands.js";
import type { Accepted } from "../model/history.js";
import { expectationOf } from "../model/orders.js";
import type { Verdict } from "../model/verdict.js";
import type { Actor } from "./actor.js";
import type { Trouble } from "./faults.js";
import { OPERATORS, type Fleet } from "./fleet.js";
import type { Line } from "./journal.js";

const MOST_LINES = 400;

/** Everything about one app that failed. */
export interface Finding {
  readonly actor: Actor;
  readonly verdict: Verdict;
  readonly trouble: Trouble;
  readonly fleet: Fleet;
  readonly history: readonly Accepted[];
}

/** The whole story in the order of time: commands, answers, faults, what the watches saw, what the operators logged. */
export function reportOf({ actor, verdict, trouble, fleet, history }: Finding): string {
  const { kind, policyKind, preserve, conflictResolution, settled, steps } = actor.app;
  const { orders, wanted } = expectationOf(history, trouble.disturbances);
  const lines = [
    ...actor.lines,
    ...actor.tools.journal.page(actor.name).lines,
    ...trouble.lines,
    ...OPERATORS.flatMap(name => logLines(name, fleet.log(name), actor.name)),
  ].sort((a, b) => a.ms - b.ms);
  return [
    `${actor.name}: ${kind} under ${policyKind} preserve=${preserve} ${conflictResolution}${settled ? ", settled" : ""}`,
    ...verdict.lost.map(text => `  LOST ${text}`),
    ...verdict.open.map(text => `  OPEN ${text}`),
    `  wanted: ${JSON.stringify(wanted)}`,
    ...orders.map(order => `  order: ${JSON.stringify(order)}`),
    `  commands: ${steps.map(({ afterMs, commands }) => `+${afterMs} ${wordsOf(commands)}`).join("; ")}`,
    ...lines.slice(0, MOST_LINES).map(line => `  ${clock(line.ms)} ${line.text}`),
  ].join("\n");
}

const wordsOf = (commands: readonly Command[]): string => commands.map(describeCommand).join(" & ");

function logLines(operator: string, log: string, name: string): Line[] {
  const about = new RegExp(`"${name}[/"]|${name}[/"]`);
  return log.split("\n").flatMap(text => {
    if (!about.test(text)) return [];
    return [{ ms: timeOf(text), text: `${operator}: ${text.slice(0, 600)}` }];
  });
}

/** A line of the log is one JSON object; one that is not stands at the end. */
function timeOf(text: string): number {
  return Number(/"time":(\d+)/.exec(text)?.[1] ?? Infinity);
}

const clock = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(14, 23) : "   --    ");
