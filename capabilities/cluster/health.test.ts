// Do looks at a cluster add up to what people expect, and at the right pace?
import { describe, expect, it } from "vitest";
import { isReady, judge, nextLookMs, RHYTHM, type Health } from "./health.js";
import { notReady, notUsable, READY, type Verdict } from "./verdict.js";

const SILENT = notReady("ClusterNotReachable", "connection refused");
const SICK = notReady("ClusterNotReady", "[-]etcd failed");
const NO_SECRET = notUsable("CredentialsNotFound", "Secret karmada-cluster/m1 is not there");

function after(...looks: readonly Verdict[]): Health {
  return looks.reduce(judge, { failures: 0 });
}

describe("judge", () => {
  it.each`
    looks                             | ready    | reason                   | sentence
    ${[READY]}                        | ${true}  | ${"ClusterReady"}        | ${"believes the first good look"}
    ${[SILENT]}                       | ${false} | ${"ClusterNotReachable"} | ${"believes a bad look when it is the first of all"}
    ${[READY, SILENT]}                | ${true}  | ${"ClusterReady"}        | ${"only doubts after one bad look"}
    ${[READY, SILENT, SILENT]}        | ${false} | ${"ClusterNotReachable"} | ${"believes two bad looks in a row"}
    ${[READY, SILENT, SICK]}          | ${false} | ${"ClusterNotReady"}     | ${"counts bad looks of different kinds together"}
    ${[READY, SILENT, READY, SILENT]} | ${true}  | ${"ClusterReady"}        | ${"forgets a bad look after a good one"}
    ${[READY, NO_SECRET]}             | ${false} | ${"CredentialsNotFound"} | ${"believes at once what looking again cannot change"}
    ${[SILENT, READY]}                | ${true}  | ${"ClusterReady"}        | ${"believes the first good look after bad ones"}
    ${[SILENT, SICK]}                 | ${false} | ${"ClusterNotReady"}     | ${"tells the newest reason while it is not ready"}
  `("$sentence", ({ looks, ready, reason }: { looks: Verdict[]; ready: boolean; reason: string }) => {
    const health = after(...looks);

    expect(isReady(health)).toBe(ready);
    expect(health.verdict?.reason).toBe(reason);
  });

  it("keeps the first sentence while the reason stays, so that changing words cost no write", () => {
    const first = after(SILENT);
    const second = judge(first, notReady("ClusterNotReachable", "timed out"));

    expect(second.verdict).toBe(first.verdict);
  });
});

describe("nextLookMs", () => {
  it.each`
    looks              | ms        | sentence
    ${[READY]}         | ${10_000} | ${"waits ten seconds while all is well"}
    ${[READY, SILENT]} | ${500}    | ${"makes sure within a second after one bad look"}
    ${[SILENT]}        | ${800}    | ${"looks for its return more often than once a second"}
    ${[NO_SECRET]}     | ${5_000}  | ${"asks the host less often for what a person must change"}
  `("$sentence", ({ looks, ms }: { looks: Verdict[]; ms: number }) => {
    expect(nextLookMs(after(...looks), RHYTHM)).toBe(ms);
  });
});
