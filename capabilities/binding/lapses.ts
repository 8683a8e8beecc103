// What did policies about deletion say while nobody listened, before an edit by which they no longer select?
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { ClusterFacts } from "../../lib/domain/affinity.js";
import { isMeantBy, wordFor } from "../../lib/domain/cascade.js";
import type { AnyCascadePolicy, Host } from "../../lib/kube/host.js";
import { statesReader } from "../../lib/kube/states.js";

/** For a cluster: the word that would be on record if somebody had listened; `undefined` where there is none. */
export type Lapses = (cluster: ClusterFacts) => ClusterDeletion | undefined;

/**
 * Such an edit changes no decision (design 2): the word before it is read from the host's history. Each policy's states are
 * read once for each generation.
 * @throws when the host does not answer: then nothing is decided
 */
export function lapsesReader(host: Pick<Host, "cascadePoliciesLike">) {
  const statesOf = statesReader((policy: AnyCascadePolicy) => host.cascadePoliciesLike(policy).client);
  return async function lapsesOf(template: KubeObject, unheard: readonly AnyCascadePolicy[]): Promise<Lapses> {
    const edited = unheard.filter(({ metadata }) => (metadata.generation ?? 1) > 1);
    const histories = await Promise.all(edited.map(statesOf));
    return cluster => {
      const said = histories.flatMap(states => states.find(state => isMeantBy(state, template, cluster)) ?? []);
      const policy = { preserve: undefined, decidedBy: "" };
      const word = wordFor(cluster, { template, rules: said, policy, recorded: [] });
      return word.reason === "CascadeDeletionPolicy" ? word : undefined;
    };
  };
}
