// How do the conditions of copies in many members become one set of conditions, without a clock?
import { listed } from "../listed.js";
import { type JsonRecord, earliest, latest, pick, recordsAt, textAt, timeAt } from "./read.js";
import type { Aggregation, StatusItem } from "./rule.js";

/** What we carry of one type of condition. */
export interface ConditionRule {
  /** The value that says that all is well; any other known one is bad, but for `Unknown`. */
  readonly good: "True" | "False";
  /** A good condition with another reason still has a way to go, so it is the one that is shown. */
  readonly settledReason?: string;
  /** True where members word it anew from time to time though nothing has changed: the reason tells enough. */
  readonly restless?: boolean;
  /** True where an object may have others and never this one: then it counts as good there. */
  readonly mayLack?: boolean;
  /** True where members have this condition only while something is wrong: its absence says nothing. */
  readonly onlyInTrouble?: boolean;
  /** True where a member that refused the object is as bad as one that says so: nothing goes on there by itself. */
  readonly badUnapplied?: boolean;
}

/** The types of condition of a kind that are carried, in the order in which they are written. */
export type ConditionRules = Readonly<Record<string, ConditionRule>>;

/** A part of a status: absent where there is no condition to show. */
export interface Conditions {
  readonly conditions?: readonly JsonRecord[];
}

/** A member may write at any length; a template tells the beginning. */
const LONGEST_MESSAGE = 1024;
/** What the API server takes for a reason (metav1.Condition). */
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]{0,1022}[A-Za-z0-9_])?$/;

/**
 * `{ conditions }` of a member object with the types of the rules only; an empty object where it has none of them.
 * Messages of good conditions are left out: they name generated objects and tell nothing that must be stored.
 */
export function reflectConditions(status: JsonRecord, rules: ConditionRules): Conditions {
  const conditions = recordsAt(status, "conditions").flatMap(condition => {
    const rule = ruleOf(rules, condition);
    if (!rule) return [];
    const fields = ["type", "status", "reason", "lastTransitionTime"];
    const told = condition.status === rule.good || rule.restless ? undefined : textAt(condition, "message");
    return [{ ...pick(condition, fields), ...(told === undefined ? {} : { message: shortened(told) }) }];
  });
  return conditions.length > 0 ? { conditions } : {};
}

/**
 * `{ conditions }` over all members: the worst word of any of them, bad before unknown before good; an empty object
 * while no member reports one. A member that says nothing makes a condition Unknown, never good. Times come from the
 * members: a bad condition holds since the first that has it, a good one since the last; one whose time nobody knows
 * is left out, since some kinds demand a time. Each answer depends on reports alone, so that it repeats.
 */
export function mergeConditions(aggregation: Aggregation, rules: ConditionRules): Conditions {
  const conditions = Object.entries(rules).flatMap(([type, rule]) => mergeOne(aggregation, type, rule));
  return conditions.length > 0 ? { conditions } : {};
}

/** As `mergeConditions`, as a Deployment has them: `lastUpdateTime` is the time of the same change. */
export function timedConditions(aggregation: Aggregation, rules: ConditionRules): Conditions {
  const { conditions } = mergeConditions(aggregation, rules);
  if (!conditions) return {};
  return { conditions: conditions.map(each => ({ ...each, lastUpdateTime: each.lastTransitionTime })) };
}

interface Word {
  readonly clusterName: string;
  readonly status: "True" | "False" | "Unknown";
  readonly condition: JsonRecord;
  /** The higher, the worse. */
  readonly weight: number;
}

const BAD = 3;
const UNKNOWN = 2;
const UNSETTLED = 1;
const SETTLED = 0;

function mergeOne(aggregation: Aggregation, type: string, rule: ConditionRule): readonly JsonRecord[] {
  const words = wordsOf(aggregation, type, rule);
  const weight = Math.max(...words.map(word => word.weight));
  const worst = words.filter(word => word.weight === weight);
  const [first] = worst;
  if (!first || (rule.onlyInTrouble && weight < UNKNOWN)) return [];

  const lastTransitionTime = sinceOf(weight, worst, words) ?? timeBefore(aggregation, type, first.status);
  if (lastTransitionTime === undefined) return [];
  const reason = reasonOf(first) ?? (weight === UNKNOWN ? "NotReported" : type);
  const message = messageOf(weight, worst, rule);
  return [{ type, status: first.status, reason, message, lastTransitionTime }];
}

