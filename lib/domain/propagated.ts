// What is in the clusters, and what becomes of it when its template is deleted now?
import type { AggregatedStatusItem } from "../../crds/binding-status.js";
import type { ClusterDeletion, ResourceBindingSpec } from "../../crds/binding-spec.js";
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { KubeObject, ObjectMeta } from "../../crds/object.js";
import type { ClusterFacts } from "./affinity.js";
import { wordFor, type CascadeRule, type PolicyWord } from "./cascade.js";
import { claimOf, type Claim } from "./claims.js";
import { isRecord } from "./json-value.js";
import { presenceIn, type Presence } from "./presence.js";

/** As much of a binding of either kind as tells what is where. */
export interface BindingFacts {
  readonly metadata: ObjectMeta;
  readonly spec: Pick<
    ResourceBindingSpec,
    "resource" | "clusters" | "preserveResourcesOnDeletion" | "clusterDeletion" | "conflictResolution"
  >;
  readonly status?: { readonly aggregatedStatus?: readonly AggregatedStatusItem[] };
}

/** Everything that admission has seen of templates and of those who have a say about their copies. */
export interface Propagated {
  /** The binding of the template with this uid. */
  bindingOf(templateUid: string): BindingFacts | undefined;
  /** The bindings of a namespace's templates. */
  bindingsIn(namespace: string): readonly BindingFacts[];
  /** The bindings of what a propagation policy holds, by the policy's permanent id. */
  bindingsOf(policyId: string): readonly BindingFacts[];
  /** The bindings on which a policy about deletion has its word on record, by its kind and name. */
  bindingsDecidedBy(rule: string): readonly BindingFacts[];
  /** The word of the very policy that a claim names; `undefined` when that is gone. */
  wordOf(claim: Claim): PolicyWord | undefined;
  /** Every policy about deletion, of both kinds. */
  rules(): readonly CascadeRule[];
  /** A cluster that has joined. */
  clusterOf(name: string): ClusterFacts | undefined;
}

/** The copy of a template in one cluster. */
export interface Copy {
  readonly cluster: string;
  readonly cascade: Cascade;
  /** How many pods it has there, where its status tells. */
  readonly pods?: number;
  /** Whose it is, as far as the cluster has reported. */
  readonly presence: Presence;
}

/**
 * What becomes of every copy of a template that is deleted now, by the same rules that decide then (design 2). They are
 * the rules as they stand, not as the binding has them on record: the last word before the deletion counts (design 3).
 */
export function copiesOf(template: KubeObject, binding: BindingFacts, propagated: Propagated): readonly Copy[] {
  const rules = propagated.rules().filter(({ metadata: { namespace } }) => {
    return namespace === undefined || namespace === template.metadata.namespace;
  });
  const policy = policyWordOf(claimOf(template), binding, propagated);
  const recorded = binding.spec.clusterDeletion ?? [];
  return clustersOf(binding).map(name => {
    const cluster = propagated.clusterOf(name) ?? { metadata: { name }, spec: {} };
    return copyIn(name, binding, wordFor(cluster, { template, rules, policy, recorded }).cascadeDeletion);
  });
}

/** As `copiesOf`, where the template itself is not at hand: what it says stands on the binding. */
export function recordedCopiesOf(binding: BindingFacts, propagated: Propagated): readonly Copy[] {
  const { preserve } = policyWordOf(claimOf(binding), binding, propagated);
  return clustersOf(binding).map(name => {
    const recorded = binding.spec.clusterDeletion?.find(entry => entry.name === name);
    const own = recorded && isMoreExplicit(recorded) ? recorded.cascadeDeletion : undefined;
    return copyIn(name, binding, own ?? (preserve ? "orphan" : "background"));
  });
}

/** Where nothing more explicit than the propagation policy's field is on record: the clusters that an edit of it concerns. */
export function clustersByPolicyField(binding: BindingFacts): readonly string[] {
  const explicit = (binding.spec.clusterDeletion ?? []).filter(isMoreExplicit).map(({ name }) => name);
  return clustersOf(binding).filter(name => !explicit.includes(name));
}

/** Every copy is kept: `--cascade=orphan`. */
export function orphanedCopiesOf(binding: BindingFacts): readonly Copy[] {
  return clustersOf(binding).map(name => copyIn(name, binding, "orphan"));
}

const isMoreExplicit = ({ reason }: ClusterDeletion): boolean =>
  reason === "TemplateAnnotation" || reason === "CascadeDeletionPolicy";

/** The last word of a policy that is gone stands on the binding. */
function policyWordOf(claim: Claim | undefined, binding: BindingFacts, propagated: Propagated): PolicyWord {
  const word = claim && propagated.wordOf(claim);
  return word ?? { preserve: binding.spec.preserveResourcesOnDeletion ?? false, decidedBy: "binding" };
}

function clustersOf({ spec }: BindingFacts): readonly string[] {
  return (spec.clusters ?? []).map(({ name }) => name);
}

function copyIn(cluster: string, { spec, status }: BindingFacts, cascade: Cascade): Copy {
  const report = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
  const pods = podsIn(report?.status);
  return { cluster, cascade, ...(pods === undefined ? {} : { pods }), presence: presenceIn(report, spec) };
}

/** Deployments and the like, DaemonSets, Jobs. */
const POD_COUNTS = ["replicas", "currentNumberScheduled", "active"];

function podsIn(status: unknown): number | undefined {
  if (!isRecord(status)) return undefined;
  const counts = POD_COUNTS.map(field => status[field]);
  return counts.find(count => typeof count === "number");
}
