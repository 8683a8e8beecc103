// Does the oracle say what the rules of the design say, and leave open only what they leave open?
import { describe, expect, it } from "vitest";
import type { Cascade, Preserve, Rule } from "./commands.js";
import { wordIn, type Question } from "./decision.js";
import type { Change } from "./history.js";

const QUESTION: Question = { uid: "t", member: "member1", claim: "p", cascade: undefined };
const MEMBERS = ["member1", "member2"] as const;
const policy = (value: Preserve, id = "p"): Change => ({ type: "policy", id, value, members: MEMBERS });
const other = (value: Preserve, id = "p"): Change => ({ ...policy(value, id), selects: false }) as Change;
const policyGoes = (id = "p"): Change => ({ type: "policy-leaving", id });
const template: Change = { type: "template", uid: "t", cascade: undefined };
const claim = (id = "p"): Change => ({ type: "claim", uid: "t", id });
const rule = (value: Cascade, more: Partial<Rule> = {}): Change => ({
  type: "rule",
  rule: { name: "rule-a", by: "name", value, ...more },
});
const ruleGoes = (held: boolean): Change => ({ type: "rule-leaving", name: "rule-a", held });
const claimed = (value: Preserve): Change[] => [template, policy(value), claim()];

describe("wordIn", () => {
  it.each`
    given                                                     | world                                                                                                 | claim        | allowed
    ${"a policy that says true"}                              | ${claimed(true)}                                                                                      | ${"p"}       | ${["keep"]}
    ${"a policy that says false"}                             | ${claimed(false)}                                                                                     | ${"p"}       | ${["delete"]}
    ${"a policy that says nothing"}                           | ${claimed(null)}                                                                                      | ${"p"}       | ${["delete"]}
    ${"an edit of the policy"}                                | ${[...claimed(false), policy(true)]}                                                                  | ${"p"}       | ${["keep"]}
    ${"a policy on its way out that still holds it"}          | ${[...claimed(true), policyGoes()]}                                                                   | ${"p"}       | ${["keep"]}
    ${"a policy that has let go of it"}                       | ${[...claimed(true), policyGoes()]}                                                                   | ${undefined} | ${["keep"]}
    ${"a new policy that keeps and has not claimed it yet"}   | ${[...claimed(false), policyGoes(), policy(true, "q")]}                                               | ${undefined} | ${["keep"]}
    ${"a new policy that deletes and has not claimed it yet"} | ${[...claimed(true), policyGoes(), policy(false, "q")]}                                               | ${undefined} | ${["keep", "delete"]}
    ${"a new policy that has claimed it"}                     | ${[...claimed(true), policyGoes(), policy(false, "q"), claim("q")]}                                   | ${"q"}       | ${["delete"]}
    ${"a new policy that kept, and went unheard"}             | ${[...claimed(false), policyGoes(), policy(true, "q"), policyGoes("q")]}                              | ${undefined} | ${["delete", "keep"]}
    ${"a new policy that deleted, and went unheard"}          | ${[...claimed(true), policyGoes(), policy(false, "q"), policyGoes("q")]}                              | ${undefined} | ${["keep"]}
    ${"an edit of a policy on its way out"}                   | ${[...claimed(true), policyGoes(), policy(false)]}                                                    | ${undefined} | ${["keep", "delete"]}
    ${"nothing that has claimed it"}                          | ${[template]}                                                                                         | ${undefined} | ${["keep", "delete"]}
    ${"a rule that keeps over a policy that deletes"}         | ${[...claimed(false), rule("orphan")]}                                                                | ${"p"}       | ${["keep"]}
    ${"a rule that deletes over a policy that keeps"}         | ${[...claimed(true), rule("background")]}                                                             | ${"p"}       | ${["delete"]}
    ${"a rule about another member"}                          | ${[...claimed(true), rule("background", { target: "member2" })]}                                      | ${"p"}       | ${["keep"]}
    ${"a rule by name over one by label"}                     | ${[...claimed(true), rule("background"), rule("orphan", { name: "rule-b", by: "label" })]}            | ${"p"}       | ${["delete"]}
    ${"two rules of one rank that disagree"}                  | ${[...claimed(false), rule("background"), rule("orphan", { name: "rule-b" })]}                        | ${"p"}       | ${["keep"]}
    ${"a rule for the member over one for all"}               | ${[...claimed(false), rule("background", { target: "member1" }), rule("orphan", { name: "rule-b" })]} | ${"p"}       | ${["delete"]}
    ${"a rule that was held until it was heard"}              | ${[...claimed(false), rule("orphan"), ruleGoes(true)]}                                                | ${"p"}       | ${["keep"]}
    ${"a rule that nothing held"}                             | ${[...claimed(false), rule("orphan"), ruleGoes(false)]}                                               | ${"p"}       | ${["keep", "delete"]}
    ${"a rule that is older than the template"}               | ${[rule("orphan"), ...claimed(false)]}                                                                | ${"p"}       | ${["keep"]}
    ${"adopted, where nothing can have been there before"}    | ${[...claimed(true), rule("adopted")]}                                                                | ${"p"}       | ${["delete"]}
    ${"adopted, after an earlier template of that name"}      | ${[{ ...template, uid: "old" }, ...claimed(true), rule("adopted")]}                                   | ${"p"}       | ${["keep", "delete"]}
    ${"a policy that kept and no longer selects it"}          | ${[...claimed(true), other(true)]}                                                                    | ${"p"}       | ${["keep"]}
    ${"one that said delete in the edit by which it left it"} | ${[...claimed(true), other(false)]}                                                                   | ${"p"}       | ${["keep"]}
    ${"one that said keep in the edit by which it left it"}   | ${[...claimed(false), other(true)]}                                                                   | ${"p"}       | ${["delete", "keep"]}
    ${"one that says delete after it no longer selects it"}   | ${[...claimed(true), other(true), other(false)]}                                                      | ${undefined} | ${["keep"]}
    ${"a policy that deleted and no longer selects it"}       | ${[...claimed(false), other(false)]}                                                                  | ${undefined} | ${["delete"]}
    ${"one that selects it again and keeps"}                  | ${[...claimed(false), other(false), policy(true)]}                                                    | ${undefined} | ${["keep"]}
    ${"one that selects it again and deletes"}                | ${[...claimed(true), other(true), policy(false)]}                                                     | ${undefined} | ${["keep", "delete"]}
    ${"one that selects it again, deletes and has claimed"}   | ${[...claimed(true), other(true), policy(false), claim()]}                                            | ${"p"}       | ${["delete"]}
    ${"a new policy that keeps, and selects another name"}    | ${[...claimed(false), policyGoes(), policy(false, "q"), other(true, "q")]}                            | ${undefined} | ${["delete", "keep"]}
    ${"a rule that had ceased to select before it"}           | ${[rule("background"), rule("orphan", { by: "other" }), ...claimed(true)]}                            | ${"p"}       | ${["keep"]}
    ${"a rule that no longer selects it"}                     | ${[...claimed(false), rule("orphan"), rule("background", { by: "other" })]}                           | ${"p"}       | ${["keep"]}
    ${"a rule that never selected it"}                        | ${[...claimed(true), rule("background", { by: "other" })]}                                            | ${"p"}       | ${["keep"]}
  `("$allowed for $given", ({ world, claim: id, allowed }: { world: Change[]; claim?: string; allowed: string[] }) => {
    expect(wordIn(world, { ...QUESTION, claim: id }).allowed).toEqual(allowed);
  });

  it.each([
    ["orphan", "keep"],
    ["background", "delete"],
    ["adopted", "delete"],
  ] as const)("takes the annotation %s before everything else", (cascade, word) => {
    const world = [...claimed(word === "delete"), rule(word === "delete" ? "orphan" : "background")];

    expect(wordIn(world, { ...QUESTION, cascade }).allowed).toEqual([word]);
  });
});
