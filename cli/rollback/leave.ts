// How does a template leave some members and stay in the others?
import type { ClusterAffinity } from "../../crds/affinity.js";
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { Placement } from "../../crds/placement.js";
import { planTargets } from "../../capabilities/propagation/plan.js";
import { claimBy, claimOf } from "../../lib/domain/claims.js";
import { sameJson } from "../../lib/domain/json-value.js";
import { CPP_ID_LABEL, PP_ID_LABEL } from "../../lib/domain/marks.js";
import type { AnyBinding, AnyPolicy } from "../../lib/kube/host.js";
import {
  CLUSTER_PROPAGATION_POLICIES,
  CLUSTER_RESOURCE_BINDINGS,
  PROPAGATION_POLICIES,
  RESOURCE_BINDINGS,
} from "../../lib/kube/kinds.js";
import { ResourceClient, type ApiResource } from "../../lib/kube/resource.js";
import type { Fleet } from "../access/fleet.js";
import { mapLimited } from "../access/limited.js";
import { grouped, readLabelledMetadata, type Bare } from "./read.js";
import type { Standing } from "./standing.js";

/** The edit of a policy after which the members that are meant are no longer in it. */
export interface Leaving {
  readonly resource: ApiResource;
  readonly policy: AnyPolicy;
  readonly placement: Placement;
}

/** Either the edit, or why there is none and what to do. Neither: the template is in none of these members any more. */
export interface LeavingPlan {
  readonly edit?: Leaving;
  readonly why?: string;
}

/** Reads the policies that have claimed the templates. Writes nothing. @throws KubeError */
export async function planLeaving(
  fleet: Fleet,
  standings: readonly Standing[],
  clusters: readonly string[],
): Promise<ReadonlyMap<Standing, LeavingPlan>> {
  const policies = await policiesOf(fleet, standings);
  const held = await heldBy(fleet, [...policies.values()]);
  return new Map(
    standings.map(standing => {
      const known = policies.get(idOf(standing));
      return [standing, planOne({ standing, standings, known, held, clusters, all: fleet.all })];
    }),
  );
}

interface Known {
  readonly resource: ApiResource;
  readonly policy: AnyPolicy;
}

interface LeavingFacts {
  readonly standing: Standing;
  /** All that are rolled back together. */
  readonly standings: readonly Standing[];
  readonly known: Known | undefined;
  /** The bindings of a policy, by its id. */
  readonly held: ReadonlyMap<string, readonly Bare[]>;
  readonly clusters: readonly string[];
  readonly all: readonly Cluster[];
}

/** The permanent id of a policy, which its bindings bear as well; `undefined` while it has none. */
export function policyIdOf({ metadata: { labels } }: Bare): string | undefined {
  return labels?.[PP_ID_LABEL] ?? labels?.[CPP_ID_LABEL];
}

const idOf = ({ template }: Standing): string => (template && claimOf(template)?.id) ?? "";

async function policiesOf(
  { host }: Pick<Fleet, "host">,
  standings: readonly Standing[],
): Promise<ReadonlyMap<string, Known>> {
  const claims = new Map(
    standings.flatMap(({ template }) => {
      const claim = template && claimOf(template);
      return claim ? [[claim.id, claim] as const] : [];
    }),
  );
  const found = await mapLimited([...claims.values()], async ({ kind, namespace, name, id }) => {
    const resource = kind === "PropagationPolicy" ? PROPAGATION_POLICIES : CLUSTER_PROPAGATION_POLICIES;
    const policy = await new ResourceClient<AnyPolicy>(host.client, resource).find({ namespace, name });
    // A namesake that was made later is another one.
    return policy && claimBy(kind, policy)?.id === id ? ([[id, { resource, policy }]] as const) : [];
  });
  return new Map(found.flat());
}

async function heldBy(
  { host }: Pick<Fleet, "host">,
  policies: readonly Known[],
): Promise<ReadonlyMap<string, readonly Bare[]>> {
  const questions = [PP_ID_LABEL, CPP_ID_LABEL].flatMap(label => {
    const ids = policies.flatMap(({ policy }) => policy.metadata.labels?.[label] ?? []);
    return [RESOURCE_BINDINGS, CLUSTER_RESOURCE_BINDINGS].map(kind => ({ kind, label, ids }));
  });
  const found = await Promise.all(
    questions.map(({ kind, label, ids }) => readLabelledMetadata(host.client, kind, label, ids)),
  );
  const bindings = found.flat().map(binding => ({ id: policyIdOf(binding) ?? "", binding }));
  return new Map(grouped(bindings, ({ id }) => id).map(group => [group[0].id, group.map(({ binding }) => binding)]));
}

