// Is a mark found wherever it is, and a changed workload told from an unchanged one?
import { describe, expect, it } from "vitest";
import { isUnchanged, marksIn } from "./workloads.js";

describe("marksIn", () => {
  it.each`
    given                         | metadata                                                       | marks
    ${"nothing of ours"}          | ${{ labels: { app: "shop" }, annotations: { hotfix: "yes" } }} | ${[]}
    ${"a label of Karmada's"}     | ${{ labels: { "karmada.io/managed": "true" } }}                | ${["karmada.io/managed on shop"]}
    ${"an annotation of ours"}    | ${{ annotations: { "holdfast.dev/held": "x" } }}               | ${["holdfast.dev/held on shop"]}
    ${"a finalizer of ours"}      | ${{ finalizers: ["holdfast.dev/let-go"] }}                     | ${["holdfast.dev/let-go on shop"]}
    ${"fields that we own"}       | ${{ managedFields: [{ manager: "holdfast" }] }}                | ${["holdfast on shop"]}
    ${"our name in a value only"} | ${{ annotations: { note: "was managed by karmada" } }}         | ${[]}
  `("finds $marks in $given", ({ metadata, marks }) => {
    expect(marksIn([{ metadata: { name: "shop", ...metadata } }])).toEqual(marks);
  });
});

describe("isUnchanged", () => {
  const before = { uid: "a", pods: ["1", "2"] };

  it.each`
    given                    | after                             | unchanged
    ${"the same"}            | ${{ uid: "a", pods: ["1", "2"] }} | ${true}
    ${"an object made anew"} | ${{ uid: "b", pods: ["1", "2"] }} | ${false}
    ${"a pod made anew"}     | ${{ uid: "a", pods: ["1", "3"] }} | ${false}
    ${"a pod less"}          | ${{ uid: "a", pods: ["1"] }}      | ${false}
  `("answers $unchanged for $given", ({ after, unchanged }) => {
    expect(isUnchanged(before, after)).toBe(unchanged);
  });
});
