// What did policies about deletion say while nobody listened, before an edit by which they no longer select?
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { ClusterFacts } from "../domain/affinity.js";
import { cascadeOf, isMeantBy, keepsLess, wordFor } from "../domain/cascade.js";
import { isEdited, isUnheard, isUnheardEdit } from "../domain/heard.js";
import { bindingName, namedObject } from "../domain/names.js";
import { bestSelectorMatch } from "../domain/resource-selector.js";
import { Answers } from "./answers.js";
import { FORGOTTEN, listAt, objectAt, revisionBefore } from "./history.js";
import type { AnyCascadePolicy, Host } from "./host.js";
import { statesReader } from "./states.js";
import type { StoreChange } from "./store.js";

/** Moments, each of one template. */
const REMEMBERED = 1_000;

/** For a cluster: the word that would be on record if somebody had listened; `undefined` where there is none. */
export type Lapses = (cluster: ClusterFacts) => ClusterDeletion | undefined;

/** What is read here. */
type Sources = Pick<Host, "cascadePoliciesLike" | "bindingsLike" | "templates">;

/** A state of a rule, and where the template's copies were when the next one replaced it. */
interface Saying {
  readonly state: AnyCascadePolicy;
  /** Absent: it is the present state. `undefined`: cannot be read any more. */
  readonly then?: Whereabouts | undefined;
  readonly isPresent: boolean;
}

/** How a template stood at a revision. */
interface Whereabouts {
  readonly existed: boolean;
  readonly places: ReadonlySet<string>;
}

/**
 * Such an edit changes no decision (design 2): the word before it is read from the host's history, back to the last
 * generation that its status speaks of, since what that said is on record. It counts for copies that were out at the time;
 * where that is not known, or the template only waited, it counts if it keeps. Each generation's past is read once.
 * @throws when the host does not answer: then nothing is decided
 */
export function lapsesReader(host: Sources) {
  const statesOf = statesReader((rule: AnyCascadePolicy) => host.cascadePoliciesLike(rule).client, isUnspoken);
  const whereabouts = whereaboutsReader(host);

  /** Newest first. */
  function sayingsOf(states: readonly AnyCascadePolicy[], template: KubeObject): Promise<Saying[]> {
    const sayings = states.map(async (state, n): Promise<Saying | undefined> => {
      const next = states[n - 1];
      if (!next) return { state, isPresent: true };
      if (bestSelectorMatch(state.spec.resourceSelectors, template, state.metadata.namespace) === 0) return undefined;
      return {
        state,
        isPresent: false,
        then: await whereabouts(template, revisionBefore(next.metadata.resourceVersion)),
      };
    });
    return Promise.all(sayings).then(all => all.filter(saying => saying !== undefined));
  }

  return async function lapsesOf(template: KubeObject, rules: readonly AnyCascadePolicy[]): Promise<Lapses> {
    const histories = await Promise.all(rules.filter(isEdited).map(statesOf));
    const all = await Promise.all(histories.map(states => sayingsOf(states, template)));
    return cluster => {
      const said = all.flatMap(sayings => {
        const last = sayings.find(({ state }) => isMeantBy(state, template, cluster));
        return last && counts(last, cluster.metadata.name) ? [last.state] : [];
      });
      const policy = { preserve: undefined, decidedBy: "" };
      const word = wordFor(cluster, { template, rules: said, policy, recorded: [] });
      return word.reason === "CascadeDeletionPolicy" ? word : undefined;
    };
  };
}

/** That it is heard by now says nothing about what was before its last edit. */
function isUnspoken(state: AnyCascadePolicy, rule: AnyCascadePolicy): boolean {
  return state.metadata.generation === rule.metadata.generation || isUnheard(state);
}

function counts({ state, isPresent, then }: Saying, cluster: string): boolean {
  if (isPresent || then?.places.has(cluster)) return true;
  return (then === undefined || then.existed) && cascadeOf(state) !== "background";
}

/** Where a template's copies were; `undefined` when the host does not remember. Each moment is read once. */
function whereaboutsReader(host: Sources) {
  const answers = new Answers<Whereabouts | undefined>(REMEMBERED);

  async function read(template: KubeObject, revision: string | undefined): Promise<Whereabouts | undefined> {
    const { namespace, uid } = template.metadata;
    const named = namedObject(template);
    for (const name of [bindingName(named), bindingName(named, { suffix: true })]) {
      const then = await listAt(host.bindingsLike(template).client, revision, { namespace, name });
      if (then === FORGOTTEN) return undefined;
      const binding = then.find(({ spec }) => spec.resource.uid === uid);
      if (binding) return { existed: true, places: new Set(binding.spec.clusters?.map(c => c.name)) };
    }
    const client = host.templates.of(template.apiVersion, template.kind)?.client;
    const then = client ? await objectAt(client, template.metadata, revision) : FORGOTTEN;
    return then === FORGOTTEN ? undefined : { existed: then !== undefined, places: new Set() };
  }

  return (template: KubeObject, revision: string | undefined) =>
    answers.of(`${template.metadata.uid}|${revision}`, () => read(template, revision));
}

/** As `lapsesReader`, of the rules in the host's stores: there are few that nobody has heard yet, and no other is looked at. */
export function lapsesInStores(host: Sources & Pick<Host, "cascadePolicies" | "clusterCascadePolicies">) {
  const unheard = new Map<string, AnyCascadePolicy>();
  const lapsesOf = lapsesReader(host);
  for (const rules of [host.cascadePolicies, host.clusterCascadePolicies]) {
    for (const after of rules.store.values()) follow({ key: "", before: undefined, after });
    rules.subscribe(follow);
  }

  function follow({ before, after }: StoreChange<AnyCascadePolicy>): void {
    // One made again under its name has another uid.
    if (before) unheard.delete(before.metadata.uid ?? "");
    if (after && isUnheardEdit(after)) unheard.set(after.metadata.uid ?? "", after);
  }

  return (template: KubeObject): Promise<Lapses> => {
    const about = ({ metadata: { namespace } }: AnyCascadePolicy) =>
      !namespace || namespace === template.metadata.namespace;
    return lapsesOf(template, [...unheard.values()].filter(about));
  };
}

/**
 * What is on record of the same rule is from before. Of another's nobody can tell which came first: where the word that
 * lapsed keeps less, the record stands (design 2, 3).
 */
export function withLapsed(
  lapsed: ClusterDeletion | undefined,
  recorded: readonly ClusterDeletion[],
): readonly ClusterDeletion[] {
  if (!lapsed) return recorded;
  const said = recorded.find(({ name, reason }) => name === lapsed.name && reason === lapsed.reason);
  const isOthers = said !== undefined && said.decidedBy !== lapsed.decidedBy;
  return isOthers && keepsLess(lapsed.cascadeDeletion, said.cascadeDeletion) ? recorded : [lapsed, ...recorded];
}
