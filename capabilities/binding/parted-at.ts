// At which revision was the deletion of a cluster accepted?
import { Answers } from "../../lib/kube/answers.js";
import { atDeletion } from "../../lib/kube/history.js";
import type { Host } from "../../lib/kube/host.js";

const REMEMBERED = 1_000;

/** Reads it from the host; `undefined` when the cluster stays, is gone, or its past is past reading. @throws when that does not answer. */
export type PartedAt = (cluster: string) => Promise<string | undefined>;

/** Asks once for each cluster that leaves: one answer serves all that is in it. */
export function partedAtReader({ clusters }: Pick<Host, "clusters">): PartedAt {
  const answers = new Answers<string | undefined>(REMEMBERED);

  return async function partedAt(cluster) {
    const joined = clusters.get(cluster);
    if (!joined?.metadata.deletionTimestamp) return undefined;
    return answers.of(joined.metadata.uid ?? "", () => ask(joined));
  };

  async function ask(cluster: Parameters<typeof atDeletion>[1]): Promise<string | undefined> {
    const { state, before } = await atDeletion(clusters.client, cluster);
    return before === "other" ? state.metadata.resourceVersion : undefined;
  }
}
