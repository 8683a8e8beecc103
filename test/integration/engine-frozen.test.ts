// What does a server that accepts connections and never answers cost us?
import { describe, expect, it, vi } from "vitest";
import { isUnreachable } from "../../lib/kube/errors.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { clientFor, CONFIG_MAPS, configMap, namespaceIn, proxyTo } from "./support/engine.js";

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("a server that accepts and never answers", () => {
  it("fails every request within the limit, those too that wait for a connection", async () => {
    const proxy = await proxyTo("host");
    const client = await clientFor("host", { connections: 2, timeoutMs: 1_000 }, proxy);
    await Promise.all([client.request("GET", "/readyz"), client.request("GET", "/readyz")]);
    proxy.freeze({ newOnes: true });
    const started = performance.now();

    const failures = await Promise.all(Array.from({ length: 20 }, () => failureOf(client.request("GET", "/readyz"))));

    expect(failures.every(isUnreachable)).toBe(true);
    // One limit and some slack; ten limits is what a queue of 20 on 2 connections would take.
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("does not delay another cluster", async () => {
    const proxy = await proxyTo("member1");
    const frozen = await clientFor("member1", { timeoutMs: 3_000 }, proxy);
    const healthy = await clientFor("host");
    proxy.freeze({ newOnes: true });
    const waiting = Promise.all(Array.from({ length: 50 }, () => failureOf(frozen.request("GET", "/readyz"))));

    const all = Promise.all(Array.from({ length: 100 }, () => healthy.request("GET", "/readyz")));
    const first = await Promise.race([waiting.then(() => "frozen"), all.then(() => "healthy")]);

    expect(first).toBe("healthy");
    await waiting;
  });

  it("lets go of a request whose caller gives up", async () => {
    const proxy = await proxyTo("host");
    const client = await clientFor("host", {}, proxy);
    proxy.freeze({ newOnes: true });
    const caller = new AbortController();
    const request = failureOf(client.request("GET", "/readyz", { signal: caller.signal }));

    caller.abort(new Error("no longer wanted"));

    expect(await request).toEqual(new Error("no longer wanted"));
  });

  it("does not get a write later that was given up while it waited", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const proxy = await proxyTo("host");
    const client = await clientFor("host", { connections: 1, timeoutMs: 500 }, proxy);
    const write = (n: number) => new ResourceClient(client, CONFIG_MAPS).create(configMap(name, `c${n}`));
    await client.request("GET", "/readyz");
    proxy.freeze({ newOnes: true });

    const failures = await Promise.all(Array.from({ length: 5 }, (_, n) => failureOf(write(n))));
    proxy.pass();
    await vi.waitFor(() => client.request("GET", "/readyz"), { timeout: 20_000 });

    expect(failures.every(isUnreachable)).toBe(true);
    expect(await configMaps.find({ namespace: name, name: "c0" })).toBeUndefined();
    expect(await configMaps.find({ namespace: name, name: "c4" })).toBeUndefined();
  });

  it("is told from a slow one", async () => {
    const proxy = await proxyTo("host");
    const client = await clientFor("host", { timeoutMs: 5_000 }, proxy);
    proxy.delay(100);

    expect(await client.request("GET", "/readyz")).toBe("ok");
  });
});
