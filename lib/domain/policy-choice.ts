// Which policy does a template follow, and why not the others?
import type { ResourceSelector } from "../../crds/affinity.js";
import type { KubeObject, ObjectMeta } from "../../crds/object.js";
import { CPP_ID_LABEL, PP_ID_LABEL } from "./marks.js";
import { whyNeverTemplate, type TemplateContext } from "./never-template.js";
import { bestSelectorMatch, type SelectorRank } from "./resource-selector.js";
import { titleOf } from "./title.js";

/** The two kinds of policy that claim templates. */
export type PolicyKind = "PropagationPolicy" | "ClusterPropagationPolicy";

/** What the choice looks at; both policy kinds fit. */
export interface ChoosablePolicy {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly resourceSelectors: readonly ResourceSelector[];
    readonly priority?: number;
    readonly preemption?: string;
  };
}

/** One policy that may claim a template. */
export interface Candidate<Policy extends ChoosablePolicy = ChoosablePolicy> {
  readonly kind: PolicyKind;
  readonly policy: Policy;
}

/** The policy that a template's marks name; `id` is its permanent id, so that a namesake is not taken for it. */
export interface PolicyRef {
  readonly kind: PolicyKind;
  readonly namespace?: string;
  readonly name: string;
  readonly id?: string;
}

/** `won`: the template follows it · `lost`: it selects the template · the others: it does not come into question. */
export type PolicyOutcome = "won" | "lost" | "no-match" | "deleting" | "never-template";

/** What was decided about one policy, in words for a person. */
export interface ConsideredPolicy {
  readonly kind: PolicyKind;
  readonly namespace?: string;
  readonly name: string;
  readonly outcome: PolicyOutcome;
  readonly why: string;
}

/** `winner` is absent when nothing may claim the template; `considered` has every candidate, in the given order. */
export interface PolicyChoice<Policy extends ChoosablePolicy> {
  readonly winner?: Candidate<Policy>;
  readonly considered: readonly ConsideredPolicy[];
}

interface Contender<Policy extends ChoosablePolicy> extends Candidate<Policy> {
  readonly rank: SelectorRank;
  readonly excluded?: { readonly outcome: PolicyOutcome; readonly why: string };
}

const RANK_WORDS: Readonly<Record<SelectorRank, string>> = { 0: "not", 1: "by kind", 2: "by labels", 3: "by name" };

/**
 * Who claims a template. A claim stays while its policy still selects the template, unless a policy with
 * `preemption: Always` and a selector by name takes over: a namespaced one from a lower priority or from any cluster
 * policy, a cluster policy from a cluster policy of lower priority. Without a claim: namespaced before cluster policy,
 * then priority, then name over labels over kind, then the smaller name. Source: spec/karmada 4.2 and 4.4, case 44.
 */
export function choosePolicy<Policy extends ChoosablePolicy>(
  template: KubeObject,
  candidates: readonly Candidate<Policy>[],
  current?: PolicyRef,
  context: Pick<TemplateContext, "ownNamespace"> = {},
): PolicyChoice<Policy> {
  const contenders = candidates.map(candidate => judge(template, candidate, context));
  const eligible = contenders.filter(contender => !contender.excluded).sort(compareContenders);
  const holder = current && eligible.find(contender => isSame(contender, current));
  const winner = holder ? (eligible.find(contender => mayPreempt(contender, holder)) ?? holder) : eligible[0];

  const considered = contenders.map(contender => ({ ...refOf(contender), ...verdict(contender, winner, holder) }));
  return winner ? { winner: { kind: winner.kind, policy: winner.policy }, considered } : { considered };
}

/** Why an object that a policy selects is not claimed by it; `undefined` when one claims it, or when none selects it. */
export function whyUnclaimed({ winner, considered }: PolicyChoice<ChoosablePolicy>): string | undefined {
  const never = winner ? undefined : considered.find(({ outcome }) => outcome === "never-template");
  return never && `${titleOf({ kind: never.kind, metadata: never })} selects it, but it is no template: ${never.why}`;
}

