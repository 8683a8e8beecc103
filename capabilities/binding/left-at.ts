// At which revision did a policy take a template out of a cluster?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import type { PlaceableCluster } from "../../lib/domain/placement.js";
import { Answers } from "../../lib/kube/answers.js";
import { firstSuchState, type FirstState } from "../../lib/kube/history.js";
import type { AnyPolicy, Host } from "../../lib/kube/host.js";
import { isElsewhere } from "./places.js";

const REMEMBERED = 1_000;

/** A template that may have left a cluster; `current`: the clusters that it goes to now, as for placement. */
export interface LeftPlace {
  readonly template: KubeObject;
  readonly cluster: string;
  readonly current: readonly string[];
}

/** Reads it from the host, from `policy` backwards. @throws when that does not answer. */
export type LeftAt = (policy: AnyPolicy | undefined, place: LeftPlace) => Promise<FirstState<AnyPolicy> | undefined>;

/**
 * The first of the policy's states that places the template elsewhere; `undefined` when it has always done so, or does not:
 * then it is the cluster that changed. One answer serves all templates of a kind that go to the same clusters.
 */
export function leftAtReader(host: Pick<Host, "clusters" | "policiesLike">): LeftAt {
  const answers = new Answers<FirstState<AnyPolicy>>(REMEMBERED);

  function sendsElsewhere({ spec: { placement } }: AnyPolicy, { template, cluster, current }: LeftPlace): boolean {
    const clusters = [...host.clusters.store.values()].map(one => (one.metadata.name === cluster ? staying(one) : one));
    return isElsewhere({ placement, clusters, gvk: gvkOf(template), current: [...current, cluster] }, cluster);
  }

  return async function leftAt(policy, place) {
    if (!policy || !host.clusters.get(place.cluster) || !sendsElsewhere(policy, place)) return undefined;
    const { apiVersion, kind } = place.template;
    const where = [place.cluster, ...place.current.toSorted()].join(",");
    const key = [policy.metadata.uid, policy.metadata.generation, apiVersion, kind, where].join("|");
    const first = await answers.of(key, () =>
      firstSuchState(host.policiesLike(policy).client, policy, state => sendsElsewhere(state, place)),
    );
    return first.before === "none" ? undefined : first;
  };
}

/** As if it were not being removed: only the policy is asked about here. */
function staying(cluster: PlaceableCluster): PlaceableCluster {
  return { ...cluster, metadata: { ...cluster.metadata, deletionTimestamp: undefined } };
}
