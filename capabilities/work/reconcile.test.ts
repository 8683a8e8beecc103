// Does a Work try again what may go better next time, and nothing that cannot?
import { describe, expect, it } from "vitest";
import type { Work } from "../../crds/work.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { ALREADY_EXISTS } from "../../lib/domain/presence.js";
import { silentLog } from "../../lib/engine/log.js";
import { KubeError } from "../../lib/kube/errors.js";
import { RefusedError } from "./adopt.js";
import { Outcomes } from "./outcomes.js";
import { workReconciler } from "./reconcile.js";
import type { Snapshots } from "./snapshots.js";

const KEY = "karmada-es-east/w";
const work: Work = {
  apiVersion: "work.karmada.io/v1alpha1",
  kind: "Work",
  metadata: { name: "w", namespace: "karmada-es-east", uid: "w", generation: 1 },
  spec: { workload: { manifests: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "cfg" } }] } },
};

/** What a new process says of a Work whose member is not ready. */
async function saidOf(status: Work["status"]): Promise<string | undefined> {
  const outcomes = new Outcomes(() => {});
  const deps = {
    host: { works: { get: () => ({ ...work, status }) } },
    members: { get: () => ({ name: "east", ready: false }) },
    log: silentLog,
  } as unknown as Dependencies;
  await workReconciler(deps, outcomes, {} as Snapshots)(KEY, new AbortController().signal);
  return outcomes.get(KEY)?.reason;
}

describe("a Work whose member is not ready", () => {
  it("says so where nothing was known of it", async () => {
    expect(await saidOf(undefined)).toBe("ClusterNotReady");
  });

  it("goes on saying what an earlier process knew", async () => {
    const applied = {
      type: "Applied",
      status: "True",
      reason: "AppliedSuccessful",
      message: "",
      lastTransitionTime: "t",
    };
    expect(await saidOf({ conditions: [{ ...applied, status: "True" }] })).toBeUndefined();
  });
});

/** A Work whose member answers every apply with this error. */
function refusedWith(error: Error) {
  const outcomes = new Outcomes(() => {});
  const suspected: string[] = [];
  const collection = {
    whenSynced: () => Promise.resolve(),
    find: () => undefined,
    apply: () => Promise.reject(error),
    client: { find: () => Promise.resolve(undefined) },
  };
  const member = { name: "east", ready: true, discovery: { find: () => ({}) }, objects: () => collection };
  const deps = {
    host: { works: { get: () => work } },
    members: { get: () => member, suspect: (name: string) => suspected.push(name) },
    metrics: { workSyncSeconds: { startTimer: () => () => {} } },
    log: silentLog,
  } as unknown as Dependencies;
  const reconcile = workReconciler(deps, outcomes, {} as Snapshots);
  return { outcomes, suspected, run: () => reconcile(KEY, new AbortController().signal) };
}

describe("an apply that the member refuses", () => {
  it.each`
    status | says
    ${400} | ${"strict decoding error"}
    ${413} | ${"Request entity too large"}
    ${422} | ${"ConfigMap is invalid: data: Required value"}
    ${500} | ${'.spec.x[a="b"].y: field not declared in schema'}
  `("with $status is final: it is told, and tried again only now and then", async ({ status, says }) => {
    const { outcomes, run } = refusedWith(new KubeError(status as number, "Invalid", says as string));
    expect(await run()).toEqual({ requeueAfterMs: 30_000 });
    expect(outcomes.get(KEY)).toMatchObject({ applied: false, reason: "AppliedFailed", message: says as string });
  });

  it("because something is there that is not ours is told as that", async () => {
    const { outcomes, run } = refusedWith(new RefusedError(ALREADY_EXISTS, "it already exists"));
    expect(await run()).toEqual({ requeueAfterMs: 30_000 });
    expect(outcomes.get(KEY)).toMatchObject({ applied: false, reason: ALREADY_EXISTS });
  });

  it.each`
    status | says                            | suspects    | told
    ${0}   | ${"connection refused"}         | ${["east"]} | ${undefined}
    ${403} | ${"forbidden"}                  | ${[]}       | ${"AppliedFailed"}
    ${409} | ${"conflict"}                   | ${[]}       | ${"ApplyRetried"}
    ${500} | ${"etcdserver: leader changed"} | ${[]}       | ${"ApplyRetried"}
    ${503} | ${"try later"}                  | ${[]}       | ${"ApplyRetried"}
  `("with $status is tried again, later each time, and told as $told", async ({ status, says, suspects, told }) => {
    const { outcomes, suspected, run } = refusedWith(new KubeError(status as number, "", says as string));
    await expect(run()).rejects.toThrow(says as string);
    expect(suspected).toEqual(suspects);
    expect(outcomes.get(KEY)?.reason).toBe(told);
  });

  it("for its namespace's leaving is tried again soon", async () => {
    const error = new KubeError(403, "Forbidden", "unable to create: shop is forbidden because it is being terminated");
    expect(await refusedWith(error).run()).toEqual({ requeueAfterMs: 1_000 });
  });
});
