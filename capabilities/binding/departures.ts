// What was decided about copies whose place was left before anybody came to let go of them?
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { ClusterFacts } from "../../lib/domain/affinity.js";
import { claimOf } from "../../lib/domain/claims.js";
import { clusterOf } from "../../lib/domain/names.js";
import { FORGOTTEN, stateAt } from "../../lib/kube/history.js";
import type { AnyBinding, AnyPolicy, Host } from "../../lib/kube/host.js";
import { isLater } from "../../lib/kube/revision.js";
import { leftAtReader } from "./left-at.js";
import { partedAtReader } from "./parted-at.js";
import { decide, recordedCascade, type Decision } from "./plan.js";
import type { RulesReader } from "./rules-at.js";
import { wordIn } from "./words.js";

/** A template that may have left places, and the policy from which on its past is read. */
export interface Departing {
  readonly live: KubeObject;
  /** The revision of its deletion: what came later is no departure any more. */
  readonly until?: string;
  readonly binding: AnyBinding | undefined;
  readonly works: readonly Work[];
  readonly policy: AnyPolicy | undefined;
}

/** The decisions by cluster; none for a place that was not left. @throws when the host does not answer. */
export type Departures = (departing: Departing) => Promise<ReadonlyMap<string, Decision>>;

/** A place is left by an edit of the policy or by the deletion of its Cluster: each counts as of its own revision. */
export function departuresReader(
  host: Host,
  rules: RulesReader,
  factsOf: (cluster: string) => ClusterFacts,
): Departures {
  const leftAt = leftAtReader(host);
  const partedAt = partedAtReader(host);

  async function departure(departing: Departing, cluster: string): Promise<Decision | undefined> {
    const { live, until, binding, works } = departing;
    const revision = await revisionOf(departing, cluster);
    if (revision === undefined || (until !== undefined && isLater(revision, until))) return undefined;
    const then = await templateAt(live, revision);
    const template = then ?? live;
    const reading = await rules(template, claimOf(live), revision);
    const word = wordIn(factsOf(cluster), { template, reading, binding, works });
    const recorded = recordedCascade(binding, works, cluster);
    return decide({ orphaned: false, word, recorded, certainty: reading.exact && then ? "exact" : "late" });
  }

  /** The edit or the deletion, whichever came first. */
  async function revisionOf({ live, policy, binding }: Departing, cluster: string): Promise<string | undefined> {
    const current = (binding?.spec.clusters ?? []).map(({ name }) => name);
    const place = { template: live, cluster, current };
    const [left, parted] = await Promise.all([leftAt(policy, place), partedAt(cluster)]);
    const edited = left?.before === "other" ? left.state.metadata.resourceVersion : undefined;
    return edited && (!parted || isLater(parted, edited)) ? edited : parted;
  }

  async function templateAt(live: KubeObject, revision: string): Promise<KubeObject | undefined> {
    const client = host.templates.of(live.apiVersion, live.kind)?.client;
    const then = client && (await stateAt(client, live, revision));
    return then === FORGOTTEN ? undefined : then;
  }

  return async function departures(departing) {
    const { binding, works } = departing;
    const clusters = [...new Set([...works.map(clusterOf), ...(binding?.spec.clusters ?? []).map(({ name }) => name)])];
    const decided = await Promise.all(
      clusters.map(async cluster => [cluster, await departure(departing, cluster)] as const),
    );
    return new Map(decided.flatMap(([cluster, decision]) => (decision ? [[cluster, decision] as const] : [])));
  };
}
