// What did policies about deletion say while nobody listened, before an edit by which they no longer select?
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { ClusterFacts } from "../domain/affinity.js";
import { isMeantBy, keepsLess, wordFor } from "../domain/cascade.js";
import { isUnheard, isUnheardEdit } from "../domain/heard.js";
import type { AnyCascadePolicy, Host } from "./host.js";
import { statesReader } from "./states.js";
import type { StoreChange } from "./store.js";

/** For a cluster: the word that would be on record if somebody had listened; `undefined` where there is none. */
export type Lapses = (cluster: ClusterFacts) => ClusterDeletion | undefined;

/**
 * Such an edit changes no decision (design 2): the word before it is read from the host's history, back to the last
 * generation that its status speaks of, since what that said is on record. Each generation's past is read once.
 * @throws when the host does not answer: then nothing is decided
 */
export function lapsesReader(host: Pick<Host, "cascadePoliciesLike">) {
  const statesOf = statesReader((rule: AnyCascadePolicy) => host.cascadePoliciesLike(rule).client, isUnheard);
  return async function lapsesOf(template: KubeObject, rules: readonly AnyCascadePolicy[]): Promise<Lapses> {
    const histories = await Promise.all(rules.filter(isUnheardEdit).map(statesOf));
    return cluster => {
      const said = histories.flatMap(states => states.find(state => isMeantBy(state, template, cluster)) ?? []);
      const policy = { preserve: undefined, decidedBy: "" };
      const word = wordFor(cluster, { template, rules: said, policy, recorded: [] });
      return word.reason === "CascadeDeletionPolicy" ? word : undefined;
    };
  };
}

/** As `lapsesReader`, of the rules in the host's stores: there are few that nobody has heard yet, and no other is looked at. */
export function lapsesInStores(host: Pick<Host, "cascadePolicies" | "clusterCascadePolicies" | "cascadePoliciesLike">) {
  const unheard = new Map<string, AnyCascadePolicy>();
  const lapsesOf = lapsesReader(host);
  for (const rules of [host.cascadePolicies, host.clusterCascadePolicies]) {
    for (const after of rules.store.values()) follow({ key: "", before: undefined, after });
    rules.subscribe(follow);
  }

  function follow({ before, after }: StoreChange<AnyCascadePolicy>): void {
    const { uid = "" } = (after ?? before)?.metadata ?? {};
    if (after && isUnheardEdit(after)) unheard.set(uid, after);
    else unheard.delete(uid);
  }

  return (template: KubeObject): Promise<Lapses> => {
    const about = ({ metadata: { namespace } }: AnyCascadePolicy) =>
      !namespace || namespace === template.metadata.namespace;
    return lapsesOf(template, [...unheard.values()].filter(about));
  };
}

/**
 * Nobody can tell which came first, the word that lapsed or the one on record, which may be of another policy: where the
 * former keeps less, the record stands (design 2, 3).
 */
export function withLapsed(
  lapsed: ClusterDeletion | undefined,
  recorded: readonly ClusterDeletion[],
): readonly ClusterDeletion[] {
  const said = recorded.find(({ name, reason }) => name === lapsed?.name && reason === lapsed.reason);
  if (!lapsed || (said && keepsLess(lapsed.cascadeDeletion, said.cascadeDeletion))) return recorded;
  return [lapsed, ...recorded];
}
