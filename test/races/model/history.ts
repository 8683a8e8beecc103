// What did the API server accept about one app, and in which order?
import type { Cascade, Member, Preserve, Rule } from "./commands.js";

/** One accepted write, or what was seen of one that nobody of ours made. */
export type Change =
  /** Made or edited. */
  | {
      readonly type: "policy";
      readonly id: string;
      readonly value: Preserve;
      readonly members: readonly Member[];
      /** False: it selects another name. Absent is true. */
      readonly selects?: boolean;
    }
  | { readonly type: "policy-leaving"; readonly id: string }
  | { readonly type: "template"; readonly uid: string; readonly cascade: Cascade | undefined }
  /** The marks on the template name this policy. */
  | { readonly type: "claim"; readonly uid: string; readonly id: string }
  | {
      readonly type: "template-leaving";
      readonly uid: string;
      readonly orphan: boolean;
      /** Id of the policy that the template's marks named at that moment. */
      readonly claim: string | undefined;
      readonly cascade: Cascade | undefined;
    }
  | { readonly type: "rule"; readonly rule: Rule }
  /** `held`: a finalizer made it stay until everybody had heard of it. */
  | { readonly type: "rule-leaving"; readonly name: Rule["name"]; readonly held: boolean }
  /** The Cluster is being deleted. Not `reachable`: it may be left as it is. */
  | { readonly type: "cluster-leaving"; readonly member: Member; readonly reachable: boolean }
  /** Somebody's hand in what the operator keeps its knowledge in. */
  | { readonly type: "meddling"; readonly what: "owner" | "finalizer" | "marks" | "binding" | "work" };

/**
 * A change with the revisions between which it happened: `from === at` when the server told. All clusters share one etcd,
 * so revisions of all of them are one order.
 */
export interface Accepted<C extends Change = Change> {
  readonly from: number;
  readonly at: number;
  /** When it was sent, on this machine's clock. */
  readonly ms: number;
  readonly change: C;
}

/** In the order in which they happened, as far as that is known. */
export function inOrder(history: readonly Accepted[]): Accepted[] {
  return [...history].sort((a, b) => a.at - b.at || a.ms - b.ms);
}

const MAX_UNSURE = 4;

/**
 * Every sequence of changes that may have been in force when `moment` happened. Mostly one; more when an answer was lost,
 * so that nobody knows which of two writes came first.
 */
export function worldsAt(history: readonly Accepted[], moment: Pick<Accepted, "from" | "at">): readonly Change[][] {
  const known = inOrder(history).filter(({ from }) => from <= moment.at);
  const unsure = known.filter(({ at }) => at > moment.from).slice(-MAX_UNSURE);
  const subsets = Array.from({ length: 2 ** unsure.length }, (_, bits) =>
    unsure.filter((_, index) => (bits & (1 << index)) === 0),
  );
  return subsets.map(left => known.filter(one => !left.includes(one)).map(({ change }) => change));
}

/** True when the change is of this type: narrows an accepted one. */
export function isOf<T extends Change["type"]>(type: T) {
  return (one: Accepted): one is Accepted<Extract<Change, { readonly type: T }>> => one.change.type === type;
}
