// Is a rollback told in words that do not say more than is known?
import { describe, expect, it } from "vitest";
import { CONFIG_MAPS } from "../../lib/kube/kinds.js";
import type { Output } from "../output/output.js";
import { colorsFor } from "../output/color.js";
import { configMap } from "../view/samples.js";
import type { Foreseen } from "./foresee.js";
import type { PlannedRollback, Refusal } from "./plan.js";
import { planAsData, printProofs, tellPlan, tellRefusals } from "./report.js";
import type { Proof } from "./request.js";

const colors = colorsFor(false, {}, "never");
const withData = (a: string) => ({ ...configMap("web", "u1"), data: { a } });

function planned(copies: readonly Partial<Foreseen>[], refusal?: Refusal): PlannedRollback {
  const reference = configMap("web");
  const name = { resource: { ...CONFIG_MAPS, verbs: [], subresources: [] }, namespace: "shop", name: "web" };
  return {
    standing: { name, reference, template: reference, binding: undefined, works: [] },
    state: "live",
    copies: copies.map((copy, i) => ({
      cluster: `m${i + 1}`,
      reference,
      fate: "keep",
      changedByOthers: [],
      rollsOut: false,
      ...copy,
    })),
    ...(refusal && { refusal }),
  };
}

const restored = { fate: "restore", sighting: { live: withData("ours") }, after: withData("before") } as const;

function told(...all: readonly PlannedRollback[]): string[] {
  const lines: string[] = [];
  tellPlan(all, line => lines.push(line), colors);
  return lines;
}

describe("tellPlan", () => {
  it.each`
    what                                 | copy                                        | says
    ${"a copy that is kept"}             | ${{}}                                       | ${"m1: ConfigMap shop/web stays as it is, without marks"}
    ${"a copy that nobody can look at"}  | ${{ fate: "unknown", remark: "no answer" }} | ${"cannot be looked at (no answer)"}
    ${"a copy that cannot be restored"}  | ${{ irrevocable: "it is not on record" }}   | ${"(it is not on record)"}
    ${"a copy whose order is to delete"} | ${{ fate: "delete" }}                       | ${"is deleted: its order was given before"}
    ${"a copy that rolls out"}           | ${{ ...restored, rollsOut: true }}          | ${"; the member rolls that out"}
  `("says of $what that it $says", ({ copy, says }: { copy: Partial<Foreseen>; says: string }) => {
    expect(told(planned([copy]))[0]).toContain(says);
  });

  it("shows what a restoration would change", () => {
    expect(told(planned([restored]))).toEqual(expect.arrayContaining(["-  a: ours", "+  a: before"]));
  });

  it("counts many that just stay, and names the others", () => {
    const lines = told(planned([...Array.from({ length: 20 }, () => ({})), { fate: "leave" }]));
    expect(lines).toEqual([
      "20 copies stay as they are, without marks",
      "m21: ConfigMap shop/web is not Holdfast's, and stays",
    ]);
  });

  it("says nothing of what is left alone in any case, and tells of that why", () => {
    const refused = planned([{}], { why: "it is protected", isForceable: false });
    const open = planned([{}], { why: "others have changed it", isForceable: true });
    expect(told(refused)).toEqual([]);
    const words = (force: boolean): string[] => {
      const lines: string[] = [];
      tellRefusals([refused, open], force, line => lines.push(line));
      return lines;
    };
    expect(words(true)).toEqual(["ConfigMap shop/web is left alone: it is protected"]);
    expect(words(false)).toHaveLength(2);
  });
});

describe("printProofs", () => {
  const proof = (changes: Partial<Proof>): Proof => ({
    object: configMap("web"),
    cluster: "m1",
    outcome: "Kept",
    proven: true,
    ...changes,
  });

  function cellsOf(changes: Partial<Proof>): string[] {
    const lines: string[] = [];
    const output: Output = { print: line => lines.push(line), note: () => undefined, warn: () => undefined };
    printProofs([proof(changes)], "table", output);
    return (lines[1] ?? "").split(/ {3,}/).slice(3, 6);
  }

  const pods = { now: 2, rollsOut: false };

  it.each`
    what                                          | changes                                                                                                   | cells
    ${"the same object, its Pods, no mark"}       | ${{ uid: { before: "u", after: "u" }, pods: { ...pods, before: 2, same: 2 }, marks: [] }}                 | ${["same", "2/2 same", "none"]}
    ${"another object, one Pod less, a mark"}     | ${{ uid: { before: "u", after: "v" }, pods: { ...pods, before: 2, same: 1 }, marks: ["a", "b"] }}         | ${["other", "1/2 same", "a,b"]}
    ${"an object of which nobody knows what was"} | ${{ uid: { after: "u" }, pods, marks: [] }}                                                               | ${["<unknown>", "2 now", "none"]}
    ${"an object that is gone"}                   | ${{ uid: { before: "u" } }}                                                                               | ${["gone", "<none>", "<unknown>"]}
    ${"a rollout"}                                | ${{ uid: { before: "u", after: "u" }, pods: { ...pods, rollsOut: true, before: 2, same: 0 }, marks: [] }} | ${["same", "rolls out", "none"]}
    ${"what nobody could look at"}                | ${{}}                                                                                                     | ${["<none>", "<none>", "<unknown>"]}
  `("writes $cells for $what", ({ changes, cells }: { changes: Partial<Proof>; cells: string[] }) => {
    expect(cellsOf(changes)).toEqual(cells);
  });
});

describe("planAsData", () => {
  it("has the values before and after only where they differ", () => {
    const data = planAsData([planned([restored, { ...restored, after: withData("ours") }, {}])]) as {
      planned: readonly { copies: readonly Record<string, unknown>[] }[];
    };
    expect(data.planned[0]?.copies.map(copy => "before" in copy)).toEqual([true, false, false]);
  });
});
