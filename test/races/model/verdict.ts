// Is what became of an app's copies what the accepted words allow?
import { MEMBERS, type Member } from "./commands.js";
import type { Expectation, Order } from "./orders.js";

/** One object in a member, by uid, as it was seen from its first sight to its last. */
export interface Copy {
  readonly member: Member;
  readonly uid: string;
  /** Revision of the first sight. */
  readonly firstAt: number;
  /** `creationTimestamp`: whole seconds. */
  readonly createdMs: number;
  /** Whether it bore a mark of ours when it was last seen. */
  readonly marked: boolean;
  /** Revision of its end; Infinity when only its absence was seen. */
  readonly gone?: number;
}

/** What is on the host when one looks. Names for the report. */
export interface Remains {
  readonly leaving: readonly string[];
  readonly works: readonly Member[];
  readonly bindings: number;
}

/** What was found. */
export interface Verdict {
  /** Nothing can make good for it. */
  readonly lost: readonly string[];
  /** Not yet as it should be. */
  readonly open: readonly string[];
  readonly kept: number;
  readonly deleted: number;
  /** Copies that were kept where the rules alone would have deleted them. */
  readonly widened: number;
}

/** Judges one app at one moment. */
export function judge(expected: Expectation, copies: readonly Copy[], remains: Remains): Verdict {
  const fates = copies.map(copy => fateOf(copy, expected));
  const open = [
    ...fates.flatMap(({ open }) => open ?? []),
    ...MEMBERS.flatMap(member => missing(member, expected, copies)),
    ...remains.leaving.map(name => `${name} is still Terminating`),
    ...remains.works.filter(member => expected.wanted[member] === "no").map(m => `a Work in ${m} is left`),
  ];
  if (expected.isOver && remains.bindings > 0) open.push("a binding is left");
  return {
    lost: fates.flatMap(({ lost }) => lost ?? []),
    open,
    kept: fates.filter(({ kept }) => kept).length,
    deleted: fates.filter(({ deleted }) => deleted).length,
    widened: fates.filter(({ widened }) => widened).length,
  };
}

interface Fate {
  readonly lost?: string;
  readonly open?: string;
  readonly kept?: boolean;
  readonly deleted?: boolean;
  readonly widened?: boolean;
}

function fateOf(copy: Copy, expected: Expectation): Fate {
  const orders = expected.orders.filter(order => order.member === copy.member && !isNewer(copy, order));
  if (copy.gone !== undefined) return fateOfGone(copy, copy.gone, orders);
  const wanted = expected.wanted[copy.member];
  const keeping = orders.filter(({ allowed }) => allowed.includes("keep"));
  if (copy.marked) return wanted === "no" ? { open: `${nameOf(copy)} still bears marks` } : {};
  if (keeping.length > 0) return { kept: true, widened: !keeping.some(({ base }) => base.includes("keep")) };
  if (wanted === "maybe") return {};
  if (wanted === "yes") return { open: `${nameOf(copy)} is let go of, and nobody said so` };
  return { open: `${nameOf(copy)} was to be deleted and is kept (${reasons(orders)})` };
}

function fateOfGone(copy: Copy, gone: number, orders: readonly Order[]): Fate {
  const before = orders.filter(({ at }) => at < gone);
  if (!copy.marked) return { lost: `${nameOf(copy)} was DELETED after it had been let go of (${reasons(before)})` };
  if (before.some(({ allowed }) => allowed.includes("delete"))) return { deleted: true };
  return { lost: `${nameOf(copy)} was DELETED (${reasons(before)})` };
}

/** Made after the template or the place had come back: an older order is not about it. */
function isNewer(copy: Copy, { until }: Order): boolean {
  if (!until) return false;
  // After a gap in a watch the first sight is late; the creation time tells, but only in whole seconds.
  return copy.firstAt > until.at && copy.createdMs + 1_000 > until.ms;
}

function missing(member: Member, { wanted }: Expectation, copies: readonly Copy[]): string[] {
  const isThere = copies.some(copy => copy.member === member && copy.gone === undefined);
  return wanted[member] === "yes" && !isThere ? [`${member}: the copy is missing`] : [];
}

const nameOf = ({ member, uid }: Copy): string => `${member}: copy ${uid.slice(0, 8)}`;

function reasons(orders: readonly Order[]): string {
  if (orders.length === 0) return "nothing let go of it";
  return orders.map(({ origin, at, allowed, why }) => `${origin}@${at}: ${allowed.join("|")}, ${why}`).join("; ");
}
