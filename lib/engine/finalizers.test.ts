// Which finalizers go when Holdfast does?
import { describe, expect, it } from "vitest";
import { finalizersOfOurs } from "./finalizers.js";

describe("finalizersOfOurs", () => {
  it.each`
    what                             | finalizers                                                 | ours
    ${"a template"}                  | ${["holdfast.dev/let-go", "kubernetes.io/pvc-protection"]} | ${["holdfast.dev/let-go"]}
    ${"a policy"}                    | ${["karmada.io/propagation-policy-controller"]}            | ${["karmada.io/propagation-policy-controller"]}
    ${"a cluster-wide policy"}       | ${["karmada.io/cluster-propagation-policy-controller"]}    | ${["karmada.io/cluster-propagation-policy-controller"]}
    ${"a policy about deletion"}     | ${["holdfast.dev/cascade-deletion"]}                       | ${["holdfast.dev/cascade-deletion"]}
    ${"a binding"}                   | ${["foregroundDeletion", "karmada.io/binding-controller"]} | ${["karmada.io/binding-controller"]}
    ${"a cluster-wide binding"}      | ${["karmada.io/cluster-resource-binding-controller"]}      | ${["karmada.io/cluster-resource-binding-controller"]}
    ${"a Work, which is the record"} | ${["karmada.io/execution-controller"]}                     | ${[]}
    ${"a Cluster"}                   | ${["karmada.io/cluster-controller"]}                       | ${[]}
    ${"what has none"}               | ${undefined}                                               | ${[]}
  `("are $ours of $what", ({ finalizers, ours }: Record<string, string[]>) => {
    expect(finalizersOfOurs({ name: "x", finalizers })).toEqual(ours);
  });
});
