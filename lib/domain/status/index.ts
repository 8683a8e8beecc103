// What does a member report, is it well, and how do the reports of all members become the template's status?
import { isDeepStrictEqual } from "node:util";
import { type KubeObject, gvkOf } from "../../../crds/object.js";
import { batchRules } from "./batch.js";
import { networkingRules } from "./networking.js";
import { podRules } from "./pod.js";
import { type JsonRecord, isRecord } from "./read.js";
import {
  type Health,
  type KnownItem,
  type ReflectContext,
  type StatusItem,
  type StatusRule,
  type StatusRules,
  statusOf,
} from "./rule.js";
import { scalingRules } from "./scaling.js";
import { storageRules } from "./storage.js";
import { workloadRules } from "./workloads.js";

export type { Health, ReflectContext, StatusItem } from "./rule.js";

const RULES: StatusRules = {
  ...workloadRules,
  ...batchRules,
  ...podRules,
  ...networkingRules,
  ...storageRules,
  ...scalingRules,
  // A Secret has no status. Should one ever carry something there, it goes nowhere.
  "/Secret": { reflect: () => undefined },
};

// Fields of a condition that move while nothing changes.
const HEARTBEATS = new Set(["lastHeartbeatTime", "lastProbeTime", "lastUpdateTime"]);

/** Kinds whose template status is made from the members', as `<group>/<kind>`; the core group is empty (`/Pod`). */
export const aggregatedKinds: readonly string[] = Object.keys(RULES).filter(key => RULES[key]?.aggregate);

/**
 * What goes into `Work.status.manifestStatuses[].status` for a member object; undefined when it has nothing to report.
 * An object that idles gives the same answer each time. Kinds without a rule report their whole status
 * (spec/karmada.md 5.6), less the heartbeats of its conditions.
 */
export function reflectStatus(live: KubeObject, context: ReflectContext = {}): unknown {
  const rule = ruleFor(live);
  const reflected = rule?.reflect ? rule.reflect(live, context) : live.status;
  return withoutHeartbeats(reflected ?? undefined);
}

/**
 * How a member object fares (spec/karmada.md 5.6, last column). Kinds without a rule are Healthy; a kind with a rule
 * whose object has no status yet is Unknown.
 */
export function healthOf(live: KubeObject): Health {
  const health = ruleFor(live)?.health;
  if (!health) return "Healthy";
  const status = statusOf(live);
  return status ? health(live, status) : "Unknown";
}

/** The template, and what its members report; the order of the items does not matter. */
export interface AggregateInput {
  readonly template: KubeObject;
  readonly items: readonly StatusItem[];
}

/**
 * The new `.status` of a template, whole: send it as a PUT, or as a JSON patch `replace` of `/status`, of the status
 * subresource (a merge patch would leave behind what it no longer has). Undefined when the kind is not aggregated or
 * the template already says so. Members without a status count as unknown; no members at all clears the status.
 * The API server accepts every answer after every other (tried: test/integration/status-validity.test.ts).
 */
export function aggregateStatus({ template, items }: AggregateInput): unknown {
  const aggregate = ruleFor(template)?.aggregate;
  if (!aggregate) return undefined;
  const sorted = [...items].sort((a, b) => (a.clusterName < b.clusterName ? -1 : 1));
  const previous = statusOf(template) ?? {};
  const next = aggregate({ template, previous, items: sorted, known: sorted.flatMap(knownItem) });
  return next === undefined || saysTheSame(next, previous) ? undefined : next;
}

function ruleFor(object: KubeObject): StatusRule | undefined {
  const { group, kind } = gvkOf(object);
  const key = `${group}/${kind}`;
  return Object.hasOwn(RULES, key) ? RULES[key] : undefined;
}

function knownItem({ clusterName, status, applied }: StatusItem): readonly KnownItem[] {
  return isRecord(status) ? [{ clusterName, status, applied }] : [];
}

function withoutHeartbeats(status: unknown): unknown {
  if (!isRecord(status) || !Array.isArray(status.conditions)) return status;
  const conditions = status.conditions.map((condition: unknown) =>
    isRecord(condition)
      ? Object.fromEntries(Object.entries(condition).filter(([field]) => !HEARTBEATS.has(field)))
      : condition,
  );
  return { ...status, conditions };
}

function saysTheSame(next: JsonRecord, previous: JsonRecord): boolean {
  return isDeepStrictEqual(asStored(next), asStored(previous));
}

/** Without nulls and zeros: the API server prints some of them, drops others, and means "not set" by all. */
function asStored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asStored);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== null && field !== undefined && field !== 0);
  return Object.fromEntries(entries.map(([key, field]) => [key, asStored(field)]));
}
