// Which stories are drawn, and how often each kind of them?
import fc from "fast-check";
import { MEMBERS, type App, type Batch, type Command, type Fault, type FaultStep, type Step } from "./commands.js";

/** What is drawn beside the policy's own field and the template's annotation: taken out, nothing of it happens. */

/** Apps of one batch. */
export const BATCH_SIZE = 20;

const preserve = fc.constantFrom(true, true, false, false, null);
const member = fc.constantFrom(...MEMBERS);
const cascade = fc.constantFrom("orphan", "orphan", "background", "background", "adopted");

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
      by: fc.constantFrom("name" as const, "label" as const),
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

const steps = fc
  .tuple(
    fc.array(inTurn(minor), { maxLength: 3 }),
    ending,
    fc.array(inTurn(afterword), { maxLength: 3 }),
    fc.option(ending, { freq: 3 }),
    fc.integer({ min: 0, max: 6_000 }),
  )
  .map(([before, end, after, again, offset]) => {
    const all = [...before.flat(), ...end, ...after.flat(), ...(again ?? [])];
    return all.map((step, index) => (index === 0 ? { ...step, afterMs: step.afterMs + offset } : step));
  });

/** One app; a namespaced policy cannot select a ClusterRole. */
const app: fc.Arbitrary<App> = fc
  .record({
    kind: weighted([
      [5, fc.constant("ConfigMap" as const)],
      [3, fc.constant("Deployment" as const)],
      [2, fc.constant("ClusterRole" as const)],
    ]),
    wide: weighted([
      [3, fc.constant(false)],
      [1, fc.constant(true)],
    ]),
    preserve,
    conflictResolution: fc.constantFrom("Abort" as const, "Overwrite" as const),
    settled: weighted([
      [9, fc.constant(true)],
      [1, fc.constant(false)],
    ]),
    steps,
  })
  .map(({ wide, ...rest }) => ({
    ...rest,
    policyKind: wide || rest.kind === "ClusterRole" ? "ClusterPropagationPolicy" : "PropagationPolicy",
  }));

const fault: fc.Arbitrary<Fault> = weighted<Fault>([
  [4, fc.constant("kill-leader")],
  [2, fc.constant("stop-leader")],
  [4, fc.constant("kill-operator")],
  [3, fc.constant("freeze-leader")],
  [3, fc.constant("freeze-operator")],
  [1, fc.constant("kill-host")],
  [1, fc.constant("stop-host")],
  [1, fc.constant("kill-member1")],
  [1, fc.constant("stop-member2")],
  [2, fc.constant("freeze-member1")],
  [2, fc.constant("freeze-member2")],
  [1, fc.constant("compact-history")],
]);

const faultStep: fc.Arbitrary<FaultStep> = fc.record({
  afterMs: fc.integer({ min: 0, max: 2_500 }),
  fault,
  forMs: fc.integer({ min: 0, max: 6_000 }),
});

/** Some apps, and what is broken while they go. */
const batch: fc.Arbitrary<Batch> = fc.record({
  apps: fc.array(app, { minLength: BATCH_SIZE, maxLength: BATCH_SIZE }),
  faults: fc.array(faultStep, { minLength: 0, maxLength: 3 }),
});

/**
 * The batch of a seed: the same one each time. `handling`: people also take our finalizer or marks off templates, as
 * `kubectl replace` does with a manifest that does not hold them.
 */
export function batchOf(seed: number, { handling = true } = {}): Batch {
  // Without bias: small values are not what makes a race likely.
  const [drawn] = fc.sample(fc.noBias(batch), { seed, numRuns: 1 });
  if (!drawn) throw new Error(`seed ${seed}: nothing was drawn`);
  return handling ? drawn : { ...drawn, apps: drawn.apps.map(withoutHandling) };
}

function withoutHandling(one: App): App {
  const isOther = (command: Command): boolean => command.do !== "replace" && command.do !== "strip";
  return { ...one, steps: one.steps.map(step => ({ ...step, commands: step.commands.filter(isOther) })) };
}

function weighted<T>(choices: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> {
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