/** Pure. Exported for its test. */
export function planOne(facts: LeavingFacts): LeavingPlan {
  const { standing, clusters, known } = facts;
  const { template, binding } = standing;
  if (!template || !binding) return {};
  const places = [
    ...new Set([...(binding.spec.clusters ?? []).map(c => c.name), ...standing.works.map(w => w.cluster)]),
  ];
  const leaving = places.filter(name => clusters.includes(name));
  if (leaving.length === 0) return {};
  if (leaving.length === places.length) {
    return { why: "these are all the members that it is in: leave --clusters out to roll it back as a whole" };
  }
  if (!known) return { why: "no policy is left that says where it goes: roll it back as a whole, or give it a policy" };
  return whyShared(facts) ?? planEdit({ template, binding, known, leaving, all: facts.all });
}

function whyShared({ standing, standings, held, known }: LeavingFacts): LeavingPlan | undefined {
  const uids = new Set(standings.flatMap(({ binding }) => binding?.metadata.uid ?? []));
  const others = (held.get(idOf(standing)) ?? []).filter(({ metadata }) => !uids.has(metadata.uid ?? ""));
  const [first] = others;
  if (!first || !known) return undefined;
  const { kind, metadata } = known.policy;
  const more = others.length > 1 ? ` and ${others.length - 1} more` : "";
  const why = `its ${kind} ${metadata.name} also places ${first.metadata.name}${more}, which would leave as well`;
  return { why: `${why}; give it a policy of its own (same placement, selector by name) and try again` };
}

interface EditFacts {
  readonly template: KubeObject;
  readonly binding: AnyBinding;
  readonly known: Known;
  readonly leaving: readonly string[];
  readonly all: readonly Cluster[];
}

function planEdit({ template, binding, known, leaving, all }: EditFacts): LeavingPlan {
  const { policy } = known;
  const by = "edit its placement by hand, with the word set first: holdfast preserve enable";
  if (policy.metadata.deletionTimestamp) return { why: `its ${policy.kind} is being deleted` };
  const placement = withoutClusters(policy.spec.placement, leaving);
  if (!placement) {
    return { why: `its ${policy.kind} ${policy.metadata.name} has clusterAffinities or names no other cluster; ${by}` };
  }
  // As the operator itself will decide: what stays must stay as it is.
  const current = binding.spec.clusters ?? [];
  const { targets } = planTargets({ template, placement, clusters: all, current });
  const staying = current.filter(({ name }) => !leaving.includes(name)).map(({ name }) => name);
  const moved = !sameJson([...targets.map(({ name }) => name)].sort(), [...staying].sort());
  const isDivided = policy.spec.placement?.replicaScheduling?.replicaSchedulingType === "Divided";
  if (moved || isDivided) {
    return { why: `its ${policy.kind} ${policy.metadata.name} would change the copies elsewhere as well; ${by}` };
  }
  return { edit: { ...known, placement } };
}

/** `undefined` where it is not plain what to change. */
function withoutClusters(placement: Placement = {}, leaving: readonly string[]): Placement | undefined {
  if (placement.clusterAffinities !== undefined && placement.clusterAffinities.length > 0) return undefined;
  const clusterAffinity = affinityWithout(placement.clusterAffinity ?? {}, leaving);
  return clusterAffinity && { ...placement, clusterAffinity };
}

function affinityWithout(affinity: ClusterAffinity, leaving: readonly string[]): ClusterAffinity | undefined {
  const { clusterNames = [], exclude = [] } = affinity;
  const isNamed = clusterNames.length > 0;
  const staying = clusterNames.filter(name => !leaving.includes(name));
  // No names at all would be every cluster.
  if (isNamed) return staying.length > 0 ? { ...affinity, clusterNames: staying } : undefined;
  return { ...affinity, exclude: [...new Set([...exclude, ...leaving])].sort() };
}
