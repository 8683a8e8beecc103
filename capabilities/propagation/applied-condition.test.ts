// Does a policy say whether its objects are everywhere, and which are not?
import { describe, expect, it } from "vitest";
import { appliedCondition } from "./applied-condition.js";
import type { Standing } from "./standings.js";

const waits: Standing = { state: "waits" };
const refused = (...words: readonly string[]): Standing => ({ state: "refused", words });

describe("appliedCondition", () => {
  it.each`
    given                                  | matched | bindings | open                                               | status       | reason          | message
    ${"no object"}                         | ${0}    | ${0}     | ${[]}                                              | ${"Unknown"} | ${"NoMatch"}    | ${"it holds nothing"}
    ${"all of them well"}                  | ${5}    | ${5}     | ${[]}                                              | ${"True"}    | ${"Applied"}    | ${"every cluster has what it holds"}
    ${"one that waits"}                    | ${5}    | ${5}     | ${[waits]}                                         | ${"Unknown"} | ${"Applying"}   | ${/^not every cluster/}
    ${"one whose binding is not made yet"} | ${5}    | ${4}     | ${[]}                                              | ${"Unknown"} | ${"Applying"}   | ${/^not every cluster/}
    ${"one refused, one that waits"}       | ${5}    | ${5}     | ${[waits, refused("cfg in m1: no")]}               | ${"False"}   | ${"NotApplied"} | ${"1 of 5 not applied: cfg in m1: no"}
    ${"one refused by two members"}        | ${5}    | ${5}     | ${[refused("b in m1: no", "b in m2: no")]}         | ${"False"}   | ${"NotApplied"} | ${"1 of 5 not applied: b in m1: no; b in m2: no"}
    ${"many refused"}                      | ${9}    | ${9}     | ${["d", "c", "b", "a"].map(name => refused(name))} | ${"False"}   | ${"NotApplied"} | ${"4 of 9 not applied: a; b; c and 1 more"}
  `("is $status with $reason for $given", ({ matched, bindings, open, status, reason, message }) => {
    const said = appliedCondition(matched as number, { bindings: bindings as number, open: open as Standing[] });
    expect(said).toMatchObject({ type: "Applied", status, reason });
    expect(said.message).toMatch(message as string | RegExp);
  });
});
