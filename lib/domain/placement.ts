// Into which clusters does an object go, and why not into the others?
import type { ClusterAffinity } from "../../crds/affinity.js";
import type { GroupVersionKind, ObjectMeta } from "../../crds/object.js";
import type { Placement } from "../../crds/placement.js";
import type { Taint, Toleration } from "../../crds/taint.js";
import { whyNotAffinity, type ClusterFacts } from "./affinity.js";
import { taintsInEffect, type Taintable } from "./cluster-taints.js";
import { spread, whyNotSpreadable } from "./spread.js";

/** What placement looks at; a `Cluster` fits. */
export interface PlaceableCluster extends ClusterFacts {
  readonly metadata: Pick<ObjectMeta, "name" | "labels" | "deletionTimestamp">;
  readonly spec: ClusterFacts["spec"] & { readonly taints?: readonly Taint[] };
  readonly status?: Taintable["status"] & {
    readonly apiEnablements?: readonly {
      readonly groupVersion: string;
      readonly resources?: readonly { readonly kind: string }[];
    }[];
  };
}

/** `current`: where the object goes now. `observedAffinity`: the group of clusterAffinities that was used last. */
export interface PlacementRequest {
  readonly placement: Placement | undefined;
  readonly clusters: readonly PlaceableCluster[];
  readonly gvk: GroupVersionKind;
  readonly current: readonly string[];
  readonly observedAffinity?: string;
}

/** A cluster that is not used, and a clause about it that says why. */
export interface Rejection {
  readonly cluster: string;
  readonly why: string;
}

/**
 * `targets` is sorted by name and empty when nothing fits; then `unsatisfied` tells the reason if it is not one of single
 * clusters. `affinityName` is the group of clusterAffinities that was used.
 */
export interface PlacementPlan {
  readonly targets: readonly string[];
  readonly rejected: readonly Rejection[];
  readonly affinityName?: string;
  readonly unsatisfied?: string;
}

/** Where a placement sends an object that is in a cluster, as seen from there. `nowhere`: no cluster fits, and all stay (design 5). */
export type Sends = "here" | "elsewhere" | "nowhere";

/** Of an object that is in `cluster`, whether or not `current` says so. */
export function sendsFrom(cluster: string, { current, ...request }: PlacementRequest): Sends {
  const { targets } = planPlacement({ ...request, current: [...current, cluster] });
  if (targets.includes(cluster)) return "here";
  return targets.length > 0 ? "elsewhere" : "nowhere";
}

interface AffinityGroup {
  readonly affinityName?: string;
  readonly affinity: ClusterAffinity | undefined;
}

/**
 * Plans where an object goes. A cluster that is being removed is never used; one that is used already stays although
 * a taint appeared or its API list got shorter. Groups of clusterAffinities are tried in order, from the one used last;
 * the first with a cluster that fits is used. Without a placement every cluster may be used. Source: spec/karmada 5.2.
 */
export function planPlacement(request: PlacementRequest): PlacementPlan {
  const groups = groupsFrom(request);
  const tried: { group: AffinityGroup; plan: PlacementPlan }[] = [];
  for (const group of groups) {
    const plan = planGroup(request, group);
    tried.push({ group, plan });
    if (plan.targets.length > 0) break;
  }

  const last = tried.at(-1)?.plan;
  const targets = last?.targets ?? [];
  const unsatisfied = tried.flatMap(({ group, plan }) => prefixed(group, plan.unsatisfied)).join("; ");
  return {
    targets,
    rejected: mergeRejections(tried, targets),
    ...(targets.length > 0 ? { affinityName: last?.affinityName } : { unsatisfied: unsatisfied || undefined }),
  };
}

function groupsFrom({ placement, observedAffinity }: PlacementRequest): readonly AffinityGroup[] {
  const terms = placement?.clusterAffinities ?? [];
  if (terms.length === 0) return [{ affinity: placement?.clusterAffinity }];
  const start = terms.findIndex(term => term.affinityName === observedAffinity);
  return terms.slice(Math.max(0, start)).map(term => ({ affinityName: term.affinityName, affinity: term }));
}

