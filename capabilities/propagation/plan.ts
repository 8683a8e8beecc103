// Where a template goes under its policy, and how its binding shall look.
import { gvkOf, type KubeObject } from "../../crds/object.js";
import type { PropagationSpec } from "../../crds/propagation-spec.js";
import type { ClusterDeletion, ResourceBindingSpec, TargetCluster } from "../../crds/binding-spec.js";
import { claimMarks, type Claim } from "../../lib/domain/claims.js";
import { stableHash } from "../../lib/domain/drift.js";
import { sameJson } from "../../lib/domain/json-value.js";
import {
  BINDING_FINALIZER,
  CPP_ID_LABEL,
  CRB_FINALIZER,
  CRB_ID_LABEL,
  PP_ID_LABEL,
  RB_ID_LABEL,
  TEMPLATE_HASH_ANNOTATION,
} from "../../lib/domain/marks.js";
import { bindingPermanentId } from "../../lib/domain/names.js";
import { ownedManifest } from "../../lib/domain/owned-fields.js";
import { planPlacement, type PlaceableCluster, type PlacementPlan } from "../../lib/domain/placement.js";
import { replicasOf } from "../../lib/domain/replicas.js";
import type { AnyBinding } from "../../lib/kube/host.js";

/** Where a template goes under a policy. A cluster that leaves is never kept; otherwise "none fits" moves nothing. */
export function planTargets(request: {
  readonly template: KubeObject;
  readonly placement: PropagationSpec["placement"];
  readonly clusters: readonly PlaceableCluster[];
  readonly current: readonly TargetCluster[];
}): { readonly targets: readonly TargetCluster[]; readonly plan: PlacementPlan } {
  const { template, placement, clusters, current } = request;
  const names = current.map(c => c.name);
  const plan = planPlacement({ placement, clusters, gvk: gvkOf(template), current: names });
  const chosen = plan.targets.length > 0 ? plan.targets : stayingTargets(current, clusters).map(c => c.name);
  const replicas = replicasOf(template);
  return { plan, targets: chosen.map(name => (replicas === undefined ? { name } : { name, replicas })) };
}

/** The targets whose cluster is still joined and not leaving. */
export function stayingTargets(
  targets: readonly TargetCluster[],
  clusters: readonly PlaceableCluster[],
): readonly TargetCluster[] {
  const staying = new Set(clusters.filter(c => !c.metadata.deletionTimestamp).map(c => c.metadata.name));
  return targets.filter(target => staying.has(target.name));
}

/** What a binding is made from. */
export interface BindingRequest {
  readonly template: KubeObject;
  readonly claim: Claim | undefined;
  /** `undefined`: no policy any more; what the binding says stays, frozen. */
  readonly policy: PropagationSpec | undefined;
  readonly targets: readonly TargetCluster[];
  /** What becomes of the copies, where something else than the policy's field decides (design 2). */
  readonly clusterDeletion: readonly ClusterDeletion[] | undefined;
  readonly name: string;
  readonly existing: AnyBinding | undefined;
}

/** The binding of a template, as it shall be; equal to `existing` when nothing is to be written. */
export function planBinding(request: BindingRequest): AnyBinding {
  const { template, policy, targets, clusterDeletion, existing } = request;
  const hash = policy ? stableHash(ownedManifest(template)) : hashOn(existing);
  const frozen = existing?.spec ?? { resource: resourceOf(template, undefined) };
  return {
    ...existing,
    apiVersion: "work.karmada.io/v1alpha2",
    kind: template.metadata.namespace ? "ResourceBinding" : "ClusterResourceBinding",
    metadata: metadataOf(request, hash),
    spec: policy ? specOf(request, policy, hash) : defined({ ...frozen, clusters: targets, clusterDeletion }),
  } as AnyBinding;
}

function metadataOf({ template, claim, name, existing }: BindingRequest, hash: string | undefined) {
  const { namespace } = template.metadata;
  const { labels, annotations, finalizers = [], ...kept } = existing?.metadata ?? {};
  const marks = claimMarks(claim);
  const [kind, idLabel, finalizer] = namespace
    ? ["ResourceBinding", RB_ID_LABEL, BINDING_FINALIZER]
    : ["ClusterResourceBinding", CRB_ID_LABEL, CRB_FINALIZER];
  return {
    ...kept,
    name,
    namespace,
    labels: defined({ ...labels, ...marks.labels, [idLabel]: bindingPermanentId(kind, namespace, name) }),
    annotations: defined({ ...annotations, ...marks.annotations, [TEMPLATE_HASH_ANNOTATION]: hash }),
    finalizers: finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer],
    ownerReferences: [ownerOf(template)],
  };
}

function specOf(
  { template, existing, targets, clusterDeletion }: BindingRequest,
  policy: PropagationSpec,
  hash: string | undefined,
): ResourceBindingSpec {
  const suspension = suspensionOf(policy, existing);
  return defined({
    ...existing?.spec,
    resource: resourceOf(template, hashOn(existing) === hash ? existing?.spec.resource : undefined),
    replicas: replicasOf(template),
    clusters: suspension?.scheduling && existing ? existing.spec.clusters : targets,
    placement: policy.placement,
    schedulerName: policy.schedulerName === "default" ? "default-scheduler" : policy.schedulerName,
    propagateDeps: policy.propagateDeps,
    conflictResolution: policy.conflictResolution ?? "Abort",
    suspension,
    preserveResourcesOnDeletion: policy.preserveResourcesOnDeletion,
    clusterDeletion,
  }) as ResourceBindingSpec;
}

/** `scheduling` belongs to an outside queue: the policy's word is merged around it (spec/karmada 1.6). */
function suspensionOf(policy: PropagationSpec, existing: AnyBinding | undefined): ResourceBindingSpec["suspension"] {
  const scheduling = existing?.spec.suspension?.scheduling;
  return policy.suspension || scheduling ? defined({ ...policy.suspension, scheduling }) : undefined;
}

const hashOn = (binding: AnyBinding | undefined): string | undefined =>
  binding?.metadata.annotations?.[TEMPLATE_HASH_ANNOTATION];

/** Status writes move resourceVersion too; the binding follows only what the authors wrote: `same` is about that. */
function resourceOf(
  template: KubeObject,
  same: ResourceBindingSpec["resource"] | undefined,
): ResourceBindingSpec["resource"] {
  const { apiVersion, kind, metadata } = template;
  const { namespace, name, uid } = metadata;
  const resource = {
    apiVersion,
    kind,
    namespace,
    name,
    uid,
    resourceVersion: (same?.uid === uid && same?.resourceVersion) || metadata.resourceVersion,
  };
  return defined(resource) as ResourceBindingSpec["resource"];
}

/** The tools that show trees follow this; deletion never depends on it (design 3). */
function ownerOf(template: KubeObject) {
  const { apiVersion, kind, metadata } = template;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "", controller: true, blockOwnerDeletion: true };
}

/** True when two bindings say the same, as far as we write it. */
export function sameBinding(a: AnyBinding, b: AnyBinding): boolean {
  const facts = ({ metadata, spec }: AnyBinding) => ({
    labels: metadata.labels,
    annotations: metadata.annotations,
    finalizers: metadata.finalizers,
    ownerReferences: metadata.ownerReferences,
    spec,
  });
  return sameJson(facts(a), facts(b));
}

/** The permanent ids of policies that an object is marked with. */
export function claimIdsOf(object: KubeObject | undefined): string[] {
  return [PP_ID_LABEL, CPP_ID_LABEL].flatMap(label => object?.metadata.labels?.[label] ?? []);
}

function defined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
