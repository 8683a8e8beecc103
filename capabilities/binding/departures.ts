// What was decided about copies whose place was left before anybody came to let go of them?
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { ClusterFacts } from "../../lib/domain/affinity.js";
import { claimOf } from "../../lib/domain/claims.js";
import { clusterOf } from "../../lib/domain/names.js";
import { FORGOTTEN, stateAt, type FirstState } from "../../lib/kube/history.js";
import type { AnyBinding, AnyPolicy, Host } from "../../lib/kube/host.js";
import { isLater } from "../../lib/kube/revision.js";
import { leftAtReader } from "./left-at.js";
import { partedAtReader } from "./parted-at.js";
import { decide, recordedCascade, type Certainty, type Decision } from "./plan.js";
import { recordAt } from "./record-at.js";
import type { RulesReader, RulesReading } from "./rules-at.js";
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
  const partedAt = partedAtReader(host);
  const leftAt = leftAtReader(host, partedAt);

  async function departure(departing: Departing, cluster: string): Promise<Decision | undefined> {
    const { live, until, binding, works } = departing;
    const moment = await momentOf(departing, cluster);
    if (!moment || (until !== undefined && isLater(moment.revision, until))) return undefined;
    const then = moment.isKnown ? await templateAt(live, moment.revision) : undefined;
    const template = then ?? live;
    const reading = await rules(template, claimOf(live), moment.isKnown ? moment.revision : until);
    const present = { binding, works };
    const record = moment.isKnown ? await recordAt(host, present, moment.revision) : present;
    const word = wordIn(factsOf(cluster), { template, reading, ...record });
    const recorded = recordedCascade(record.binding, record.works, cluster);
    return decide({ orphaned: false, word, recorded, certainty: certaintyOf(moment, reading, then) });
  }

  /** The edit or the deletion, whichever came first. */
  async function momentOf({ live, policy, binding }: Departing, cluster: string): Promise<Moment | undefined> {
    const current = (binding?.spec.clusters ?? []).map(({ name }) => name);
    const place = { template: live, cluster, current };
    const found = await Promise.all([leftAt(policy, place), partedAt(cluster)]);
    const moments = found.flatMap(first => (first ? momentIn(first) : []));
    const [first] = moments.toSorted((a, b) => (isLater(a.revision, b.revision) ? 1 : -1));
    return first && { ...first, isKnown: moments.every(({ isKnown }) => isKnown) };
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

/** When a place was left: at this revision, or at some time before it. */
interface Moment {
  readonly revision: string;
  readonly isKnown: boolean;
}

function momentIn({ state: { metadata }, before }: FirstState<KubeObject>): Moment {
  return { revision: metadata.resourceVersion ?? "", isKnown: before !== "unknown" };
}

/** What was said at a moment that is past reading may have been edited since: only what was heard is on record. */
function certaintyOf({ isKnown }: Moment, reading: RulesReading, then: KubeObject | undefined): Certainty {
  if (isKnown) return reading.exact && then ? "exact" : "late";
  return reading.holderUnheard || reading.rulesUnheard ? "edited" : "late";
}
