// Which moments let go, and when may "keep" be right although the rules say delete?
import { describe, expect, it } from "vitest";
import type { Member, Preserve } from "./commands.js";
import type { Accepted, Change } from "./history.js";
import type { Disturbance } from "./doubt.js";
import { expectationOf } from "./orders.js";

const BOTH: readonly Member[] = ["member1", "member2"];
const policy = (value: Preserve, members = BOTH): Change => ({ type: "policy", id: "p", value, members });
const policyGoes: Change = { type: "policy-leaving", id: "p" };
const template = (uid = "t"): Change => ({ type: "template", uid, cascade: undefined });
const claim: Change = { type: "claim", uid: "t", id: "p" };
const goes = (more: Partial<Extract<Change, { type: "template-leaving" }>> = {}): Change => ({
  type: "template-leaving",
  uid: "t",
  orphan: false,
  claim: "p",
  cascade: undefined,
  ...more,
});

/** One change a revision and a minute, from 1 on. */
const history = (...changes: readonly Change[]): Accepted[] =>
  changes.map((change, n) => ({ from: n + 1, at: n + 1, ms: (n + 1) * 60_000, change }));

const summary = (changes: readonly Accepted[], disturbances: readonly Disturbance[] = []) => {
  const { orders, wanted } = expectationOf(changes, disturbances);
  return { orders: orders.map(o => `${o.at} ${o.origin} ${o.member} ${o.allowed.join("|")}`), wanted };
};

describe("expectationOf", () => {
  it("wants a copy in every member of the placement, and lets go of nothing, while nothing happens", () => {
    expect(summary(history(policy(null), template(), claim, policy(true)))).toEqual({
      orders: [],
      wanted: { member1: "yes", member2: "yes" },
    });
  });

  it("decides by the last value before the deletion, and by no later one", () => {
    const { orders, wanted } = summary(history(policy(false), template(), claim, policy(true), goes(), policy(false)));

    expect(orders).toEqual(["5 template member1 keep", "5 template member2 keep"]);
    expect(wanted).toEqual({ member1: "no", member2: "no" });
  });

  it("keeps by --cascade=orphan whatever the policy says", () => {
    const { orders } = summary(history(policy(false), template(), claim, goes({ orphan: true })));

    expect(orders).toEqual(["4 template member1 keep", "4 template member2 keep"]);
  });

  it("decides about a place by the edit that left it, and not again by what comes later", () => {
    const changes = history(
      policy(false),
      template(),
      claim,
      policy(true, ["member2"]),
      policy(false, ["member2"]),
      goes(),
    );

    expect(summary(changes).orders).toEqual(["4 placement member1 keep", "6 template member2 delete"]);
  });

  it("allows keeping what leaves a place, when a word that keeps comes a moment later", () => {
    const changes = history(policy(false), template(), claim, policy(false, ["member2"]), policy(true, ["member2"]));

    expect(summary(changes).orders).toEqual(["4 placement member1 delete|keep"]);
  });

  it("does not know whether a place was left when the policy went a moment later", () => {
    const changes = history(policy(false), template(), claim, policy(false, ["member2"]), policyGoes);

    expect(summary(changes).wanted).toEqual({ member1: "maybe", member2: "maybe" });
  });

  it("leaves open what two writes at the same time mean", () => {
    const [a, b, c] = history(policy(false), template(), claim);
    const flip: Accepted = { from: 4, at: 9, ms: 0, change: policy(true) };
    const deletion: Accepted = { from: 6, at: 6, ms: 0, change: goes() };

    expect(summary([a, b, c, flip, deletion].filter(one => one !== undefined)).orders).toEqual([
      "6 template member1 delete|keep",
      "6 template member2 delete|keep",
    ]);
  });

  it.each`
    given                                             | keptOnce | what               | from       | allowed
    ${"an operator that was down at that moment"}     | ${true}  | ${"kill-operator"} | ${299_000} | ${"delete|keep"}
    ${"one that was down, and nobody ever said keep"} | ${false} | ${"kill-operator"} | ${299_000} | ${"delete"}
    ${"one that was down long before"}                | ${true}  | ${"kill-operator"} | ${200_000} | ${"delete"}
  `("allows $allowed for $given", ({ keptOnce, what, from, allowed }) => {
    const changes = history(policy(keptOnce), template(), claim, policy(false), goes());

    expect(summary(changes, [{ what, fromMs: from, toMs: from + 5_000 }]).orders[0]).toBe(
      `5 template member1 ${allowed}`,
    );
  });

  it("allows keeping after somebody's hand was in what the operator knows", () => {
    const meddling: Change = { type: "meddling", what: "owner" };

    expect(summary(history(policy(false), template(), claim, meddling, goes())).orders[0]).toMatch(/delete\|keep$/);
  });

  it("ends an order with the template that comes after", () => {
    const { orders } = expectationOf(history(policy(true), template(), claim, goes(), template("u")), []);

    expect(orders.map(({ until }) => until?.at)).toEqual([5, 5]);
  });

  it("does not let go of anything by an edit by which the policy no longer selects", () => {
    const changes = history(policy(true), template(), claim, {
      ...policy(true, ["member2"]),
      selects: false,
    } as Change);

    expect(summary(changes)).toEqual({ orders: [], wanted: { member1: "maybe", member2: "maybe" } });
  });

  it("lets go of the copies in a cluster that leaves by the word of that moment, and puts none there again", () => {
    const leaving: Change = { type: "cluster-leaving", member: "member1", reachable: true };
    const changes = history(policy(true), template(), claim, leaving, policy(false), goes(), template("u"));

    expect(summary(changes)).toEqual({
      orders: ["4 cluster member1 keep", "6 template member2 delete"],
      wanted: { member1: "no", member2: "yes" },
    });
  });

  it("does not know what becomes of copies in a cluster that leaves while nobody can reach it", () => {
    const leaving: Change = { type: "cluster-leaving", member: "member1", reachable: false };

    expect(summary(history(policy(true), template(), claim, leaving)).wanted.member1).toBe("maybe");
  });

  it.each`
    given            | events                                                                                                                              | orders
    ${"before that"} | ${[policy(true, ["member2"]), { type: "cluster-leaving", member: "member2", reachable: true }, policy(false, ["member2"]), goes()]} | ${["4 placement member1 keep", "5 cluster member2 keep", "7 template member1 delete"]}
    ${"after that"}  | ${[{ type: "cluster-leaving", member: "member2", reachable: true }, policy(true, ["member2"]), policy(false, ["member2"]), goes()]} | ${["4 cluster member2 keep", "5 placement member1 keep", "7 template member1 delete"]}
  `(
    "allows a copy to stay until its template goes, where it left $given for a cluster that leaves",
    ({ events, orders }) => {
      const changes = history(policy(true), template(), claim, ...(events as Change[]));

      expect(summary(changes).orders).toEqual(orders);
      expect(summary(changes.slice(0, -1)).wanted).toEqual({ member1: "maybe", member2: "no" });
    },
  );
});
