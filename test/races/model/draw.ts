// Which stories are drawn, and how often each kind of them?
import fc from "fast-check";
import type { App, Batch, Command, Departure, Fault, FaultStep } from "./commands.js";
import { member, preserve, steps, weighted } from "./draw-steps.js";

/** Apps of one batch. */
export const BATCH_SIZE = 20;

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
  [2, fc.constant("kill-admission")],
  [1, fc.constant("stop-admission")],
  [1, fc.constant("freeze-admission")],
  [1, fc.constant("compact-history")],
]);

const faultStep: fc.Arbitrary<FaultStep> = fc.record({
  afterMs: fc.integer({ min: 0, max: 2_500 }),
  fault,
  forMs: fc.integer({ min: 0, max: 6_000 }),
});

const departure: fc.Arbitrary<Departure> = fc.record({
  afterMs: fc.integer({ min: 0, max: 8_000 }),
  member,
  withSecret: weighted([
    [5, fc.constant(false)],
    [1, fc.constant(true)],
  ]),
});

const departures: fc.Arbitrary<readonly Departure[]> = weighted<readonly Departure[]>([
  [8, fc.constant([])],
  [3, fc.tuple(departure)],
  [1, fc.uniqueArray(departure, { selector: ({ member: m }) => m, minLength: 2, maxLength: 2 })],
]);

/** Some apps, and what is broken while they go. A host that is away takes no deletion of a Cluster. */
const batch: fc.Arbitrary<Batch> = fc
  .record({
    apps: fc.array(app, { minLength: BATCH_SIZE, maxLength: BATCH_SIZE }),
    faults: fc.array(faultStep, { minLength: 0, maxLength: 3 }),
    departures,
  })
  .map(drawn => (drawn.faults.some(({ fault }) => fault.includes("host")) ? { ...drawn, departures: [] } : drawn));

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
