// Where a template goes under its policy, and how its binding shall look.
import { gvkOf, type KubeObject } from "../../crds/object.js";
import type { PropagationSpec } from "../../crds/propagation-spec.js";
import type { ResourceBindingSpec, TargetCluster } from "../../crds/binding-spec.js";
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

/** The binding of a template, as it shall be; equal to `existing` when nothing is to be written. */
export function planBinding(request: {
  readonly template: KubeObject;
  readonly claim: Claim | undefined;
  /** `undefined`: no policy any more; what the binding says stays, frozen. */
  readonly policy: PropagationSpec | undefined;
  readonly targets: readonly TargetCluster[];
  readonly name: string;
  readonly existing: AnyBinding | undefined;
}): AnyBinding {
  const { template, claim, policy, targets, name, existing } = request;
  const { namespace } = template.metadata;
  const kind = namespace ? "ResourceBinding" : "ClusterResourceBinding";
  const idLabel = namespace ? RB_ID_LABEL : CRB_ID_LABEL;
  const finalizer = namespace ? BINDING_FINALIZER : CRB_FINALIZER;
  const marks = claimMarks(claim);
  const hash = policy
    ? stableHash(ownedManifest(template))
    : existing?.metadata.annotations?.[TEMPLATE_HASH_ANNOTATION];
  const spec = policy ? specOf(request, policy, hash) : existing && { ...existing.spec, clusters: targets };
  const finalizers = existing?.metadata.finalizers ?? [];
  return {
    ...existing,
    apiVersion: "work.karmada.io/v1alpha2",
    kind,
    metadata: {
      ...existing?.metadata,
      name,
      namespace,
      labels: defined({
        ...existing?.metadata.labels,
        ...marks.labels,
        [idLabel]: bindingPermanentId(kind, namespace, name),
      }),
      annotations: defined({
        ...existing?.metadata.annotations,
        ...marks.annotations,
        [TEMPLATE_HASH_ANNOTATION]: hash,
      }),
      finalizers: finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer],
      ownerReferences: [ownerOf(template)],
    },
    spec: spec ?? { resource: resourceOf(template, undefined), clusters: targets },
  } as AnyBinding;
}

function specOf(
  request: Parameters<typeof planBinding>[0],
  policy: PropagationSpec,
  hash: string | undefined,
): ResourceBindingSpec {
  const { template, existing, targets } = request;
  // Status writes move resourceVersion too; the binding follows only what the authors wrote.
  const same = existing?.metadata.annotations?.[TEMPLATE_HASH_ANNOTATION] === hash;
  const known =
    existing?.spec.resource.uid === template.metadata.uid ? existing?.spec.resource.resourceVersion : undefined;
  const scheduling = existing?.spec.suspension?.scheduling;
  const suspension = policy.suspension || scheduling ? { ...policy.suspension, scheduling } : undefined;
  return defined({
    ...existing?.spec,
    resource: resourceOf(template, same ? known : undefined),
    replicas: replicasOf(template),
    clusters: scheduling && existing ? existing.spec.clusters : targets,
    placement: policy.placement,
    schedulerName: policy.schedulerName === "default" ? "default-scheduler" : policy.schedulerName,
    propagateDeps: policy.propagateDeps,
    conflictResolution: policy.conflictResolution ?? "Abort",
    suspension: suspension && defined(suspension),
    preserveResourcesOnDeletion: policy.preserveResourcesOnDeletion,
  }) as ResourceBindingSpec;
}

function resourceOf(template: KubeObject, resourceVersion: string | undefined): ResourceBindingSpec["resource"] {
  const { apiVersion, kind, metadata } = template;
  const { namespace, name, uid } = metadata;
  const resource = {
    apiVersion,
    kind,
    namespace,
    name,
    uid,
    resourceVersion: resourceVersion ?? metadata.resourceVersion,
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
