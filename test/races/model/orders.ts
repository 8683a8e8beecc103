// Which moments let go of the copies of an app, and what may become of them by each?
import { MEMBERS, type Member } from "./commands.js";
import { wordIn, type Question, type Word } from "./decision.js";
import { doubtAbout, type Disturbance } from "./doubt.js";
import { inOrder, isOf, worldsAt, type Accepted, type Change } from "./history.js";

/** One moment that lets go of the copy in one member. */
export interface Order {
  readonly member: Member;
  readonly origin: "template" | "placement" | "cluster";
  readonly at: number;
  readonly ms: number;
  readonly allowed: readonly Word[];
  /** What the rules alone say; `allowed` may add "keep" to it, where it could not be read. */
  readonly base: readonly Word[];
  readonly why: string;
  /** Copies that are made after this are not meant: the template or the place came back. */
  readonly until?: Pick<Accepted, "at" | "ms">;
}

/** Whether a copy belongs into a member when all is quiet. */
export type Wanted = "yes" | "no" | "maybe";

/** What the history of an app means for its copies. */
export interface Expectation {
  readonly orders: readonly Order[];
  readonly wanted: Readonly<Record<Member, Wanted>>;
  /** Nothing that a binding could be for. */
  readonly isOver: boolean;
}

type Changed<T extends Change["type"]> = Accepted<Extract<Change, { readonly type: T }>>;

/** All orders of a history, in order, and what is wanted in the end. */
export function expectationOf(history: readonly Accepted[], disturbances: readonly Disturbance[]): Expectation {
  const ordered = inOrder(history);
  const books = new Books(ordered, disturbances);
  for (const one of ordered) books.enter(one);
  return books.expectation();
}

/** `departed`: its cluster is not one of ours any more. */
type Place = "in" | "left" | "unsure" | "departed";

class Books {
  readonly #places = new Map<Member, Place>(MEMBERS.map(member => [member, "unsure"]));
  readonly #orders: Order[] = [];
  readonly #leaving = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #unreachable = new Set<Member>();
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
    else if (isOf("cluster-leaving")(one)) this.#onClusterLeaving(one);
  }

  expectation(): Expectation {
    const wanted = MEMBERS.map(member => [member, this.#wanted(member)] as const);
    const isOver = this.#template === undefined && this.#orders.length > 0;
    return { orders: this.#orders, wanted: Object.fromEntries(wanted) as Record<Member, Wanted>, isOver };
  }

  #wanted(member: Member): Wanted {
    if (this.#unreachable.has(member)) return "maybe";
    if (!this.#template) return "no";
    const place = this.#places.get(member);
    if (place === "left" || place === "departed") return "no";
    return place === "in" && this.#policy ? "yes" : "maybe";
  }

  #onPolicy(one: Changed<"policy">): void {
    const { id, members, selects = true } = one.change;
    if (this.#leaving.has(id)) return;
    if (!selects) return this.#freeze(id);
    const before = this.#policy?.id === id ? this.#policy.members : [];
    this.#policy = { id, members };
    for (const member of MEMBERS) {
      if (members.includes(member)) this.#comesTo(member, one);
      else if (before.includes(member)) this.#leaves(member, one);
    }
    this.#doubtUnfit();
  }

  /** Where a placement fits no cluster, every copy stays; whether one had left before that, depends on who was faster. */
  #doubtUnfit(): void {
    if (this.#policy?.members.every(member => this.#places.get(member) === "departed")) this.#doubtLeft();
  }

  #doubtLeft(): void {
    for (const [member, place] of this.#places) if (place === "left") this.#places.set(member, "unsure");
  }

  #comesTo(member: Member, one: Accepted): void {
    if (this.#places.get(member) === "departed") return;
    if (this.#places.get(member) !== "in") this.#endOrders(member, one);
    this.#places.set(member, "in");
  }

  #leaves(member: Member, one: Changed<"policy">): void {
    if (this.#places.get(member) === "departed") return;
    this.#places.set(member, "left");
    if (!this.#template) return;
    const { cascade } = this.#templateAt(this.#template, one);
    this.#order("placement", one, { uid: this.#template, member, claim: one.change.id, cascade });
  }

  #onClusterLeaving(one: Changed<"cluster-leaving">): void {
    const { member, reachable } = one.change;
    const place = this.#places.get(member);
    this.#places.set(member, "departed");
    if (!reachable) this.#unreachable.add(member);
    this.#doubtUnfit();
    if (!this.#template || place === "left") return;
    this.#order("cluster", one, { uid: this.#template, member, ...this.#templateAt(this.#template, one) });
  }

  /** How the template was at that moment, as far as its own words and marks go. */
  #templateAt(uid: string, { at }: Accepted): Pick<Question, "claim" | "cascade"> {
    const before = this.history.filter(one => one.at <= at);
    const claim = before.filter(isOf("claim")).findLast(one => one.change.uid === uid)?.change.id;
    const cascade = before.filter(isOf("template")).findLast(one => one.change.uid === uid)?.change.cascade;
    return { claim, cascade };
  }

  #onPolicyLeaving({ change: { id } }: Changed<"policy-leaving">): void {
    this.#leaving.add(id);
    this.#freeze(id);
  }

  /** Where it was is frozen; whether a place was left before that, depends on who was faster. */
  #freeze(id: string): void {
    if (this.#policy?.id !== id) return;
    this.#policy = undefined;
    this.#doubtLeft();
  }

  #onTemplate(one: Changed<"template">): void {
    // One that is being deleted can be written to: it is no new one for that.
    if (this.#template === one.change.uid || this.#gone.has(one.change.uid)) return;
    this.#template = one.change.uid;
    for (const member of MEMBERS) {
      if (this.#places.get(member) === "departed") continue;
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
      const place = this.#places.get(member);
      if (place === "left" || place === "departed") continue;
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
    const doubt = base.includes("keep") ? undefined : doubtAbout(origin, one, this);
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
}

const ORPHANED = { base: ["keep"], allowed: ["keep"], why: "--cascade=orphan" } as const;

const momentOf = ({ at, ms }: Accepted) => ({ at, ms });
