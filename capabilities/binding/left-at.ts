// At which revision did a policy take a template out of a cluster?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { planPlacement, type PlaceableCluster } from "../../lib/domain/placement.js";
import { Answers } from "../../lib/kube/answers.js";
import { firstSuchState, type FirstState } from "../../lib/kube/history.js";
import type { AnyPolicy, Host } from "../../lib/kube/host.js";

const REMEMBERED = 1_000;

/** Reads it from the host, from `policy` backwards. @throws when that does not answer. */
export type LeftAt = (
  template: KubeObject,
  policy: AnyPolicy | undefined,
  cluster: string,
) => Promise<FirstState<AnyPolicy> | undefined>;

/**
 * The first of the policy's states that places the template elsewhere; `undefined` when it has always done so, or does not:
 * then it is the cluster that changed. One answer serves all templates of a kind under the policy.
 */
export function leftAtReader(host: Pick<Host, "clusters" | "policiesLike">): LeftAt {
  const answers = new Answers<FirstState<AnyPolicy>>(REMEMBERED);

  function isElsewhere({ spec }: AnyPolicy, template: KubeObject, cluster: string): boolean {
    const clusters = [...host.clusters.store.values()].map(one => (one.metadata.name === cluster ? staying(one) : one));
    const { placement } = spec;
    const { targets } = planPlacement({ placement, clusters, gvk: gvkOf(template), current: [cluster] });
    return !targets.includes(cluster);
  }

  return async function leftAt(template, policy, cluster) {
    if (!policy || !host.clusters.get(cluster) || !isElsewhere(policy, template, cluster)) return undefined;
    const { apiVersion, kind } = template;
    const key = [policy.metadata.uid, policy.metadata.generation, apiVersion, kind, cluster].join("|");
    const first = await answers.of(key, () =>
      firstSuchState(host.policiesLike(policy).client, policy, state => isElsewhere(state, template, cluster)),
    );
    return first.before === "none" ? undefined : first;
  };
}

/** As if it were not being removed: only the policy is asked about here. */
function staying(cluster: PlaceableCluster): PlaceableCluster {
  return { ...cluster, metadata: { ...cluster.metadata, deletionTimestamp: undefined } };
}
