// Is the report told of what is new in the outcome of an attempt, and of nothing else?
import { expect, it } from "vitest";
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
