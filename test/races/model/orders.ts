// Which moments let go of the copies of an app, and what may become of them by each?
import { MEMBERS, type Member } from "./commands.js";
import { wordIn, type Question, type Word } from "./decision.js";
import { inOrder, isOf, worldsAt, type Accepted, type Change } from "./history.js";

/** One moment that lets go of the copy in one member. */
export interface Order {
  readonly member: Member;
  readonly origin: "template" | "placement";
  readonly at: number;
  readonly ms: number;
  readonly allowed: readonly Word[];
  /** What the rules alone say; `allowed` may add "keep" to it, where it could not be read. */
  readonly base: readonly Word[];
  readonly why: string;
  /** Copies that are made after this are not meant: the template or the place came back. */
  readonly until?: Pick<Accepted, "at" | "ms">;
}

/** A time in which nobody could take a decision, or not from what was accepted. */
export interface Disturbance {
  readonly fromMs: number;
  readonly toMs: number;
  readonly what: string;
}

/** Whether a copy belongs into a member when all is quiet. */
export type Wanted = "yes" | "no" | "maybe";

/** What the history of an app means for its copies. */
export interface Expectation {
  readonly orders: readonly Order[];
  readonly wanted: Readonly<Record<Member, Wanted>>;
}

type Changed<T extends Change["type"]> = Accepted<Extract<Change, { readonly type: T }>>;

/** All orders of a history, in order, and what is wanted in the end. */
export function expectationOf(history: readonly Accepted[], disturbances: readonly Disturbance[]): Expectation {
  const ordered = inOrder(history);
  const books = new Books(ordered, disturbances);
  for (const one of ordered) books.enter(one);
  return books.expectation();
}

type Place = "in" | "left" | "unsure";

class Books {
  readonly #places = new Map<Member, Place>(MEMBERS.map(member => [member, "unsure"]));
  readonly #orders: Order[] = [];
  readonly #leaving = new Set<string>();
  readonly #gone = new Set<string>();
  #template: string | undefined;
  #policy: { readonly id: string; readonly members: readonly Member[] } | undefined;

  constructor(
    readonly history: readonly Accepted[],
    readonly disturbances: readonly Disturbance[],
  ) {}

  enter(one: Accepted): void {
    if (isOf("policy")(one)) this.#onPolicy(one);
    else if (isOf("policy-leaving")(one)) this.#onPolicyLeaving(one);
    else if (isOf("template")(one)) this.#onTemplate(one);
    else if (isOf("template-leaving")(one)) this.#onLeaving(one);
  }

