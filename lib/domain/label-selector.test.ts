// Are label selectors read as Kubernetes reads them, and their mistakes named?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFieldError } from "./field-error.js";
import { matchesLabelSelector, validateLabelSelector, type UncheckedLabelSelector } from "./label-selector.js";

interface Case {
  selector: UncheckedLabelSelector | undefined;
  matches: boolean;
}

const labels = { app: "web", tier: "front" };
const one = (key: string, operator: string, values?: string[]): UncheckedLabelSelector => ({
  matchExpressions: [{ key, operator, values }],
});

describe("matchesLabelSelector", () => {
  it.each`
    given                                        | selector                                         | matches
    ${"no selector"}                             | ${undefined}                                     | ${true}
    ${"an empty selector"}                       | ${{}}                                            | ${true}
    ${"the same labels"}                         | ${{ matchLabels: { app: "web" } }}               | ${true}
    ${"one wrong label of two"}                  | ${{ matchLabels: { app: "web", tier: "back" } }} | ${false}
    ${"In with the value"}                       | ${one("app", "In", ["api", "web"])}              | ${true}
    ${"In without the key"}                      | ${one("zone", "In", ["a"])}                      | ${false}
    ${"NotIn with another value"}                | ${one("app", "NotIn", ["api"])}                  | ${true}
    ${"NotIn without the key"}                   | ${one("zone", "NotIn", ["a"])}                   | ${true}
    ${"NotIn with the value"}                    | ${one("app", "NotIn", ["web"])}                  | ${false}
    ${"Exists"}                                  | ${one("app", "Exists")}                          | ${true}
    ${"Exists without the key"}                  | ${one("zone", "Exists")}                         | ${false}
    ${"DoesNotExist with the key"}               | ${one("app", "DoesNotExist")}                    | ${false}
    ${"DoesNotExist without the key"}            | ${one("zone", "DoesNotExist")}                   | ${true}
    ${"NotIn without values, which is no order"} | ${one("app", "NotIn", [])}                       | ${false}
    ${"Exists with values, which is no order"}   | ${one("app", "Exists", ["web"])}                 | ${false}
    ${"an unknown operator"}                     | ${one("app", "Gt", ["1"])}                       | ${false}
    ${"a key that JavaScript objects inherit"}   | ${one("constructor", "Exists")}                  | ${false}
  `("answers $matches for $given", ({ selector, matches }: Case) => {
    expect(matchesLabelSelector(selector, labels)).toBe(matches);
  });

  const words = fc.constantFrom("a", "b", "c");
  const anyLabels = fc.dictionary(words, words, { noNullPrototype: true });

  it("is satisfied by the very labels it lists, and stays so when others are added", () => {
    fc.assert(
      fc.property(anyLabels, anyLabels, (wanted, more) => {
        expect(matchesLabelSelector({ matchLabels: wanted }, { ...more, ...wanted })).toBe(true);
      }),
    );
  });

  it("answers NotIn and DoesNotExist as the opposite of In and Exists", () => {
    fc.assert(
      fc.property(anyLabels, words, fc.array(words, { minLength: 1 }), (some, key, values) => {
        const answer = (operator: string, list?: string[]) => matchesLabelSelector(one(key, operator, list), some);
        expect(answer("NotIn", values)).toBe(!answer("In", values));
        expect(answer("DoesNotExist")).toBe(!answer("Exists"));
      }),
    );
  });

  it("selects less, never more, with one more requirement", () => {
    fc.assert(
      fc.property(anyLabels, anyLabels, words, words, (some, wanted, key, value) => {
        const narrow = { matchLabels: wanted, matchExpressions: [{ key, operator: "In", values: [value] }] };
        if (matchesLabelSelector(narrow, some)) expect(matchesLabelSelector({ matchLabels: wanted }, some)).toBe(true);
      }),
    );
  });
});

describe("validateLabelSelector", () => {
  it.each`
    given                  | selector                                  | message
    ${"an odd key"}        | ${{ matchLabels: { "a b": "x" } }}        | ${'s.matchLabels: Invalid value: "a b": not a label key'}
    ${"two slashes"}       | ${one("a/b/c", "Exists")}                 | ${'s.matchExpressions[0].key: Invalid value: "a/b/c": not a label key'}
    ${"a long value"}      | ${{ matchLabels: { a: "x".repeat(64) } }} | ${`s.matchLabels[a]: Invalid value: "${"x".repeat(64)}": not a label value`}
    ${"an odd value"}      | ${one("a", "In", ["ok", "-x"])}           | ${'s.matchExpressions[0].values[1]: Invalid value: "-x": not a label value'}
    ${"a wrong operator"}  | ${one("a", "Gt", ["1"])}                  | ${'s.matchExpressions[0].operator: Unsupported value: "Gt": supported values: "In", "NotIn", "Exists", "DoesNotExist"'}
    ${"In without values"} | ${one("a", "In")}                         | ${"s.matchExpressions[0].values: Required value: operator In needs at least one value"}
    ${"Exists with some"}  | ${one("a", "Exists", ["x"])}              | ${"s.matchExpressions[0].values: Forbidden: operator Exists takes no values"}
  `("names the field for $given", ({ selector, message }: { selector: UncheckedLabelSelector; message: string }) => {
    const errors = validateLabelSelector(selector, "s").map(formatFieldError);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(message);
  });

  it("collects every mistake", () => {
    const selector = { matchLabels: { "": "!" }, matchExpressions: [{ key: "a", operator: "In" }] };
    expect(validateLabelSelector(selector, "s")).toHaveLength(3);
  });

  it("accepts what is well formed", () => {
    const selector = { matchLabels: { "app.kubernetes.io/name": "", a: "B_c.d" }, ...one("x", "NotIn", ["y"]) };
    expect(validateLabelSelector(selector, "s")).toEqual([]);
    expect(validateLabelSelector(undefined, "s")).toEqual([]);
  });
});
