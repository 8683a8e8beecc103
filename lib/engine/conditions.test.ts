// Do conditions move their time only when their status flips, and stay the same when nothing changed?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Condition } from "../../crds/object.js";
import { conditionOf, withConditions, type ConditionStatement } from "./conditions.js";

const OLD = "2020-01-01T00:00:00Z";
const now = (): Date => new Date("2026-05-04T03:02:01.987Z");

function ready(status: Condition["status"], more: Partial<ConditionStatement> = {}): ConditionStatement {
  return { type: "Ready", status, reason: "R", message: "m", observedGeneration: 1, ...more };
}

const before: readonly Condition[] = [{ ...ready("True"), lastTransitionTime: OLD }];

describe("withConditions", () => {
  it.each`
    change                       | statement                                   | time
    ${"nothing"}                 | ${ready("True")}                            | ${OLD}
    ${"the message"}             | ${ready("True", { message: "other" })}      | ${OLD}
    ${"the observed generation"} | ${ready("True", { observedGeneration: 2 })} | ${OLD}
    ${"the status"}              | ${ready("False")}                           | ${"2026-05-04T03:02:01Z"}
  `(
    "when $change changes the time is $time",
    ({ statement, time }: { statement: ConditionStatement; time: string }) => {
      expect(withConditions(before, [statement], now)).toEqual([{ ...statement, lastTransitionTime: time }]);
    },
  );

  it("keeps what it is not told about, in its place, and adds at the end", () => {
    const others = withConditions(before, [ready("True", { type: "Applied" })], now);

    const after = withConditions(others, [ready("False"), ready("True", { type: "Stalled" })], now);

    expect(after.map(c => c.type)).toEqual(["Ready", "Applied", "Stalled"]);
  });

  it("states twice what was stated once without any difference", () => {
    const status = fc.constantFrom<Condition["status"]>("True", "False", "Unknown");
    const statement = fc.record({
      type: fc.constantFrom("Ready", "Applied"),
      status,
      reason: fc.string(),
      message: fc.string({ unit: "binary" }),
    });
    fc.assert(
      fc.property(fc.array(statement), statements => {
        const once = withConditions(undefined, statements, now);
        const last = new Map(statements.map(s => [s.type, s]));
        expect(withConditions(once, [...last.values()], () => new Date())).toEqual(once);
      }),
    );
  });

  it("cuts a message to what the API takes, never within a character", () => {
    const [condition] = withConditions([], [ready("True", { message: `${"x".repeat(32_767)}😀` })], now);

    expect(condition?.message).toBe("x".repeat(32_767));
  });
});

describe("conditionOf", () => {
  it("finds a condition by its type", () => {
    const object = { status: { conditions: before } };

    expect(conditionOf(object, "Ready")).toBe(before[0]);
    expect(conditionOf(object, "Applied")).toBeUndefined();
    expect(conditionOf(undefined, "Ready")).toBeUndefined();
  });
});
