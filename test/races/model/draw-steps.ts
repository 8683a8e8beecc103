// What is done to one app, and how often is each of it drawn?
import fc from "fast-check";
import { MEMBERS, type Command, type Step } from "./commands.js";

/** The word of a policy's field. */
export const preserve = fc.constantFrom(true, true, false, false, null);
/** One of the members. */
export const member = fc.constantFrom(...MEMBERS);
const cascade = fc.constantFrom("orphan", "orphan", "background", "background", "background", "adopted", "restore");

/** Mostly at once; sometimes long enough for the operator to finish what came before. */
const delay = weighted([
  [4, fc.constant(0)],
  [4, fc.integer({ min: 1, max: 40 })],
  [3, fc.integer({ min: 40, max: 900 })],
  [1, fc.integer({ min: 900, max: 4_000 })],
]);

const flip = preserve.map((value): Command => ({ do: "preserve", value }));
const annotate = fc.option(cascade).map((value): Command => ({ do: "annotate", value }));
const rule = fc
  .record(
    {
      name: fc.constantFrom("rule-a" as const, "rule-b" as const),
      by: fc.constantFrom("name" as const, "name" as const, "label" as const, "label" as const, "other" as const),
      value: cascade,
      target: member,
    },
    { requiredKeys: ["name", "by", "value"] },
  )
  .map((drawn): Command => ({ do: "rule", rule: drawn }));
const deleteRule = fc
  .constantFrom("rule-a" as const, "rule-b" as const)
  .map((name): Command => ({ do: "delete-rule", name }));
const newPolicy = preserve.map((value): Command => ({ do: "new-policy", value }));
const leave = fc
  .record({ member, value: preserve }, { requiredKeys: ["member"] })
  .map((drawn): Command => ({ do: "leave", ...drawn }));
const selecting = (name: "deselect" | "reselect") =>
  fc.record({ value: preserve }, { requiredKeys: [] }).map((drawn): Command => ({ do: name, ...drawn }));
const deleteWork = member.map((m): Command => ({ do: "delete-work", member: m }));
const strip = fc.constantFrom("finalizer" as const, "marks" as const).map((what): Command => ({ do: "strip", what }));
const deleteTemplate = fc
  .constantFrom("Background" as const, "Background" as const, "Background" as const, "Foreground" as const)
  .map((propagation): Command => ({ do: "delete-template", propagation }));
const plain = (name: "edit" | "replace" | "delete-policy" | "new-template" | "return" | "delete-binding") =>
  fc.constant<Command>({ do: name });
const wrongOwner = fc.constant<Command>({ do: "wrong-owner" });
const deleteNamespace = fc.constant<Command>({ do: "delete-namespace" });
const orphan = fc.constant<Command>({ do: "delete-template", propagation: "Orphan" });

/** What happens on an ordinary day: nothing of it lets go of anything but a place. */
const minor = weighted([
  [5, flip],
  [3, annotate],
  [3, rule],
  [2, deleteRule],
  [2, plain("edit")],
  [1, plain("replace")],
  [1, strip],
  [2, plain("delete-binding")],
  [2, deleteWork],
  [1, wrongOwner],
  [2, leave],
  [1, plain("return")],
  [1, plain("delete-policy")],
  [1, newPolicy],
  [2, selecting("deselect")],
  [1, selecting("reselect")],
]);

/** The moment of danger. */
const ending: fc.Arbitrary<readonly Step[]> = weighted([
  [4, inTurn(deleteTemplate)],
  [6, inTurn(flip, deleteTemplate)],
  [3, inTurn(annotate, deleteTemplate)],
  [4, inTurn(rule, deleteTemplate)],
  [2, inTurn(deleteRule, deleteTemplate)],
  [2, together(flip, deleteTemplate)],
  [1, together(annotate, deleteTemplate)],
  [1, together(rule, deleteTemplate)],
  [2, inTurn(plain("delete-policy"), deleteTemplate)],
  [1, inTurn(deleteTemplate, plain("delete-policy"))],
  [2, together(plain("delete-policy"), deleteTemplate)],
  [2, inTurn(flip, plain("delete-policy"), deleteTemplate)],
  [2, inTurn(newPolicy, deleteTemplate)],
  [1, inTurn(plain("delete-binding"), deleteTemplate)],
  [1, inTurn(wrongOwner, deleteTemplate)],
  [1, inTurn(plain("replace"), deleteTemplate)],
  [1, inTurn(strip, deleteTemplate)],
  [1, inTurn(orphan)],
  [2, inTurn(selecting("deselect"), deleteTemplate)],
  [1, inTurn(flip, selecting("deselect"), deleteTemplate)],
  [1, together(selecting("deselect"), deleteTemplate)],
  [1, inTurn(selecting("deselect"), selecting("reselect"), deleteTemplate)],
  [1, inTurn(rule, rule, deleteTemplate)],
  [3, inTurn(leave)],
  [1, inTurn(flip, leave)],
  [2, inTurn(deleteNamespace)],
  [2, inTurn(flip, deleteNamespace)],
  [1, together(flip, deleteNamespace)],
  [3, fc.constant([])],
]);

/** What comes a moment too late to count. */
const afterword = weighted([
  [5, flip],
  [2, annotate],
  [2, rule],
  [1, deleteRule],
  [3, plain("delete-policy")],
  [3, newPolicy],
  [2, plain("delete-binding")],
  [2, deleteWork],
  [1, wrongOwner],
  [2, deleteNamespace],
  [5, plain("new-template")],
]);

/** What happens to one app, in order. */
export const steps = fc
  .tuple(
    fc.array(inTurn(minor), { maxLength: 3 }),
    ending,
    fc.array(inTurn(afterword), { maxLength: 3 }),
    fc.option(ending, { freq: 3 }),
    fc.option(inTurn(deleteNamespace), { freq: 8 }),
    fc.integer({ min: 0, max: 6_000 }),
  )
  .map(([before, end, after, again, whole, offset]) => {
    const all = [...before.flat(), ...end, ...after.flat(), ...(again ?? []), ...(whole ?? [])];
    return all.map((step, index) => (index === 0 ? { ...step, afterMs: step.afterMs + offset } : step));
  });

/** One of the choices; the number says how often. */
export function weighted<T>(choices: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

function inTurn(...commands: readonly fc.Arbitrary<Command>[]): fc.Arbitrary<readonly Step[]> {
  return fc.tuple(...commands.map(command => fc.record({ afterMs: delay, commands: fc.tuple(command) })));
}

function together(...commands: readonly fc.Arbitrary<Command>[]): fc.Arbitrary<readonly Step[]> {
  const inAnyOrder = fc
    .tuple(fc.tuple(...commands), fc.boolean())
    .map(([all, turned]) => (turned ? all.toReversed() : all));
  return fc.tuple(fc.record({ afterMs: delay, commands: inAnyOrder }));
}
