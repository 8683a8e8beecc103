// Is every loss, every leftover and every copy that should be gone found, and nothing else?
import { describe, expect, it } from "vitest";
import type { Expectation, Order } from "./orders.js";
import { judge, type Copy, type Remains } from "./verdict.js";

const NOTHING: Remains = { leaving: [], works: [], bindings: 0 };
const copy = (more: Partial<Copy> = {}): Copy => ({
  member: "member1",
  uid: "u",
  firstAt: 10,
  createdMs: 0,
  marked: true,
  ...more,
});
const order = (allowed: Order["allowed"], more: Partial<Order> = {}): Order => ({
  member: "member1",
  origin: "template",
  at: 20,
  ms: 20,
  allowed,
  base: allowed,
  why: "so it was",
  ...more,
});
const expected = (orders: readonly Order[], member1: "yes" | "no" | "maybe" = "no"): Expectation => ({
  orders,
  wanted: { member1, member2: "no" },
  isOver: member1 === "no" && orders.length > 0,
});

describe("judge", () => {
  it.each`
    found                                                           | orders                                                   | wanted     | copies                                                                     | lost | open
    ${"nothing where a copy was deleted as ordered"}                | ${[order(["delete"])]}                                   | ${"no"}    | ${[copy({ gone: 30 })]}                                                    | ${0} | ${0}
    ${"a loss where a copy was deleted that was to be kept"}        | ${[order(["keep"])]}                                     | ${"no"}    | ${[copy({ gone: 30 })]}                                                    | ${1} | ${0}
    ${"a loss where nothing let go of it"}                          | ${[]}                                                    | ${"yes"}   | ${[copy({ gone: 30 }), copy({ uid: "v" })]}                                | ${1} | ${0}
    ${"a loss where the order came after the deletion"}             | ${[order(["delete"])]}                                   | ${"no"}    | ${[copy({ gone: 15 })]}                                                    | ${1} | ${0}
    ${"a loss where a copy was deleted that had been let go of"}    | ${[order(["keep"]), order(["delete"], { at: 25 })]}      | ${"no"}    | ${[copy({ gone: 30, marked: false })]}                                     | ${1} | ${0}
    ${"nothing where a copy was kept as ordered"}                   | ${[order(["keep"])]}                                     | ${"no"}    | ${[copy({ marked: false })]}                                               | ${0} | ${0}
    ${"marks that are left"}                                        | ${[order(["keep"])]}                                     | ${"no"}    | ${[copy()]}                                                                | ${0} | ${1}
    ${"a copy that was to be deleted"}                              | ${[order(["delete"])]}                                   | ${"no"}    | ${[copy({ marked: false })]}                                               | ${0} | ${1}
    ${"a copy that is missing"}                                     | ${[]}                                                    | ${"yes"}   | ${[]}                                                                      | ${0} | ${1}
    ${"a copy that was let go of, and nobody said so"}              | ${[]}                                                    | ${"yes"}   | ${[copy({ marked: false })]}                                               | ${0} | ${1}
    ${"nothing where either may be"}                                | ${[]}                                                    | ${"maybe"} | ${[copy({ marked: false })]}                                               | ${0} | ${0}
    ${"a loss where only an order about an older copy says delete"} | ${[order(["delete"], { until: { at: 22, ms: 500 } })]}   | ${"yes"}   | ${[copy({ firstAt: 24, createdMs: 1_000, gone: 30 }), copy({ uid: "v" })]} | ${1} | ${0}
    ${"nothing where a copy may be older than its first sight"}     | ${[order(["delete"], { until: { at: 22, ms: 2_500 } })]} | ${"yes"}   | ${[copy({ firstAt: 24, createdMs: 1_000, gone: 30 }), copy({ uid: "v" })]} | ${0} | ${0}
  `("finds $found", ({ orders, wanted, copies, lost, open }) => {
    const verdict = judge(expected(orders, wanted), copies, NOTHING);

    expect({ lost: verdict.lost.length, open: verdict.open.length }).toEqual({ lost, open });
  });

  it("counts what was kept beyond the rules", () => {
    const verdict = judge(
      expected([order(["delete", "keep"], { base: ["delete"] })]),
      [copy({ marked: false })],
      NOTHING,
    );

    expect(verdict).toMatchObject({ open: [], kept: 1, widened: 1 });
  });

  it("finds what is left on the host", () => {
    const remains = { leaving: ["Work a"], works: ["member1" as const], bindings: 1 };

    expect(judge(expected([order(["delete"])]), [], remains).open).toEqual([
      "Work a is still Terminating",
      "a Work in member1 is left",
      "a binding is left",
    ]);
  });
});
