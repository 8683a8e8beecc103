// Does a look that comes too late leave no connection behind?
import { describe, expect, it, vi } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { RHYTHM } from "./health.js";
import { lookReconciler } from "./look.js";
import type { Session, Sessions } from "./session.js";

const cluster = { metadata: { name: "east" }, spec: { syncMode: "Push" } } as Cluster;
const refusal = { status: "False", reason: "ClusterInvalid", message: "spec is incomplete", certain: true };
const session = () => ({ health: { failures: 0 }, connect: async () => refusal, close: vi.fn(async () => {}) });

/** Looks at the cluster under one session, while it comes to have another one, or none. */
async function lookUnder(first: ReturnType<typeof session>, then: ReturnType<typeof session> | undefined) {
  const held = [first, then, then];
  const sessions = { get: () => held.shift() } as unknown as Sessions;
  const disconnect = vi.fn(async () => {});
  const deps = {
    host: { clusters: { get: () => cluster } },
    members: { get: () => undefined, disconnect },
    metrics: { clusterReady: { set: vi.fn() } },
  } as unknown as Dependencies;
  const onChange = vi.fn();
  const result = await lookReconciler({ deps, sessions, rhythm: RHYTHM, onChange })(
    "east",
    new AbortController().signal,
  );
  return { result, disconnect, onChange };
}

describe("a look at a cluster", () => {
  it("that has gone meanwhile closes what it has opened", async () => {
    const first = session();

    const { result, disconnect, onChange } = await lookUnder(first, undefined);

    expect(result).toEqual({});
    expect(first.close).toHaveBeenCalledOnce();
    expect(disconnect).toHaveBeenCalledWith("east");
    expect(onChange).not.toHaveBeenCalled();
  });

  it("that has another address meanwhile leaves the new connection alone", async () => {
    const [first, second] = [session(), session()];

    const { disconnect } = await lookUnder(first, second);

    expect(first.close).toHaveBeenCalledOnce();
    expect(second.close).not.toHaveBeenCalled();
    expect(disconnect).not.toHaveBeenCalled();
  });

  it("that is still the same tells what it has seen", async () => {
    const only = session();

    const { result, onChange } = await lookUnder(only, only);

    expect(result).toEqual({ requeueAfterMs: RHYTHM.brokenMs });
    expect(onChange).toHaveBeenCalledWith("east");
    expect((only as unknown as Session).health.verdict).toBe(refusal);
  });
});
