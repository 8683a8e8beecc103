// When may "keep" be right although the rules say delete?
import { isOf, type Accepted, type Change } from "./history.js";
import type { Order } from "./orders.js";

/** A time in which nobody could take a decision, or not from what was accepted. */
export interface Disturbance {
  readonly fromMs: number;
  readonly toMs: number;
  readonly what: string;
}

/** All that happened to an app, and to what it depends on. */
export interface Past {
  readonly history: readonly Accepted[];
  readonly disturbances: readonly Disturbance[];
}

/** Why the operator may not have been able to read what decides: then it keeps, and is right. */
export function doubtAbout(origin: Order["origin"], { at, ms }: Accepted, past: Past): string | undefined {
  const { history, disturbances } = past;
  const isLater = (one: Accepted): boolean => one.at > at && saysKeep(one.change);
  if (origin !== "template" && history.some(isLater)) return "a word that keeps came before it was carried out";
  const meddled = history.some(one => one.at <= at && isOf("meddling")(one) && BLINDS.has(one.change.what));
  if (meddled) return "somebody's hand was in what it knows";
  if (!history.some(({ change }) => saysKeep(change))) return undefined;
  const near = disturbances.find(({ fromMs, toMs }) => fromMs < ms + AFTER_MS && toMs > ms - BEFORE_MS);
  return near && `${near.what}, and there was a word that keeps`;
}

/** A binding without its owner looks orphaned, and a template without marks names nobody. */
const BLINDS = new Set(["owner", "finalizer", "marks"]);

/** How long before and after a deletion a disturbance can be in the way of its decision, milliseconds. */
const BEFORE_MS = 2_000;
const AFTER_MS = 2_000;

function saysKeep(change: Change): boolean {
  if (change.type === "policy") return change.value === true;
  if (change.type === "template") return change.cascade !== undefined && change.cascade !== "background";
  return change.type === "rule" && change.rule.value !== "background";
}
