// How the Works of one binding shall look: one manifest per cluster, with what overrides make of it.
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { recordedWord } from "../../lib/domain/cascade.js";
import { sameJson, withoutKeys } from "../../lib/domain/json-value.js";
import {
  APPLIED_CLUSTER_OVERRIDES_ANNOTATION,
  APPLIED_OVERRIDES_ANNOTATION,
  BINDING_GENERATION_ANNOTATION,
  CONFLICT_RESOLUTION_ANNOTATION,
  CRB_ID_LABEL,
  CRB_NAME_ANNOTATION,
  DECIDED_BY_ANNOTATION,
  ORDER_ANNOTATION,
  RB_ID_LABEL,
  RB_NAME_ANNOTATION,
  RB_NAMESPACE_ANNOTATION,
  TEMPLATE_GENERATION_ANNOTATION,
  TEMPLATE_UID_ANNOTATION,
  WORK_FINALIZER,
  WORK_ID_LABEL,
} from "../../lib/domain/marks.js";
import { clusterOf, executionNamespace, workPermanentId } from "../../lib/domain/names.js";
import type { OverrideResult } from "../../lib/domain/overrides.js";
import { cascadeFields } from "../../lib/domain/work-word.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import type { Words } from "./decisions.js";

/** What one Work is made from. */
export interface WorkRequest {
  readonly binding: AnyBinding;
  readonly template: KubeObject;
  readonly cluster: string;
  readonly name: string;
  readonly rendered: OverrideResult;
  readonly existing: Work | undefined;
}

/** The Work as it shall be. Labels and annotations that others put on it stay; ours that no longer hold go. */
export function planWork(request: WorkRequest): Work {
  const { binding, cluster, rendered, existing } = request;
  const suspended = isSuspended(binding, cluster) ? { suspendDispatching: true } : {};
  return {
    ...existing,
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: metadataOf(request),
    spec: {
      ...withoutKeys(existing?.spec ?? {}, key => key === "suspendDispatching"),
      workload: { manifests: [rendered.manifest] },
      ...suspended,
      ...cascadeFields(wordOf(binding, cluster).cascadeDeletion),
    },
  };
}

function metadataOf(request: WorkRequest): Work["metadata"] {
  const { binding, cluster, name, existing } = request;
  const namespace = executionNamespace(cluster);
  const { labels, finalizers = [], ...kept } = existing?.metadata ?? {};
  return {
    ...kept,
    name,
    namespace,
    labels: { ...labels, ...bindingLabel(binding), [WORK_ID_LABEL]: workPermanentId(namespace, name) },
    annotations: annotationsOf(request),
    finalizers: finalizers.includes(WORK_FINALIZER) ? finalizers : [...finalizers, WORK_FINALIZER],
  };
}

function isSuspended({ spec: { suspension } }: AnyBinding, cluster: string): boolean {
  return suspension?.dispatching || suspension?.dispatchingOnClusters?.clusterNames?.includes(cluster) || false;
}

/** The label by which a binding finds its Works. */
export function bindingLabel(binding: AnyBinding): Record<string, string> {
  const label = binding.metadata.namespace ? RB_ID_LABEL : CRB_ID_LABEL;
  return { [label]: binding.metadata.labels?.[label] ?? "" };
}

/** The annotations by which a Work says whose it is. */
export function bindingAnnotations({ metadata: { namespace, name } }: AnyBinding): Record<string, string> {
  return namespace
    ? { [RB_NAMESPACE_ANNOTATION]: namespace, [RB_NAME_ANNOTATION]: name }
    : { [CRB_NAME_ANNOTATION]: name };
}

function annotationsOf({ binding, template, cluster, rendered, existing }: WorkRequest): Record<string, string> {
  const { generation } = binding.metadata;
  const { policies, clusterPolicies } = rendered.applied;
  const ours: Record<string, string | undefined> = {
    ...bindingAnnotations(binding),
    [CONFLICT_RESOLUTION_ANNOTATION]: conflictResolutionOf(binding, template),
    [APPLIED_OVERRIDES_ANNOTATION]: policies.length > 0 ? JSON.stringify(policies) : undefined,
    [APPLIED_CLUSTER_OVERRIDES_ANNOTATION]: clusterPolicies.length > 0 ? JSON.stringify(clusterPolicies) : undefined,
    [TEMPLATE_UID_ANNOTATION]: template.metadata.uid,
    [TEMPLATE_GENERATION_ANNOTATION]: template.metadata.generation?.toString(),
    [BINDING_GENERATION_ANNOTATION]: generation?.toString(),
    [DECIDED_BY_ANNOTATION]: decidedBy(wordOf(binding, cluster)),
    [ORDER_ANNOTATION]: undefined,
    [`${ORDER_ANNOTATION}-source`]: undefined,
  };
  const merged = Object.entries({ ...existing?.metadata.annotations, ...ours });
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The template's own word wins over the policy's (spec/karmada 1.7). */
function conflictResolutionOf(binding: AnyBinding, template: KubeObject): "abort" | "overwrite" {
  const own = template.metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION];
  if (own === "abort" || own === "overwrite") return own;
  return binding.spec.conflictResolution === "Overwrite" ? "overwrite" : "abort";
}

/** True when the Work needs no write. Which generation of the binding it renders moves only with something else. */
export function sameWork(a: Work, b: Work): boolean {
  const facts = ({ metadata, spec }: Work) => {
    const annotations = withoutKeys(metadata.annotations ?? {}, key => key === BINDING_GENERATION_ANNOTATION);
    return { labels: metadata.labels, annotations, finalizers: metadata.finalizers, spec };
  };
  return sameJson(facts(a), facts(b));
}

/** A Work that is made again for a frozen binding: what it had sent is not known any more, so it sends nothing. */
export function heldBack(work: Work): Work {
  return { ...work, spec: { ...work.spec, suspendDispatching: true } };
}

/** Frozen is what is in the members; whether it is kept there, the binding goes on saying. */
export function withWordOf(binding: AnyBinding, work: Work, cluster: string): Work {
  return withWordOn(work, wordOf(binding, cluster));
}

/**
 * The Works that do not say what would become of their copies now, as they should. Before a binding goes that cannot be
 * made again (its namespace is leaving, too): the Works will be all that tells.
 */
export function withLastWords(works: readonly Work[], words: Words): Work[] {
  return works.flatMap(work => {
    const word = words(clusterOf(work));
    if (!word || work.metadata.deletionTimestamp) return [];
    const last = withWordOn(work, word);
    return sameWork(last, work) ? [] : last;
  });
}

function withWordOn(work: Work, word: ClusterDeletion): Work {
  const others = withoutKeys(work.metadata.annotations ?? {}, key => key === DECIDED_BY_ANNOTATION);
  const by = decidedBy(word);
  const annotations = by ? { ...others, [DECIDED_BY_ANNOTATION]: by } : others;
  return {
    ...work,
    metadata: { ...work.metadata, annotations },
    spec: { ...work.spec, ...cascadeFields(word.cascadeDeletion) },
  };
}

function wordOf(binding: AnyBinding, cluster: string): ClusterDeletion {
  return recordedWord(binding.spec, cluster, "binding");
}

function decidedBy({ reason, decidedBy: by }: ClusterDeletion): string | undefined {
  return reason === "CascadeDeletionPolicy" ? by : undefined;
}
