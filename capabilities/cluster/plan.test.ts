// Does a leaving cluster's namespace wait for everything that needs it?
import { describe, expect, it } from "vitest";
import { planLeaving, type Leftovers } from "./plan.js";

const nothing: Leftovers = { works: 0, bindings: 0, memberNamespaces: 0, namespace: "gone" };

describe("planLeaving", () => {
  it.each`
    left                                                       | action               | sentence
    ${{ ...nothing, bindings: 1, namespace: "there" }}         | ${"wait"}            | ${"waits for bindings that still go to the cluster"}
    ${{ ...nothing, works: 2, namespace: "there" }}            | ${"wait"}            | ${"waits for Works that are being let go"}
    ${{ ...nothing, memberNamespaces: 1, namespace: "there" }} | ${"wait"}            | ${"waits for the namespaces in the member"}
    ${{ ...nothing, namespace: "there" }}                      | ${"deleteNamespace"} | ${"deletes the execution namespace when nothing needs it"}
    ${{ ...nothing, namespace: "going" }}                      | ${"wait"}            | ${"waits until the namespace is gone"}
    ${nothing}                                                 | ${"finish"}          | ${"ends when all is gone"}
    ${{ ...nothing, works: 1, namespace: "going" }}            | ${"wait"}            | ${"waits for Works in a namespace that somebody else deletes"}
  `("$sentence", ({ left, action }: { left: Leftovers; action: string }) => {
    expect(planLeaving(left).action).toBe(action);
  });
});