function planGroup(request: PlacementRequest, { affinityName, affinity }: AffinityGroup): PlacementPlan {
  const { clusters, placement, current } = request;
  const rejected = whyUnknown(affinity, clusters);
  const feasible: PlaceableCluster[] = [];
  for (const cluster of clusters) {
    const why = whyNotCluster(request, affinity, cluster);
    if (why === undefined) feasible.push(cluster);
    else rejected.push({ cluster: cluster.metadata.name, why });
  }
  if (feasible.length === 0) return { targets: [], rejected };

  const outcome = spread(placement?.spreadConstraints ?? [], feasible, current);
  if ("unsatisfied" in outcome) return { targets: [], rejected, unsatisfied: outcome.unsatisfied };
  const left = feasible.map(cluster => cluster.metadata.name).filter(name => !outcome.chosen.includes(name));
  rejected.push(...left.map(cluster => ({ cluster, why: "spreadConstraints.maxGroups is reached without it" })));
  return { targets: outcome.chosen.toSorted(), rejected, affinityName };
}

function whyNotCluster(
  { placement, gvk, current }: PlacementRequest,
  affinity: ClusterAffinity | undefined,
  cluster: PlaceableCluster,
): string | undefined {
  if (cluster.metadata.deletionTimestamp) return "it is being removed";
  const why = whyNotAffinity(affinity, cluster) ?? whyNotSpreadable(placement?.spreadConstraints ?? [], cluster);
  if (why !== undefined || current.includes(cluster.metadata.name)) return why;
  return whyNoApi(gvk, cluster) ?? whyTainted(placement?.clusterTolerations ?? [], cluster);
}

function whyNoApi({ group, version, kind }: GroupVersionKind, { status }: PlaceableCluster): string | undefined {
  const apis = status?.apiEnablements;
  if (!apis?.length) return "the list of its APIs is not known yet";
  const groupVersion = group ? `${group}/${version}` : version;
  const serves = apis.some(
    api => api.groupVersion === groupVersion && api.resources?.some(resource => resource.kind === kind),
  );
  return serves ? undefined : `it does not serve ${groupVersion} ${kind}`;
}

function whyTainted(tolerations: readonly Toleration[], cluster: PlaceableCluster): string | undefined {
  const taint = taintsInEffect(cluster).find(
    ({ key, value, effect }) =>
      effect !== "PreferNoSchedule" && !tolerations.some(toleration => tolerates(toleration, { key, value, effect })),
  );
  if (!taint) return undefined;
  const written = `${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}`;
  return `clusterTolerations does not tolerate its taint ${written}`;
}

/** As for nodes (core/v1): an empty effect means all, and only Exists may leave the key open. */
function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (operator === "Exists") return !key || key === taint.key;
  return (!operator || operator === "Equal") && key === taint.key && (value ?? "") === (taint.value ?? "");
}

function whyUnknown(affinity: ClusterAffinity | undefined, clusters: readonly PlaceableCluster[]): Rejection[] {
  const known = new Set(clusters.map(cluster => cluster.metadata.name));
  const unknown = new Set((affinity?.clusterNames ?? []).filter(name => !known.has(name)));
  return [...unknown].map(cluster => ({
    cluster,
    why: "there is no cluster of this name; join it, or correct the name",
  }));
}

function mergeRejections(
  tried: readonly { readonly group: AffinityGroup; readonly plan: PlacementPlan }[],
  targets: readonly string[],
): Rejection[] {
  const reasons = new Map<string, string[]>();
  for (const { group, plan } of tried) {
    for (const { cluster, why } of plan.rejected) {
      if (targets.includes(cluster)) continue;
      reasons.set(cluster, [...(reasons.get(cluster) ?? []), ...prefixed(group, why)]);
    }
  }
  return [...reasons]
    .map(([cluster, whys]) => ({ cluster, why: whys.join("; ") }))
    .sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
}

function prefixed({ affinityName }: AffinityGroup, text: string | undefined): string[] {
  if (text === undefined) return [];
  return [affinityName ? `in ${affinityName}: ${text}` : text];
}
