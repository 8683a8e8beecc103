// Which policies about deletion may have a say about a template?
import type { KubeObject } from "../../crds/object.js";
import type { CascadeRule } from "../domain/cascade.js";
import { POLICIES_BY_KIND, selectedKind, type Host } from "./host.js";

/** The host's policies about deletion. */
export type CascadePolicies = Pick<Host, "cascadePolicies" | "clusterCascadePolicies">;

/** Those of the template's namespace and the cluster-wide ones that name its kind. */
export function rulesAbout(
  { cascadePolicies, clusterCascadePolicies }: CascadePolicies,
  { apiVersion, kind, metadata: { namespace } }: Pick<KubeObject, "apiVersion" | "kind" | "metadata">,
): CascadeRule[] {
  const wide = clusterCascadePolicies.store.byIndex(POLICIES_BY_KIND, selectedKind(apiVersion, kind, undefined));
  if (!namespace) return wide;
  return [...cascadePolicies.store.byIndex(POLICIES_BY_KIND, selectedKind(apiVersion, kind, namespace)), ...wide];
}
