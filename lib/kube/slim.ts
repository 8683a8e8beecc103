// What stores keep of an object: enough to decide, no more.
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import { isRecord } from "../domain/json-value.js";
import { trimManagedFields } from "../domain/owned-fields.js";
import type { AnyBinding, AnyPolicy } from "./host.js";

/** A template: of its managedFields only what tells which fields people own (design 6). */
export function ownedFieldsOnly(object: KubeObject): KubeObject {
  return trimManagedFields(object);
}

/** A CustomResourceDefinition: that it is there and established; its schema may be large. */
export function crdFactsOnly(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, status } = object;
  const { name, uid, resourceVersion, generation, deletionTimestamp } = metadata;
  return { apiVersion, kind, metadata: { name, uid, resourceVersion, generation, deletionTimestamp }, status };
}

/** A Cluster: what placements and policies look at. */
export function clusterFactsOnly({ apiVersion, kind, metadata, spec }: Cluster): Cluster {
  const { name, uid, resourceVersion, labels } = metadata;
  const { syncMode, provider, region, zone, zones } = spec;
  return {
    apiVersion,
    kind,
    metadata: { name, uid, resourceVersion, labels },
    spec: { syncMode, provider, region, zone, zones },
  };
}

/** A propagation policy: its id, and whether it keeps. */
export function policyWordOnly<T extends AnyPolicy>({ apiVersion, kind, metadata, spec }: T): T {
  const { preserveResourcesOnDeletion } = spec;
  return {
    apiVersion,
    kind,
    metadata: identityOf(metadata),
    spec: { resourceSelectors: [], preserveResourcesOnDeletion },
  } as unknown as T;
}

/** A binding: what it is about, where that is, what becomes of it there, and how many pods it has. */
export function bindingFactsOnly<T extends AnyBinding>({ apiVersion, kind, metadata, spec, status }: T): T {
  const { resource, clusters, preserveResourcesOnDeletion, clusterDeletion } = spec;
  const reports = status?.aggregatedStatus?.map(({ clusterName, applied, presence, status: reported }) => {
    return { clusterName, applied, presence, status: isRecord(reported) ? countsOf(reported) : undefined };
  });
  return {
    apiVersion,
    kind,
    metadata: { ...identityOf(metadata), annotations: metadata.annotations },
    spec: { resource, clusters: clusters?.map(({ name }) => ({ name })), preserveResourcesOnDeletion, clusterDeletion },
    status: { aggregatedStatus: reports },
  } as unknown as T;
}

function countsOf({ replicas, currentNumberScheduled, active }: Readonly<Record<string, unknown>>) {
  return { replicas, currentNumberScheduled, active };
}

function identityOf({ namespace, name, uid, resourceVersion, labels }: KubeObject["metadata"]): KubeObject["metadata"] {
  return { namespace, name, uid, resourceVersion, labels };
}
