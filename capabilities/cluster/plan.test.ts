// Does a leaving cluster's namespace wait for everything that needs it, and does the removal end all the same?
import { describe, expect, it } from "vitest";
import { planLeaving, type Leftovers } from "./plan.js";

const nothing: Leftovers = {
  works: 0,
  worksOfOurs: 0,
  bindings: 0,
  stalled: false,
  memberNamespaces: 0,
  told: true,
  namespace: "gone",
};
const works = { works: 2, worksOfOurs: 2, namespace: "there" };

describe("planLeaving", () => {
  it.each`
    left                                                | action               | sentence
    ${{ bindings: 1, namespace: "there" }}              | ${"wait"}            | ${"waits for bindings that still go to the cluster"}
    ${works}                                            | ${"wait"}            | ${"waits for Works that are being let go"}
    ${{ ...works, stalled: true }}                      | ${"abandon"}         | ${"leaves Works behind that do not move"}
    ${{ ...works, bindings: 1, stalled: true }}         | ${"abandon"}         | ${"leaves Works behind whose bindings do not move"}
    ${{ works: 1, stalled: true, namespace: "there" }}  | ${"wait"}            | ${"waits for Works that somebody else holds"}
    ${{ bindings: 1, stalled: true, told: false }}      | ${"takeStock"}       | ${"goes on without bindings that do not move"}
    ${{ memberNamespaces: 1, namespace: "there" }}      | ${"wait"}            | ${"waits for the namespaces in the member"}
    ${{ told: false, namespace: "there" }}              | ${"takeStock"}       | ${"looks at what became of everything before it forgets"}
    ${{ namespace: "there" }}                           | ${"deleteNamespace"} | ${"deletes the execution namespace when nothing needs it"}
    ${{ namespace: "going" }}                           | ${"wait"}            | ${"waits until the namespace is gone"}
    ${{}}                                               | ${"finish"}          | ${"ends when all is gone"}
    ${{ works: 1, worksOfOurs: 1, namespace: "going" }} | ${"wait"}            | ${"waits for Works in a namespace that somebody else deletes"}
  `("$sentence", ({ left, action }: { left: Partial<Leftovers>; action: string }) => {
    expect(planLeaving({ ...nothing, ...left }).action).toBe(action);
  });
});
