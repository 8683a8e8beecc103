// When do a workload's Pods suffer, and when is it only waited for them?
import { describe, expect, it } from "vitest";
import { judgeHealth, type Health, type PodState } from "./health.js";

const pod = (uid: string, more: Partial<PodState> = {}): PodState => ({ uid, ready: true, restarts: 0, ...more });
const health = (pods: readonly PodState[], more: Partial<Health> = {}): Health => ({
  uid: "w",
  pods,
  settled: true,
  ...more,
});
const two = [pod("a"), pod("b")];
const before = health(two, { replicas: 2 });

describe("judgeHealth", () => {
  it.each`
    given                                     | now                                                                | rollsOut | state
    ${"the same Pods"}                        | ${health(two, { replicas: 2 })}                                    | ${false} | ${"fine"}
    ${"one Pod more"}                         | ${health([...two, pod("c")], { replicas: 3 })}                     | ${false} | ${"fine"}
    ${"one Pod less, as asked for"}           | ${health([pod("a")], { replicas: 1 })}                             | ${false} | ${"fine"}
    ${"one Pod less that nobody asked to go"} | ${health([pod("a")], { replicas: 2 })}                             | ${false} | ${"suffers"}
    ${"one Pod less of what counts none"}     | ${health([pod("a")])}                                              | ${false} | ${"fine"}
    ${"another Pod in its place"}             | ${health([pod("a"), pod("c")], { replicas: 2 })}                   | ${false} | ${"suffers"}
    ${"a restart"}                            | ${health([pod("a"), pod("b", { restarts: 1 })], { replicas: 2 })}  | ${false} | ${"suffers"}
    ${"a Pod that is not ready"}              | ${health([pod("a"), pod("b", { ready: false })], { replicas: 2 })} | ${false} | ${"waits"}
    ${"a controller that is behind"}          | ${health(two, { replicas: 2, settled: false })}                    | ${false} | ${"waits"}
    ${"nothing"}                              | ${undefined}                                                       | ${false} | ${"suffers"}
    ${"another object"}                       | ${health(two, { uid: "x" })}                                       | ${true}  | ${"suffers"}
    ${"new Pods where that was announced"}    | ${health([pod("c"), pod("d")], { replicas: 2 })}                   | ${true}  | ${"fine"}
    ${"a rollout that is under way"}          | ${health([pod("a"), pod("c")], { settled: false })}                | ${true}  | ${"waits"}
    ${"fewer that are ready after a rollout"} | ${health([pod("c"), pod("d", { ready: false })])}                  | ${true}  | ${"waits"}
  `("answers $state for $given", ({ now, rollsOut, state }: { now: Health; rollsOut: boolean; state: string }) => {
    expect(judgeHealth({ before, rollsOut }, now).state).toBe(state);
  });

  it("holds nobody to what was not so before", () => {
    const ill = health([pod("a", { ready: false, restarts: 4 })], { settled: false });
    expect(judgeHealth({ before: ill, rollsOut: false }, ill)).toEqual({ state: "fine" });
  });
});
