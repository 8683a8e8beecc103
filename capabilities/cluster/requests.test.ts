// Is a pod's request counted as the scheduler counts it?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountsOf, plus, podRequests, writeAmounts, type PodRequests } from "./requests.js";

const asks = (cpu: string) => ({ resources: { requests: { cpu } } });
const sidecar = (cpu: string) => ({ ...asks(cpu), restartPolicy: "Always" });

describe("podRequests", () => {
  it.each`
    pod                                                                                           | cpu          | sentence
    ${{ containers: [asks("100m"), asks("1")] }}                                                  | ${"1100m"}   | ${"adds containers up"}
    ${{ containers: [asks("1")], initContainers: [asks("3"), asks("2")] }}                        | ${"3"}       | ${"takes the greediest init container where it is more"}
    ${{ containers: [asks("1")], initContainers: [sidecar("1"), asks("3")] }}                     | ${"4"}       | ${"adds side-cars that run before to an init container"}
    ${{ containers: [asks("1")], initContainers: [asks("2"), sidecar("2")] }}                     | ${"3"}       | ${"adds side-cars to the containers"}
    ${{ containers: [asks("1")], overhead: { cpu: "250m" } }}                                     | ${"1250m"}   | ${"adds the overhead"}
    ${{ containers: [asks("1")], resources: { requests: { cpu: "5" } }, overhead: { cpu: "1" } }} | ${"6"}       | ${"lets the pod's own request win"}
    ${{ containers: [{}] }}                                                                       | ${undefined} | ${"counts nothing where nothing is asked"}
  `("$sentence", ({ pod, cpu }: { pod: PodRequests; cpu?: string }) => {
    expect(writeAmounts(podRequests(pod))["cpu"]).toBe(cpu);
  });
});

describe("amountsOf", () => {
  it("leaves out what is not a quantity", () => {
    expect(writeAmounts(amountsOf({ cpu: "1", odd: "many" }))).toEqual({ cpu: "1" });
  });
});

describe("plus", () => {
  it("does not depend on the order", () => {
    const list = fc.dictionary(
      fc.constantFrom("cpu", "memory", "pods"),
      fc.nat({ max: 1e9 }).map(n => `${n}m`),
    );
    fc.assert(
      fc.property(list, list, (a, b) => {
        const [left, right] = [amountsOf(a), amountsOf(b)];
        expect(writeAmounts(plus(left, right))).toEqual(writeAmounts(plus(right, left)));
      }),
    );
  });
});
