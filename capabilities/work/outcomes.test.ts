// Is the report told of what is new in the outcome of an attempt, and of nothing else?
import { expect, it } from "vitest";
import type { Work } from "../../crds/work.js";
import { APPLIED_FAILED, APPLY_RETRIED, CLUSTER_NOT_READY } from "../../lib/domain/applied.js";
import { Outcomes, type Outcome } from "./outcomes.js";

const outcome: Outcome = {
  applied: true,
  reason: "AppliedSuccessful",
  message: "1 manifest(s) applied to m1",
  generation: 1,
  templateGeneration: 2,
  at: 0,
};

it.each`
  what                           | changes                      | told
  ${"the same once more"}        | ${{ at: 1 }}                 | ${1}
  ${"another message"}           | ${{ message: "otherwise" }}  | ${2}
  ${"a failure"}                 | ${{ applied: false }}        | ${2}
  ${"a generation of the Work"}  | ${{ generation: 2 }}         | ${2}
  ${"one of the template alone"} | ${{ templateGeneration: 3 }} | ${2}
`("tells $told time(s) of an outcome that is followed by $what", ({ changes, told }: Row) => {
  const keys: string[] = [];
  const outcomes = new Outcomes(key => void keys.push(key));
  outcomes.set("es/w", outcome);
  outcomes.set("es/w", { ...outcome, ...changes });
  expect(keys).toHaveLength(told);
});

interface Row {
  readonly changes: Partial<Outcome>;
  readonly told: number;
}

const failing = (reason: string, at = 0, generation = 1): Outcome => ({
  ...outcome,
  applied: false,
  reason,
  generation,
  at,
});
const retried = failing(APPLY_RETRIED);
const workSaying = (reason: string, observedGeneration = 1): Work => ({
  apiVersion: "work.karmada.io/v1alpha1",
  kind: "Work",
  metadata: { name: "w", namespace: "es", generation: 1 },
  spec: {},
  status: {
    conditions: [
      {
        type: "Applied",
        status: "False",
        reason,
        message: "",
        lastTransitionTime: "2026-01-01T00:00:00Z",
        observedGeneration,
      },
    ],
  },
});

it.each`
  given                                         | before                                                  | said                               | failing
  ${"nothing tried yet"}                        | ${[]}                                                   | ${workSaying(APPLY_RETRIED)}       | ${"no"}
  ${"what an earlier process said"}             | ${[]}                                                   | ${workSaying(APPLIED_FAILED)}      | ${"long"}
  ${"what one said of an older generation"}     | ${[]}                                                   | ${workSaying(APPLIED_FAILED, 0)}   | ${"no"}
  ${"what is tried again"}                      | ${[retried, failing(APPLY_RETRIED, performance.now())]} | ${workSaying(APPLY_RETRIED)}       | ${"since the first"}
  ${"a cluster that was away"}                  | ${[failing(CLUSTER_NOT_READY)]}                         | ${workSaying(CLUSTER_NOT_READY)}   | ${"no"}
  ${"a refusal"}                                | ${[failing(APPLIED_FAILED)]}                            | ${workSaying(APPLIED_FAILED)}      | ${"no"}
  ${"what was tried before the cluster went"}   | ${[retried, failing(CLUSTER_NOT_READY)]}                | ${workSaying(CLUSTER_NOT_READY)}   | ${"no"}
  ${"what was tried in an earlier generation"}  | ${[failing(APPLY_RETRIED, 0, 0)]}                       | ${workSaying(APPLY_RETRIED)}       | ${"no"}
  ${"what has been tried in vain for too long"} | ${[retried, failing(APPLIED_FAILED)]}                   | ${workSaying(APPLIED_FAILED)}      | ${"since the first"}
  ${"what has gone well since"}                 | ${[retried, outcome]}                                   | ${workSaying("AppliedSuccessful")} | ${"no"}
`("takes $given to have failed: $failing", ({ before, said, failing: since }: Tried) => {
  const outcomes = new Outcomes(() => undefined);
  for (const one of before) outcomes.set("es/w", one);
  const ms = outcomes.failingMs("es/w", said);
  expect(ms === 0 ? "no" : ms === Infinity ? "long" : ms > performance.now() - 1_000 ? "since the first" : ms).toBe(
    since,
  );
});

interface Tried {
  readonly before: readonly Outcome[];
  readonly said: Work;
  readonly failing: string;
}
