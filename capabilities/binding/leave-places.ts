// Lets go of the copies in places where a template no longer goes.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { claimOf } from "../../lib/domain/claims.js";
import { clusterOf } from "../../lib/domain/names.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { hasLeft } from "../../lib/kube/places.js";
import type { DecisionMaker } from "./decisions.js";
import type { LeftPlaces } from "./left-places.js";
import type { LetGo } from "./let-go.js";
import { isDecided } from "./plan.js";

/** A binding as it stands, and its Works. */
interface Standing {
  readonly key: string;
  readonly binding: AnyBinding;
  readonly template: KubeObject;
  readonly works: readonly Work[];
  /** Those of the Works whose cluster the binding does not name. */
  readonly orphans: readonly Work[];
}

/** Leaving a place is the same order as leaving altogether (design 3). Replayable. */
export function placeLeaver({
  host,
  decisions,
  farewell,
  leftPlaces,
}: Pick<Dependencies, "host"> & {
  readonly decisions: Pick<DecisionMaker, "places">;
  readonly farewell: Pick<LetGo, "fill" | "places">;
  readonly leftPlaces: Pick<LeftPlaces, "of" | "ordered">;
}) {
  return async function leavePlaces({ key, binding, template, works, orphans }: Standing): Promise<void> {
    const claim = claimOf(binding);
    const placing = { binding, policy: claim && host.policyOf(claim) };
    const isLeft = (cluster: string): boolean => hasLeft(host, placing, cluster);
    const uncovered = leftPlaces.of(key).filter(name => !works.some(work => clusterOf(work) === name));
    const gaps = await farewell.fill(binding, uncovered.filter(isLeft));
    // One that has its order and waits for its member needs no second one.
    const decided = orphans.filter(work => isDecided(work, template.metadata.uid));
    const open = orphans.filter(work => !decided.includes(work) && isLeft(clusterOf(work)));
    const leaving = [...open, ...gaps];
    if (leaving.length > 0)
      await farewell.places(template, leaving, await decisions.places(template, binding, leaving));
    leftPlaces.ordered(key, [...leaving, ...decided].map(clusterOf));
  };
}

/** A place that was left a moment ago, and whose Work is gone without an order: a farewell is about it as well. */
export function withLeftPlaces(
  binding: AnyBinding | undefined,
  works: readonly Work[],
  left: readonly string[],
): AnyBinding | undefined {
  const covered = works.map(clusterOf);
  const open = left.filter(name => !covered.includes(name));
  if (!binding || open.length === 0) return binding;
  const clusters = [...(binding.spec.clusters ?? []), ...open.map(name => ({ name }))];
  return { ...binding, spec: { ...binding.spec, clusters } } as AnyBinding;
}
