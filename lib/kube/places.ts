// Has a template really left a cluster, or does its binding only say so?
import { gvkOf } from "../../crds/object.js";
import { claimOf } from "../domain/claims.js";
import { sendsFrom } from "../domain/placement.js";
import type { AnyBinding, Host } from "./host.js";

/**
 * True when the cluster is leaving, or when the policy places the template elsewhere. `spec.clusters` of a binding alone is
 * no order: somebody may have edited it, and propagation puts it right again (design 3). Without a policy nothing leaves.
 */
export function hasLeft(host: Pick<Host, "clusters" | "policyOf">, binding: AnyBinding, cluster: string): boolean {
  const joined = host.clusters.get(cluster);
  if (!joined || joined.metadata.deletionTimestamp) return true;
  const claim = claimOf(binding);
  const policy = claim && host.policyOf(claim);
  if (!policy) return false;
  const { resource, clusters: targets = [] } = binding.spec;
  const clusters = [...host.clusters.store.values()];
  const { placement } = policy.spec;
  const current = targets.map(({ name }) => name);
  return sendsFrom(cluster, { placement, clusters, gvk: gvkOf(resource), current }) === "elsewhere";
}
