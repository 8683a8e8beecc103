// Keep or delete: what does the last accepted word say, by the rules and not by the operator's code?
import type { Cascade, Member, Rule } from "./commands.js";
import type { Change } from "./history.js";

/** What may become of a copy. */
export type Word = "keep" | "delete";

/** What may legitimately be done, and the words for the report. More than one: the rules leave it open. */
export interface Answer {
  readonly allowed: readonly Word[];
  readonly why: string;
}

/** Which copy, and how its template looked when it was let go of. */
export interface Question {
  readonly uid: string;
  readonly member: Member;
  readonly claim: string | undefined;
  readonly cascade: Cascade | undefined;
}

interface PolicyState {
  /** More than one when it was edited while it was on its way out. */
  words: ReadonlySet<Word>;
  leaving: boolean;
  claimed: boolean;
  /** What it says now, and whether it says it about this template. */
  word: Word;
  selects: boolean;
}

/** The rules, most explicit first: annotation, policies about deletion, the policy that has claimed, its last word. */
export function wordIn(world: readonly Change[], question: Question): Answer {
  if (question.cascade) return { allowed: wordsOf(question.cascade, world), why: `annotation ${question.cascade}` };
  return ruleAnswer(world, question) ?? policyAnswer(world, question);
}

/**
 * `adopted` keeps what was there before us. Once a copy has been kept, the next template may have found it there; and a
 * Work that somebody deleted was all that knew.
 */
function wordsOf(cascade: Cascade, world: readonly Change[]): readonly Word[] {
  if (cascade === "orphan" || cascade === "restore") return ["keep"];
  if (cascade === "background") return ["delete"];
  const templates = new Set(world.flatMap(change => (change.type === "template" ? change.uid : [])));
  const returned = world.some(change => change.type === "policy" && change.members.length === 1);
  const forgotten = world.some(change => change.type === "meddling" && change.what === "work");
  return templates.size > 1 || returned || forgotten ? ["keep", "delete"] : ["delete"];
}

const KEEPS: Readonly<Record<Cascade, number>> = { background: 0, adopted: 1, restore: 2, orphan: 3 };

/** Rules that are there decide; what rules that have gone said last stands. */
function ruleAnswer(world: readonly Change[], { uid, member }: Question): Answer | undefined {
  const rules = new Map<string, Rule>();
  let [last, isMade]: [Answer | undefined, boolean] = [undefined, false];
  for (const change of world) {
    if (change.type === "template" && change.uid === uid) {
      // What lapsed before it was made was never about it.
      last = isMade ? last : strongest(rules, member, world);
      isMade = true;
    } else if (change.type === "rule") {
      rules.set(change.rule.name, change.rule);
      last = strongest(rules, member, world) ?? last;
    } else if (change.type === "rule-leaving") {
      rules.delete(change.name);
      last = strongest(rules, member, world) ?? afterRule(last, change.held);
    }
  }
  return last;
}

/** A rule that nothing held may have gone before anybody heard of it. */
function afterRule(last: Answer | undefined, held: boolean): Answer | undefined {
  if (!last || held) return last;
  return { allowed: ["keep", "delete"], why: `${last.why}, gone perhaps unheard` };
}

function strongest(rules: ReadonlyMap<string, Rule>, member: Member, world: readonly Change[]): Answer | undefined {
  const meant = [...rules.values()].filter(rule => isMeant(rule, member));
  const best = Math.max(...meant.map(rankOf));
  const [first] = meant.filter(rule => rankOf(rule) === best).sort((a, b) => KEEPS[b.value] - KEEPS[a.value]);
  return first && { allowed: wordsOf(first.value, world), why: `${first.name} ${first.value}` };
}

const isMeant = ({ by, target }: Rule, member: Member): boolean =>
  by !== "other" && (target === undefined || target === member);

const rankOf = ({ by, target }: Rule): number => (by === "name" ? 4 : 2) + (target ? 1 : 0);

function policyAnswer(world: readonly Change[], { uid, claim }: Question): Answer {
  const policies = policiesIn(world, uid);
  const holder = claim === undefined ? undefined : policies.get(claim);
  if (holder && !holder.leaving) return { allowed: [...holder.words], why: "the policy that has claimed it" };
  const base = holder ?? [...policies.values()].filter(({ claimed }) => claimed).at(-1);
  const others = [...policies.values()].filter(policy => policy !== base);
  const comer = others.find(({ leaving, selects }) => !leaving && selects);
  if (comer?.words.has("keep")) return { allowed: ["keep"], why: "a policy that has not claimed it yet" };
  if (!base) return { allowed: ["keep", "delete"], why: "nothing has claimed it" };
  return { allowed: [...lastWords(base, others, comer)], why: "the last word of the policy that had claimed it" };
}

/** One that came and went unheard changes nothing for sure; that one which is there now says delete, may be heard. */
function lastWords(
  base: PolicyState,
  others: readonly PolicyState[],
  comer: PolicyState | undefined,
): ReadonlySet<Word> {
  const unheard = others.filter(({ claimed }) => !claimed).flatMap(({ words }) => [...words]);
  const keeps = unheard.filter(word => word === "keep");
  return new Set([...base.words, ...keeps, ...(comer?.words ?? [])]);
}

function policiesIn(world: readonly Change[], uid: string): Map<string, PolicyState> {
  const policies = new Map<string, PolicyState>();
  for (const change of world) {
    const before = "id" in change ? policies.get(change.id) : undefined;
    if (change.type === "policy") policies.set(change.id, edited(before, change));
    else if (before && change.type === "policy-leaving") before.leaving = true;
    else if (before && change.type === "claim" && change.uid === uid) onClaim(before);
  }
  return policies;
}

/** Marks that are there while it selects: what it says is what counts. */
function onClaim(policy: PolicyState): void {
  policy.claimed = true;
  if (policy.selects && !policy.leaving) policy.words = new Set([policy.word]);
}

function edited(before: PolicyState | undefined, { value, selects = true }: PolicyEdit): PolicyState {
  const word = value === true ? "keep" : "delete";
  if (!before) return { leaving: false, claimed: false, word, selects, words: new Set([word]) };
  return { ...before, word, selects, words: wordsAfter(before, word, selects) };
}

type PolicyEdit = Pick<Extract<Change, { readonly type: "policy" }>, "value" | "selects">;

/**
 * An edit by which it no longer selects changes no decision, and what it says while it does not select is none; if that
 * is "keep", nobody is wrong who heeds it. One that selects again and says "delete" may not be heard yet.
 */
function wordsAfter(before: PolicyState, word: Word, selects: boolean): ReadonlySet<Word> {
  if (before.leaving) return new Set([...before.words, word]);
  if (selects && (before.selects || word === "keep")) return new Set([word]);
  return new Set(selects || word === "keep" ? [...before.words, word] : before.words);
}
