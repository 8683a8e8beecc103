// Is a Secret read as often as it must be, and is a leaving cluster still opened by the one that has just gone?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { ResourceClient } from "../../lib/kube/resource.js";
import { Credentials } from "./credentials.js";

const SECRET: KubeObject = { apiVersion: "v1", kind: "Secret", metadata: { namespace: "karmada-cluster", name: "m" } };
const TIMES = { maxAgeMs: 60_000, minAgeMs: 60_000 };

function setUp(leaving = false) {
  const state: { secret: KubeObject | undefined; leaving: boolean; reads: number } = {
    secret: SECRET,
    leaving,
    reads: 0,
  };
  const secrets = {
    find() {
      state.reads++;
      return Promise.resolve(state.secret);
    },
  } as unknown as ResourceClient;
  const reference = { namespace: "karmada-cluster", name: "m" };
  return { state, credentials: new Credentials(secrets, { reference, isLeaving: () => state.leaving, times: TIMES }) };
}

describe("Credentials", () => {
  it("reads once while the answer is young, and again when it is known to be old", async () => {
    const { state, credentials } = setUp();

    await credentials.read();
    await credentials.read();
    expect(state.reads).toBe(1);
    credentials.expire();
    await credentials.read();
    expect(state.reads).toBe(2);
  });

  it.each`
    leaving  | found        | sentence
    ${false} | ${undefined} | ${"forgets a Secret that is gone"}
    ${true}  | ${SECRET}    | ${"remembers it while its cluster leaves, so that it can be let go of in order"}
  `("$sentence", async ({ leaving, found }: { leaving: boolean; found: KubeObject | undefined }) => {
    const { state, credentials } = setUp(leaving);
    await credentials.read();

    state.secret = undefined;
    credentials.expire();

    expect(await credentials.read()).toEqual(found);
  });

  it("does not find again for a cluster that leaves what was gone before", async () => {
    const { state, credentials } = setUp();
    await credentials.read();
    state.secret = undefined;
    credentials.expire();
    await credentials.read();

    state.leaving = true;
    credentials.expire();

    expect(await credentials.read()).toBeUndefined();
  });
});
