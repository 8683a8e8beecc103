// Do the conditions of many copies say the worst of them, and the same each time?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bareTemplate, memberItems } from "./arbitraries.js";
import { type ConditionRules, mergeConditions, reflectConditions } from "./conditions.js";
import { type JsonRecord, recordsAt } from "./read.js";
import type { Aggregation, KnownItem } from "./rule.js";

const RULES: ConditionRules = {
  Available: { good: "True" },
  Progressing: { good: "True", settledReason: "Done", mayLack: true },
  Limited: { good: "False", restless: true },
  Failure: { good: "False", onlyInTrouble: true },
  Moving: { good: "True", badUnapplied: true },
};

const time = (minute: number): string => `2025-01-01T00:${String(minute).padStart(2, "0")}:00Z`;

function condition(type: string, status: string, rest: JsonRecord = {}): JsonRecord {
  return { type, status, reason: `${status}Reason`, lastTransitionTime: time(1), ...rest };
}

function member(clusterName: string, ...conditions: readonly JsonRecord[]): KnownItem {
  return { clusterName, status: { conditions }, applied: true };
}

function aggregation(known: readonly KnownItem[], more: Partial<Aggregation> = {}): Aggregation {
  return { template: bareTemplate("apps/Deployment"), previous: {}, items: known, known, ...more };
}

function merged(type: string, known: readonly KnownItem[], more: Partial<Aggregation> = {}): JsonRecord | undefined {
  return mergeConditions(aggregation(known, more), RULES).conditions?.find(each => each.type === type);
}

describe("a merged condition", () => {
  it.each`
    first        | second       | type             | status       | reason
    ${"True"}    | ${"True"}    | ${"Available"}   | ${"True"}    | ${"TrueReason"}
    ${"True"}    | ${"False"}   | ${"Available"}   | ${"False"}   | ${"FalseReason"}
    ${"True"}    | ${"Unknown"} | ${"Available"}   | ${"Unknown"} | ${"UnknownReason"}
    ${"Unknown"} | ${"False"}   | ${"Available"}   | ${"False"}   | ${"FalseReason"}
    ${"Maybe"}   | ${"True"}    | ${"Available"}   | ${"Unknown"} | ${"MaybeReason"}
    ${"False"}   | ${"True"}    | ${"Limited"}     | ${"True"}    | ${"TrueReason"}
    ${"False"}   | ${"False"}   | ${"Limited"}     | ${"False"}   | ${"FalseReason"}
    ${"True"}    | ${"False"}   | ${"Failure"}     | ${"True"}    | ${"TrueReason"}
    ${"True"}    | ${"True"}    | ${"Progressing"} | ${"True"}    | ${"TrueReason"}
  `("$type of members that say $first and $second is $status", ({ first, second, type, status, reason }) => {
    const known = [member("m1", condition(type, first)), member("m2", condition(type, second))];
    expect(merged(type, known)).toMatchObject({ status, reason });
  });

  it("is absent while no member speaks of it, and while it would only say that there is no trouble", () => {
    expect(mergeConditions(aggregation([member("m1")]), RULES)).toEqual({});
    expect(mergeConditions(aggregation([member("m1", condition("Failure", "False"))]), RULES)).toEqual({});
    expect(mergeConditions(aggregation([]), RULES)).toEqual({});
  });

  it("is unknown while a member of it says nothing, and names that member", () => {
    const known = [member("m1", condition("Available", "True"))];
    const items = [...known, { clusterName: "m2", applied: false }];
    expect(merged("Available", known, { items })).toEqual({
      type: "Available",
      status: "Unknown",
      reason: "NotReported",
      message: "no report from m2",
      lastTransitionTime: time(1),
    });
  });

  it.each`
    refused         | others      | status       | message
    ${"no room"}    | ${"True"}   | ${"False"}   | ${"m2: no room"}
    ${"no room"}    | ${"False"}  | ${"False"}   | ${"m1: FalseReason; m2: no room"}
    ${"no room"}    | ${"nobody"} | ${"False"}   | ${"m2: no room"}
    ${""}           | ${"True"}   | ${"Unknown"} | ${"no report from m2"}
    ${"not needed"} | ${"own"}    | ${"True"}    | ${"in m1, m2"}
    ${""}           | ${"nobody"} | ${undefined} | ${undefined}
  `(
    "is $status while m2 does not take the object ('$refused') and the others say $others",
    ({ refused, others, status, message }: Record<"refused" | "others" | "status" | "message", string>) => {
      const said = others === "nobody" ? [] : [member("m1", condition("Moving", others === "own" ? "True" : others))];
      const known = others === "own" ? [...said, member("m2", condition("Moving", "True"))] : said;
      const items = [...said, { clusterName: "m2", applied: others === "own", appliedMessage: refused }];
      const found = merged("Moving", known, { items });
      expect([found?.["status"], found?.["message"]]).toEqual([status, message]);
    },
  );

  it.each`
    others      | status       | message
    ${"True"}   | ${"Unknown"} | ${"m2: try later"}
    ${"False"}  | ${"False"}   | ${"m1: FalseReason"}
    ${"nobody"} | ${"Unknown"} | ${"m2: try later"}
  `(
    "is $status while m2 is tried again and the others say $others",
    ({ others, status, message }: Record<"others" | "status" | "message", string>) => {
      const said = others === "nobody" ? [] : [member("m1", condition("Moving", others))];
      const items = [...said, { clusterName: "m2", applied: false, appliedMessage: "try later", pending: true }];
      const found = merged("Moving", said, { items });
      expect([found?.["status"], found?.["message"]]).toEqual([status, message]);
    },
  );

  it("of another type says nothing bad of a member that does not take the object: what is there may run on", () => {
    const known = [member("m1", condition("Available", "True"))];
    const items = [...known, { clusterName: "m2", applied: false, appliedMessage: "no room" }];
    expect(merged("Available", known, { items })).toMatchObject({ status: "Unknown", reason: "NotReported" });
  });

  it("keeps its time while it stays unknown", () => {
    const known = [member("m1", condition("Available", "True", { lastTransitionTime: time(9) }))];
    const items = [...known, { clusterName: "m2", applied: false }];
    const previous = { conditions: [condition("Available", "Unknown", { lastTransitionTime: time(3) })] };
    expect(merged("Available", known, { items, previous })).toMatchObject({ lastTransitionTime: time(3) });
  });

  it("shows the member that has the longest way to go", () => {
    const known = [
      member("m1", condition("Progressing", "True", { reason: "Done" })),
      member("m2", condition("Progressing", "True", { reason: "UnderWay" })),
    ];
    expect(merged("Progressing", known)).toMatchObject({ reason: "UnderWay", message: "in m2" });
  });

  it("is bad since the first member, good since the last", () => {
    const known = (status: string) =>
      [4, 2, 6].map(minute =>
        member(`m${minute}`, condition("Available", status, { lastTransitionTime: time(minute) })),
      );
    expect(merged("Available", known("False"))).toMatchObject({ lastTransitionTime: time(2) });
    expect(merged("Available", known("True"))).toMatchObject({ lastTransitionTime: time(6) });
  });

  it("tells what the members say of their trouble, three of them by name", () => {
    const known = [1, 2, 3, 4].map(n =>
      member(`m${n}`, condition("Available", "False", n === 2 ? {} : { message: "too few" })),
    );
    expect(merged("Available", known)?.message).toBe("m1: too few; m2: FalseReason; m3: too few and 1 more");
  });

  it("that an object may lack is not missed where it reports others", () => {
    const known = [member("m1", condition("Available", "True")), member("m2", condition("Progressing", "True"))];
    expect(merged("Progressing", known)).toMatchObject({ status: "True" });
    expect(merged("Available", known)).toMatchObject({ status: "Unknown" });
  });

  it("tells the reason alone where members word the same trouble anew each time", () => {
    const known = [member("m1", condition("Limited", "True", { message: "of Pod web-7" }))];
    expect(merged("Limited", known)?.message).toBe("m1: TrueReason");
  });

  it("is never cut within a character", () => {
    const known = [member("m1", condition("Available", "False", { message: `${"x".repeat(1019)}😀😀` }))];
    expect(String(merged("Available", known)?.message)).not.toMatch(/[\uD800-\uDBFF]$/);
  });

  it("takes neither a reason that the API server refuses nor a message of any length", () => {
    const known = [member("m1", condition("Available", "False", { reason: "so it is", message: "x".repeat(9_000) }))];
    expect(merged("Available", known)).toMatchObject({ reason: "Available" });
    expect(String(merged("Available", known)?.message)).toHaveLength(1024);
  });
});

