// Which overrides does a policy name that are not there yet?
import type { AnyPolicy, Host } from "../../lib/kube/host.js";

/**
 * The names in `spec.dependentOverrides` that nothing bears: OverridePolicies of the policy's own namespace, or
 * ClusterOverridePolicies where the policy has none.
 */
export function missingOverrides(
  { overrides, clusterOverrides }: Pick<Host, "overrides" | "clusterOverrides">,
  { metadata: { namespace }, spec: { dependentOverrides = [] } }: AnyPolicy,
): string[] {
  return dependentOverrides.filter(name =>
    namespace ? !overrides.find({ namespace, name }) : !clusterOverrides.get(name),
  );
}
