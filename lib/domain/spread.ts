// Which of the clusters that fit are used, when a placement limits how many, or over which groups?
import type { SpreadConstraint } from "../../crds/placement.js";
import { clusterField, type ClusterFacts } from "./affinity.js";

/** Either the names of the chosen clusters, or why the constraints cannot be met. */
export type Spread = { readonly chosen: readonly string[] } | { readonly unsatisfied: string };

interface Limits {
  readonly path: string;
  readonly min: number;
  readonly max: number;
}

interface Group {
  readonly key: string;
  readonly clusters: readonly ClusterFacts[];
  readonly inUse: number;
}

const NO_LIMITS: Limits = { path: "spreadConstraints", min: 0, max: Number.POSITIVE_INFINITY };

/** What a cluster must have to be counted in a group, as a clause about it; `undefined` when it has everything. */
export function whyNotSpreadable(constraints: readonly SpreadConstraint[], cluster: ClusterFacts): string | undefined {
  const missing = constraints.find(constraint => isGrouping(constraint) && groupKey(constraint, cluster) === undefined);
  return missing && `it has no ${groupingOf(missing)}, which spreadConstraints asks for`;
}

/**
 * Chooses clusters within `minGroups` and `maxGroups`. What is in use stays in use, then the name decides; groups that
 * are in use come first, then the bigger ones. Unset or 0 as `maxGroups` is no upper limit (case 54). Groups are made by
 * one field or label besides `cluster`. Source: spec/karmada 5.3.
 */
export function spread(
  constraints: readonly SpreadConstraint[],
  feasible: readonly ClusterFacts[],
  current: readonly string[],
): Spread {
  const groupings = constraints.filter(isGrouping);
  const [grouping] = groupings;
  if (groupings.length > 1) {
    const found = groupings.map(groupingOf).join(" and ");
    return { unsatisfied: `spreadConstraints: groups by ${found}; keep one of them, besides cluster` };
  }

  const ordered = feasible.toSorted((a, b) => byUse(a, b, current));
  const clusterLimits = limitsOf(
    constraints,
    constraints.find(constraint => !isGrouping(constraint)),
  );
  if (ordered.length < clusterLimits.min) return tooFew(clusterLimits, "cluster", ordered.length);
  if (!grouping) return { chosen: ordered.slice(0, clusterLimits.max).map(nameOf) };
  return spreadOverGroups({ grouping, groupLimits: limitsOf(constraints, grouping), clusterLimits, current }, ordered);
}

interface GroupTask {
  readonly grouping: SpreadConstraint;
  readonly groupLimits: Limits;
  readonly clusterLimits: Limits;
  readonly current: readonly string[];
}

function spreadOverGroups(task: GroupTask, ordered: readonly ClusterFacts[]): Spread {
  const { grouping, groupLimits, clusterLimits, current } = task;
  const groups = groupsOf(grouping, ordered, current);
  if (groups.length < groupLimits.min) return tooFew(groupLimits, groupingOf(grouping), groups.length);
  if (clusterLimits.max < groupLimits.min) {
    const limit = `at most ${clusterLimits.max} clusters cannot cover ${groupLimits.min} groups`;
    return { unsatisfied: `${clusterLimits.path}: ${limit}; raise maxGroups, or lower minGroups` };
  }

  const count = Math.min(groups.length, groupLimits.max, clusterLimits.max);
  const bigEnough = [byUseThenSize, bySize]
    .map(order => groups.toSorted(order).slice(0, count))
    .find(picked => sizeOf(picked) >= clusterLimits.min);
  if (!bigEnough) return tooFew(clusterLimits, "cluster", sizeOf(groups.toSorted(bySize).slice(0, count)));

  const first = bigEnough.flatMap(group => group.clusters.slice(0, 1));
  const others = bigEnough.flatMap(group => group.clusters.slice(1)).toSorted((a, b) => byUse(a, b, current));
  return { chosen: [...first, ...others].slice(0, clusterLimits.max).map(nameOf) };
}

function groupsOf(grouping: SpreadConstraint, ordered: readonly ClusterFacts[], current: readonly string[]): Group[] {
  const members = new Map<string, ClusterFacts[]>();
  for (const cluster of ordered) {
    const key = groupKey(grouping, cluster);
    if (key !== undefined) members.set(key, [...(members.get(key) ?? []), cluster]);
  }
  return [...members].map(([key, clusters]) => ({
    key,
    clusters,
    inUse: clusters.filter(cluster => current.includes(nameOf(cluster))).length,
  }));
}

function limitsOf(constraints: readonly SpreadConstraint[], constraint: SpreadConstraint | undefined): Limits {
  if (!constraint) return NO_LIMITS;
  const path = `spreadConstraints[${constraints.indexOf(constraint)}]`;
  return { path, min: constraint.minGroups ?? 0, max: constraint.maxGroups || Number.POSITIVE_INFINITY };
}

function tooFew({ path, min }: Limits, what: string, found: number): Spread {
  return { unsatisfied: `${path}: minGroups is ${min}, but only ${found} ${what}(s) fit; lower it, or add clusters` };
}

function isGrouping({ spreadByField, spreadByLabel }: SpreadConstraint): boolean {
  return Boolean(spreadByLabel) || (spreadByField !== undefined && spreadByField !== "cluster");
}

function groupingOf({ spreadByField, spreadByLabel }: SpreadConstraint): string {
  return spreadByLabel ? `label ${spreadByLabel}` : (spreadByField ?? "cluster");
}

/** A cluster that lies in several zones is a group of its own with the others that lie in exactly these. */
function groupKey({ spreadByField, spreadByLabel }: SpreadConstraint, cluster: ClusterFacts): string | undefined {
  if (spreadByLabel) return new Map(Object.entries(cluster.metadata.labels ?? {})).get(spreadByLabel);
  const values = clusterField(spreadByField ?? "", cluster);
  return values.length > 0 ? values.toSorted().join(",") : undefined;
}

function byUse(a: ClusterFacts, b: ClusterFacts, current: readonly string[]): number {
  const use = Number(current.includes(nameOf(b))) - Number(current.includes(nameOf(a)));
  return use || (nameOf(a) < nameOf(b) ? -1 : 1);
}

function byUseThenSize(a: Group, b: Group): number {
  return b.inUse - a.inUse || bySize(a, b);
}

function bySize(a: Group, b: Group): number {
  return b.clusters.length - a.clusters.length || (a.key < b.key ? -1 : 1);
}

function sizeOf(groups: readonly Group[]): number {
  return groups.reduce((sum, group) => sum + group.clusters.length, 0);
}

function nameOf(cluster: ClusterFacts): string {
  return cluster.metadata.name;
}