describe("reflectConditions", () => {
  it("keeps the messages of trouble, and only the types of its rules", () => {
    const bad = condition("Available", "False", { message: "too few" });
    const good = condition("Progressing", "True", { message: "ReplicaSet web-7 is progressing" });
    const { message: _message, ...quiet } = good;
    const status = { conditions: [bad, { ...good, lastUpdateTime: time(5) }, condition("constructor", "True"), "odd"] };
    expect(reflectConditions(status, RULES)).toEqual({ conditions: [bad, quiet] });
  });

  it("leaves out the message of a condition that is worded anew each time", () => {
    const limited = condition("Limited", "True", { message: "of Pod web-7" });
    const { message: _message, ...quiet } = limited;
    expect(reflectConditions({ conditions: [limited] }, RULES)).toEqual({ conditions: [quiet] });
  });

  it("adds nothing where there is none of them", () => {
    expect(reflectConditions({}, RULES)).toEqual({});
  });
});

describe("whatever members say", () => {
  const rules: ConditionRules = { Available: { good: "True" }, Progressing: { good: "True" } };
  const known = (items: readonly { clusterName: string; status?: unknown; applied: boolean }[]): readonly KnownItem[] =>
    items.flatMap(({ clusterName, status, applied }) => {
      return typeof status === "object" && status !== null ? [{ clusterName, applied, status: { ...status } }] : [];
    });

  it("the answer is its own next answer, and every condition has a time, a reason and a message", () => {
    fc.assert(
      fc.property(memberItems("apps/Deployment"), items => {
        const first = mergeConditions(aggregation(known(items), { items }), rules);
        const second = mergeConditions(aggregation(known(items), { items, previous: { ...first } }), rules);
        expect(second).toEqual(first);
        for (const each of recordsAt({ ...first }, "conditions"))
          expect(Object.values(each).every(value => typeof value === "string" && value !== "")).toBe(true);
      }),
    );
  });

  it("it is good only where every member says so", () => {
    fc.assert(
      fc.property(memberItems("apps/Deployment"), items => {
        const available = mergeConditions(aggregation(known(items), { items }), rules).conditions?.find(
          each => each.type === "Available",
        );
        const all = known(items).filter(item =>
          recordsAt(item.status, "conditions").some(each => each.type === "Available" && each.status === "True"),
        );
        if (available?.status === "True") expect(all).toHaveLength(items.length);
      }),
    );
  });
});