  expectation(): Expectation {
    const wanted = MEMBERS.map(member => [member, this.#wanted(member)] as const);
    return { orders: this.#orders, wanted: Object.fromEntries(wanted) as Record<Member, Wanted> };
  }

  #wanted(member: Member): Wanted {
    if (!this.#template) return "no";
    const place = this.#places.get(member);
    if (place === "left") return "no";
    return place === "in" && this.#policy ? "yes" : "maybe";
  }

  #onPolicy(one: Changed<"policy">): void {
    const { id, members } = one.change;
    if (this.#leaving.has(id)) return;
    const before = this.#policy?.id === id ? this.#policy.members : [];
    this.#policy = { id, members };
    for (const member of MEMBERS) {
      if (members.includes(member)) this.#comesTo(member, one);
      else if (before.includes(member)) this.#leaves(member, one);
    }
  }

  #comesTo(member: Member, one: Accepted): void {
    if (this.#places.get(member) !== "in") this.#endOrders(member, one);
    this.#places.set(member, "in");
  }

  #leaves(member: Member, one: Changed<"policy">): void {
    this.#places.set(member, "left");
    if (!this.#template) return;
    const uid = this.#template;
    const template = this.history.filter(isOf("template")).filter(t => t.change.uid === uid && t.at <= one.at);
    const question = { uid, member, claim: one.change.id, cascade: template.at(-1)?.change.cascade };
    this.#order("placement", one, question);
  }

  /** Where it was is frozen; whether a place was left before that, depends on who was faster. */
  #onPolicyLeaving({ change: { id } }: Changed<"policy-leaving">): void {
    this.#leaving.add(id);
    if (this.#policy?.id !== id) return;
    this.#policy = undefined;
    for (const [member, place] of this.#places) if (place === "left") this.#places.set(member, "unsure");
  }

  #onTemplate(one: Changed<"template">): void {
    // One that is being deleted can be written to: it is no new one for that.
    if (this.#template === one.change.uid || this.#gone.has(one.change.uid)) return;
    this.#template = one.change.uid;
    for (const member of MEMBERS) {
      this.#endOrders(member, one);
      const place = this.#policy?.members.includes(member) ? "in" : "unsure";
      this.#places.set(member, this.#policy && place === "unsure" ? "left" : place);
    }
  }

  #onLeaving(one: Changed<"template-leaving">): void {
    const { uid, claim, cascade, orphan } = one.change;
    this.#gone.add(uid);
    if (this.#template === uid) this.#template = undefined;
    for (const member of MEMBERS) {
      if (this.#places.get(member) === "left") continue;
      if (orphan) this.#write({ member, origin: "template", ...momentOf(one), ...ORPHANED });
      else this.#order("template", one, { uid, member, claim, cascade });
    }
  }

  #endOrders(member: Member, { at, ms }: Accepted): void {
    for (const [index, order] of this.#orders.entries()) {
      if (order.member === member && !order.until) this.#orders[index] = { ...order, until: { at, ms } };
    }
  }

  #order(origin: Order["origin"], one: Accepted, question: Question): void {
    const answers = worldsAt(this.history, one).map(world => wordIn(world, question));
    const base = [...new Set(answers.flatMap(({ allowed }) => allowed))];
    const why = [...new Set(answers.map(answer => answer.why))].join("; or ");
    const doubt = base.includes("keep") ? undefined : this.#doubtAbout(origin, one);
    this.#write({
      member: question.member,
      origin,
      ...momentOf(one),
      base,
      allowed: doubt ? [...base, "keep"] : base,
      why: doubt ? `${why}; perhaps kept: ${doubt}` : why,
    });
  }

  #write(order: Order): void {
    this.#orders.push(order);
  }

  /** Why the operator may not have been able to read what decides: then it keeps, and is right. */
  #doubtAbout(origin: Order["origin"], { at, ms }: Accepted): string | undefined {
    const isLater = (one: Accepted): boolean => one.at > at && saysKeep(one.change);
    if (origin === "placement" && this.history.some(isLater)) return "a word that keeps came before it was carried out";
    const meddled = this.history.some(one => one.at <= at && isOf("meddling")(one) && BLINDS.has(one.change.what));
    if (meddled) return "somebody's hand was in what it knows";
    if (!this.history.some(({ change }) => saysKeep(change))) return undefined;
    const near = this.disturbances.find(({ fromMs, toMs }) => fromMs < ms + AFTER_MS && toMs > ms - BEFORE_MS);
    return near && `${near.what}, and there was a word that keeps`;
  }
}

/** A binding without its owner looks orphaned, and a template without marks names nobody. */
const BLINDS = new Set(["owner", "finalizer", "marks"]);

/** How long before and after a deletion a disturbance can be in the way of its decision, milliseconds. */
const BEFORE_MS = 2_000;
const AFTER_MS = 2_000;

const ORPHANED = { base: ["keep"], allowed: ["keep"], why: "--cascade=orphan" } as const;

const momentOf = ({ at, ms }: Accepted) => ({ at, ms });

function saysKeep(change: Change): boolean {
  if (change.type === "policy") return change.value === true;
  if (change.type === "template") return change.cascade !== undefined && change.cascade !== "background";
  return change.type === "rule" && change.rule.value !== "background";
}
