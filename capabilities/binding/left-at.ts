// At which revision did a policy take a template out of a cluster?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { sendsFrom, type PlaceableCluster, type Sends } from "../../lib/domain/placement.js";
import { Answers } from "../../lib/kube/answers.js";
import { runOf, type FirstState } from "../../lib/kube/history.js";
import type { AnyPolicy, Host } from "../../lib/kube/host.js";
import { isLater } from "../../lib/kube/revision.js";
import type { PartedAt } from "./parted-at.js";

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
 * then it is the cluster that changed. A state that fits no cluster moves nothing (design 5). Clusters count as they were at
 * each state: one that has been removed since was a place to go. One answer serves all templates of a kind that go to the
 * same clusters.
 */
export function leftAtReader(host: Pick<Host, "clusters" | "policiesLike">, partedAt: PartedAt): LeftAt {
  const answers = new Answers<FirstState<AnyPolicy> | undefined>(REMEMBERED);

  async function partings(): Promise<ReadonlyMap<string, string>> {
    const leaving = [...host.clusters.store.values()].filter(({ metadata }) => metadata.deletionTimestamp);
    const found = await Promise.all(
      leaving.map(async ({ metadata: { name } }) => ({ name, parted: await partedAt(name) })),
    );
    return new Map(found.map(({ name, parted }) => [name, parted?.state.metadata.resourceVersion ?? ""]));
  }

  function sendsIn({ template, cluster, current }: LeftPlace, parted: ReadonlyMap<string, string>) {
    return ({ spec: { placement }, metadata: { resourceVersion } }: AnyPolicy): Sends => {
      const wasThere = (name: string): boolean => name === cluster || isLater(parted.get(name), resourceVersion);
      const clusters = [...host.clusters.store.values()].map(one => (wasThere(one.metadata.name) ? staying(one) : one));
      return sendsFrom(cluster, { placement, clusters, gvk: gvkOf(template), current });
    };
  }

  async function departureOf(policy: AnyPolicy, sends: (state: AnyPolicy) => Sends) {
    const { client } = host.policiesLike(policy);
    const { states, before } = await runOf(client, policy, state => sends(state) !== "here");
    const state = states.findLast(one => sends(one) === "elsewhere");
    return state && before !== "none" ? { state, before } : undefined;
  }

  return async function leftAt(policy, place) {
    if (!policy || !host.clusters.get(place.cluster)) return undefined;
    const sends = sendsIn(place, await partings());
    if (sends(policy) === "here") return undefined;
    const { apiVersion, kind } = place.template;
    const where = [place.cluster, ...place.current.toSorted()].join(",");
    const key = [policy.metadata.uid, policy.metadata.generation, apiVersion, kind, where].join("|");
    return answers.of(key, () => departureOf(policy, sends));
  };
}

/** As if it were not being removed: only the policy is asked about here. */
function staying(cluster: PlaceableCluster): PlaceableCluster {
  return { ...cluster, metadata: { ...cluster.metadata, deletionTimestamp: undefined } };
}
