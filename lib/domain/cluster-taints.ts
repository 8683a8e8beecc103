// Which taints count for a cluster: those in its spec, and what its readiness stands for?
import type { Condition } from "../../crds/object.js";
import type { Taint } from "../../crds/taint.js";

/** Stands for Ready=False (spec/karmada 7.4). */
export const NOT_READY_TAINT = "cluster.karmada.io/not-ready";
/** Stands for Ready=Unknown (spec/karmada 7.4). */
export const UNREACHABLE_TAINT = "cluster.karmada.io/unreachable";

/** As much of a Cluster as tells its taints. */
export interface Taintable {
  readonly spec: { readonly taints?: readonly Taint[] };
  readonly status?: { readonly conditions?: readonly Pick<Condition, "type" | "status">[] };
}

/** The key of the taint that a readiness stands for. */
export const readinessTaint = (ready: Condition["status"]): string | undefined =>
  ({ True: undefined, False: NOT_READY_TAINT, Unknown: UNREACHABLE_TAINT })[ready];

/** True for a taint that the operator sets; one of the same key and another effect was set by a person. */
export const isReadinessTaint = ({ key, effect }: Taint): boolean =>
  effect === "NoSchedule" && (key === NOT_READY_TAINT || key === UNREACHABLE_TAINT);

/** A cluster's spec as placement takes it: its taints may be written a moment after they count, which is no change. */
export function specInEffect<S extends Taintable["spec"]>(cluster: Taintable & { readonly spec: S }): S {
  return { ...cluster.spec, taints: taintsInEffect(cluster) };
}

/**
 * A list that people keep in `spec.taints` is left to them (Git would take ours out of it again), so that readiness counts as
 * its taint whether or not that is written there.
 */
export function taintsInEffect({ spec, status }: Taintable): readonly Taint[] {
  const { taints = [] } = spec;
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const key = ready && readinessTaint(ready.status);
  return key === undefined || taints.some(isReadinessTaint) ? taints : [...taints, { key, effect: "NoSchedule" }];
}