function judge<Policy extends ChoosablePolicy>(
  template: KubeObject,
  candidate: Candidate<Policy>,
  context: Pick<TemplateContext, "ownNamespace">,
): Contender<Policy> {
  const { kind, policy } = candidate;
  // A namespaced policy without a namespace cannot exist; it must not become one for all namespaces.
  const namespace = kind === "PropagationPolicy" ? (policy.metadata.namespace ?? "") : undefined;
  const rank = bestSelectorMatch(policy.spec.resourceSelectors, template, namespace);

  if (rank === 0) {
    const why = `no resourceSelector selects ${template.apiVersion} ${titleOf(template)}`;
    return { ...candidate, rank, excluded: { outcome: "no-match", why } };
  }
  if (policy.metadata.deletionTimestamp) {
    return { ...candidate, rank, excluded: { outcome: "deleting", why: "the policy is being deleted" } };
  }
  const never = whyNeverTemplate(template, { ...context, named: rank === 3 });
  return never ? { ...candidate, rank, excluded: { outcome: "never-template", why: never } } : { ...candidate, rank };
}

function compareContenders(a: Contender<ChoosablePolicy>, b: Contender<ChoosablePolicy>): number {
  if (a.kind !== b.kind) return a.kind === "PropagationPolicy" ? -1 : 1;
  return priorityOf(b) - priorityOf(a) || b.rank - a.rank || (a.policy.metadata.name < b.policy.metadata.name ? -1 : 1);
}

function mayPreempt(challenger: Contender<ChoosablePolicy>, holder: Contender<ChoosablePolicy>): boolean {
  if (challenger === holder || challenger.policy.spec.preemption !== "Always" || challenger.rank !== 3) return false;
  if (challenger.kind !== holder.kind) return challenger.kind === "PropagationPolicy";
  return priorityOf(challenger) > priorityOf(holder);
}

function verdict(
  contender: Contender<ChoosablePolicy>,
  winner: Contender<ChoosablePolicy> | undefined,
  holder: Contender<ChoosablePolicy> | undefined,
): { readonly outcome: PolicyOutcome; readonly why: string } {
  if (contender.excluded) return contender.excluded;
  if (!winner || contender === winner) return { outcome: "won", why: whyWon(contender, holder) };
  if (contender === holder) return { outcome: "lost", why: `${describe(winner)} has taken over (preemption: Always)` };
  const barred = holder && !mayPreempt(contender, holder);
  return { outcome: "lost", why: barred ? whyNoPreemption(contender, holder) : whyOutranked(contender, winner) };
}

function whyWon(winner: Contender<ChoosablePolicy>, holder: Contender<ChoosablePolicy> | undefined): string {
  if (winner === holder) return "it has claimed the template, and a claim stays";
  if (holder) return `it has taken over from ${describe(holder)} (preemption: Always)`;
  return `selects the template ${RANK_WORDS[winner.rank]}, priority ${priorityOf(winner)}`;
}

function whyNoPreemption(loser: Contender<ChoosablePolicy>, holder: Contender<ChoosablePolicy>): string {
  const claim = `${describe(holder)} has claimed the template`;
  if (loser.policy.spec.preemption !== "Always") return `${claim}; to take over, set preemption: Always`;
  if (loser.rank !== 3) return `${claim}; to take over, select the template by name`;
  if (loser.kind !== holder.kind)
    return `${claim}; a ClusterPropagationPolicy never takes over from a PropagationPolicy`;
  return `${claim}; to take over, set a priority above ${priorityOf(holder)}`;
}

function whyOutranked(loser: Contender<ChoosablePolicy>, winner: Contender<ChoosablePolicy>): string {
  const name = describe(winner);
  if (loser.kind !== winner.kind) return `${name} goes first: a namespaced policy goes before a cluster policy`;
  const [mine, theirs] = [priorityOf(loser), priorityOf(winner)];
  if (mine !== theirs) return `${name} goes first: its priority is ${theirs}, this one's ${mine}`;
  if (loser.rank !== winner.rank) {
    return `${name} goes first: it selects ${RANK_WORDS[winner.rank]}, this one ${RANK_WORDS[loser.rank]}`;
  }
  return `${name} goes first: all else is equal, and its name is the smaller one`;
}

function isSame({ kind, policy }: Candidate, current: PolicyRef): boolean {
  const { name, namespace, labels } = policy.metadata;
  if (kind !== current.kind || name !== current.name || namespace !== current.namespace) return false;
  return current.id === undefined || labels?.[kind === "PropagationPolicy" ? PP_ID_LABEL : CPP_ID_LABEL] === current.id;
}

function refOf({ kind, policy }: Candidate): Pick<ConsideredPolicy, "kind" | "namespace" | "name"> {
  return { kind, namespace: policy.metadata.namespace, name: policy.metadata.name };
}

function describe({ kind, policy }: Candidate): string {
  return titleOf({ kind, metadata: policy.metadata });
}

function priorityOf({ policy }: Candidate): number {
  return policy.spec.priority ?? 0;
}
