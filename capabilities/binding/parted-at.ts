// At which revision was the deletion of a cluster accepted?
import type { Cluster } from "../../crds/cluster.js";
import { Answers } from "../../lib/kube/answers.js";
import { atDeletion, type FirstState } from "../../lib/kube/history.js";
import type { Host } from "../../lib/kube/host.js";

const REMEMBERED = 1_000;

/** Reads it from the host; `undefined` when the cluster stays or is gone. @throws when that does not answer. */
export type PartedAt = (cluster: string) => Promise<FirstState<Cluster> | undefined>;

/** Asks once for each cluster that leaves: one answer serves all that is in it. */
export function partedAtReader({ clusters }: Pick<Host, "clusters">): PartedAt {
  const answers = new Answers<FirstState<Cluster>>(REMEMBERED);

  return async function partedAt(cluster) {
    const joined = clusters.get(cluster);
    if (!joined?.metadata.deletionTimestamp) return undefined;
    return answers.of(joined.metadata.uid ?? "", () => atDeletion(clusters.client, joined));
  };
}