/** A word of each member; of those alone that have the condition where its absence says nothing. */
function wordsOf({ items, known, template }: Aggregation, type: string, rule: ConditionRule): readonly Word[] {
  const said = known.flatMap(({ clusterName, status }) => {
    const condition = recordsAt(status, "conditions").find(candidate => candidate.type === type);
    return condition ? [{ clusterName, condition, ...weigh(condition, rule) }] : [];
  });
  if (rule.onlyInTrouble) return said;
  const reporting = rule.mayLack ? known.filter(({ status }) => recordsAt(status, "conditions").length > 0) : [];
  const heard = new Set([...said, ...reporting].map(({ clusterName }) => clusterName));
  const silent = items.filter(item => !heard.has(item.clusterName));
  const words = silent.map(item => wordOfSilent(item, rule, template.metadata.creationTimestamp));
  return said.length === 0 && words.every(word => !word.condition.message) ? [] : [...said, ...words];
}

/** For a member without a word of its own; what became of an attempt there has no date but that of the template. */
function wordOfSilent(item: StatusItem, rule: ConditionRule, since?: string): Word {
  const { clusterName, applied, appliedMessage, pending } = item;
  if (!rule.badUnapplied || applied || !appliedMessage) {
    return { clusterName, condition: {}, status: "Unknown", weight: UNKNOWN };
  }
  const told = { message: appliedMessage, lastTransitionTime: since };
  // It may go better at any moment: no more is known of it than of one that has not been tried.
  if (pending)
    return { clusterName, condition: { ...told, reason: "NotReported" }, status: "Unknown", weight: UNKNOWN };
  const status = rule.good === "True" ? "False" : "True";
  return { clusterName, condition: { ...told, reason: "NotApplied" }, status, weight: BAD };
}

function weigh(condition: JsonRecord, rule: ConditionRule): Pick<Word, "status" | "weight"> {
  const { status } = condition;
  if (status !== "True" && status !== "False") return { status: "Unknown", weight: UNKNOWN };
  if (status !== rule.good) return { status, weight: BAD };
  const settled = rule.settledReason === undefined || condition.reason === rule.settledReason;
  return { status, weight: settled ? SETTLED : UNSETTLED };
}

function sinceOf(weight: number, worst: readonly Word[], all: readonly Word[]): string | undefined {
  const timesOf = (words: readonly Word[]) => words.map(word => timeAt(word.condition, "lastTransitionTime"));
  return weight >= UNKNOWN ? earliest(timesOf(worst)) : latest(timesOf(all));
}

/** Only for a state that no member dates: since when the template has been in it. */
function timeBefore({ previous, known }: Aggregation, type: string, status: string): string | undefined {
  const before = recordsAt(previous, "conditions").find(condition => condition.type === type);
  if (before?.status === status) return timeAt(before, "lastTransitionTime");
  return latest(
    known.flatMap(item => recordsAt(item.status, "conditions").map(each => timeAt(each, "lastTransitionTime"))),
  );
}

function reasonOf({ condition }: Word): string | undefined {
  const reason = textAt(condition, "reason");
  return reason !== undefined && REASON.test(reason) ? reason : undefined;
}

function messageOf(weight: number, worst: readonly Word[], { restless }: ConditionRule): string {
  const names = worst.map(word => word.clusterName);
  if (weight < UNKNOWN) return `in ${listed(names)}`;
  const told = worst.flatMap(({ clusterName, condition }) => {
    const message = (restless ? undefined : textAt(condition, "message")) ?? textAt(condition, "reason");
    return message === undefined ? [] : [`${clusterName}: ${message}`];
  });
  return told.length > 0 ? shortened(listed(told, { separator: "; " })) : `no report from ${listed(names)}`;
}

/** Never within a character: the API server would store another one in its place. */
function shortened(message: string): string {
  return message.slice(0, LONGEST_MESSAGE).replace(/[\uD800-\uDBFF]$/, "");
}

function ruleOf(rules: ConditionRules, { type }: JsonRecord): ConditionRule | undefined {
  return typeof type === "string" && Object.hasOwn(rules, type) ? rules[type] : undefined;
}
