// Does this cluster affinity allow that cluster, and if not, why?
import type { ClusterAffinity, FieldSelectorRequirement } from "../../crds/affinity.js";
import type { ObjectMeta } from "../../crds/object.js";
import { matchesLabelSelector } from "./label-selector.js";

/** What an affinity looks at; a `Cluster` fits. */
export interface ClusterFacts {
  readonly metadata: Pick<ObjectMeta, "name" | "labels">;
  readonly spec: {
    readonly provider?: string;
    readonly region?: string;
    readonly zone?: string;
    readonly zones?: readonly string[];
  };
}

/** Whether an affinity allows a cluster; absent and empty allow every cluster. */
export function matchesAffinity(affinity: ClusterAffinity | undefined, cluster: ClusterFacts): boolean {
  return whyNotAffinity(affinity, cluster) === undefined;
}

/**
 * The first thing in an affinity that keeps a cluster out, as a clause about the cluster; `undefined` when it is
 * allowed. `exclude` wins over everything, and all else must hold together. Source: spec/karmada 5.2.
 */
export function whyNotAffinity(affinity: ClusterAffinity | undefined, cluster: ClusterFacts): string | undefined {
  if (!affinity) return undefined;

  const named = whyNotByName(affinity, cluster.metadata.name);
  if (named) return named;
  if (!matchesLabelSelector(affinity.labelSelector, cluster.metadata.labels)) {
    return "its labels do not match labelSelector";
  }
  const unmet = affinity.fieldSelector?.matchExpressions?.find(requirement => !holds(requirement, cluster));
  return unmet && `${describeField(unmet.key, cluster)}, and fieldSelector wants ${describe(unmet)}`;
}

/** The values of a selectable field; `zone` is the old spelling of `zones`. */
export function clusterField(key: string, { spec }: ClusterFacts): readonly string[] {
  switch (key) {
    case "provider":
      return present(spec.provider);
    case "region":
      return present(spec.region);
    case "zone":
      return spec.zones?.length ? spec.zones : present(spec.zone);
    default:
      return [];
  }
}

function whyNotByName({ clusterNames = [], exclude = [] }: ClusterAffinity, name: string): string | undefined {
  if (exclude.includes(name)) return "exclude lists it";
  return clusterNames.length > 0 && !clusterNames.includes(name) ? "clusterNames does not list it" : undefined;
}

function holds({ key, operator, values = [] }: FieldSelectorRequirement, cluster: ClusterFacts): boolean {
  if (!["provider", "region", "zone"].includes(key)) return false;
  const any = clusterField(key, cluster).some(value => values.includes(value));
  if (operator === "In") return any;
  return operator === "NotIn" && values.length > 0 && !any;
}

function describe({ key, operator, values = [] }: FieldSelectorRequirement): string {
  return `${key} ${operator} (${values.join(", ")})`;
}

function describeField(key: string, cluster: ClusterFacts): string {
  const values = clusterField(key, cluster);
  return values.length > 0 ? `its ${key} is ${values.join(", ")}` : `it has no ${key}`;
}

function present(value: string | undefined): readonly string[] {
  return value ? [value] : [];
}
