// Has a template really left a cluster, or does its binding only say so?
import { gvkOf } from "../../crds/object.js";
import { sendsFrom } from "../domain/placement.js";
import type { AnyBinding, AnyPolicy, Host } from "./host.js";

/** A binding, and the policy that it is claimed for as far as there is one. */
export interface Placing {
  readonly binding: AnyBinding;
  readonly policy: AnyPolicy | undefined;
}

/**
 * True when the cluster is leaving, or when the policy places the template elsewhere. `spec.clusters` of a binding alone is
 * no order: somebody may have edited it, and propagation puts it right again (design 3). Without a policy nothing leaves.
 */
export function hasLeft(host: Pick<Host, "clusters">, { binding, policy }: Placing, cluster: string): boolean {
  const joined = host.clusters.get(cluster);
  if (!joined || joined.metadata.deletionTimestamp) return true;
  if (!policy) return false;
  const { resource, clusters: targets = [] } = binding.spec;
  const clusters = [...host.clusters.store.values()];
  const { placement } = policy.spec;
  const current = targets.map(({ name }) => name);
  return sendsFrom(cluster, { placement, clusters, gvk: gvkOf(resource), current }) === "elsewhere";
}
