// Does a store stay equal to what the API server holds when the watch is cut, and does it leave nothing behind?
import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { KubeClient, RequestOptions } from "../../lib/kube/client.js";
import { Reflector } from "../../lib/kube/reflector.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { Store, type StoreChange } from "../../lib/kube/store.js";
import { clientFor, CONFIG_MAPS, configMap, namespaceIn, proxyTo, reflectorOf } from "./support/engine.js";

const OWN = { fieldSelector: "metadata.name!=kube-root-ca.crt" };

function valuesOf(store: Store): Record<string, unknown> {
  return Object.fromEntries([...store.values()].map(o => [o.metadata.name, (o["data"] as { value: string }).value]));
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const until = (check: () => unknown, timeout: number): Promise<unknown> => vi.waitFor(check, { timeout, interval: 20 });

describe("a reflector", () => {
  it("lists in pages, then follows every change", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const client = await clientFor("host");
    const names = Array.from({ length: 30 }, (_, n) => `old${n}`);
    await Promise.all(names.map(n => configMaps.create(configMap(name, n, "1"))));
    const { store, reflector } = reflectorOf(client, name, { query: { ...OWN, limit: 7 } });

    await reflector.synced;
    const atFirst = store.size;
    await configMaps.create(configMap(name, "new", "ä€😀"));
    await configMaps.mergePatch({ namespace: name, name: "old0" }, { data: { value: "2" } });
    await configMaps.delete({ namespace: name, name: "old1" });

    expect(atFirst).toBe(30);
    await until(() => expect(store.size).toBe(30), 5_000);
    await until(() => expect(valuesOf(store)).toMatchObject({ new: "ä€😀", old0: "2" }), 5_000);
    expect(store.get(`${name}/old1`)).toBeUndefined();
    expect([...store.values()].every(o => o.metadata.managedFields === undefined)).toBe(true);
  });

  it("takes objects and letters that arrive in pieces", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const { store, reflector } = reflectorOf(await clientFor("host"), name, { query: OWN });
    await reflector.synced;
    // Several TLS records for one event, each character three bytes: pieces end inside objects and inside letters.
    const big = "€".repeat(150_000);

    await Promise.all(Array.from({ length: 4 }, (_, n) => configMaps.create(configMap(name, `big${n}`, big))));

    await until(() => expect(store.size).toBe(4), 10_000);
    expect(Object.values(valuesOf(store)).every(v => v === big)).toBe(true);
  });

  it("is back within two seconds after a cut, with nothing lost", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const proxy = await proxyTo("host");
    const { store, reflector } = reflectorOf(await clientFor("host", {}, proxy), name, { query: OWN });
    await configMaps.create(configMap(name, "stays"));
    await configMaps.create(configMap(name, "goes"));
    await reflector.synced;
    await until(() => expect(store.size).toBe(2), 5_000);
    proxy.refuse();

    await configMaps.create(configMap(name, "comes"));
    await configMaps.delete({ namespace: name, name: "goes" });
    await until(() => expect(reflector.lastError).toBeDefined(), 5_000);
    expect(store.get(`${name}/comes`)).toBeUndefined();
    proxy.pass();

    const took = await milliseconds(() =>
      until(() => expect(Object.keys(valuesOf(store)).sort()).toEqual(["comes", "stays"]), 10_000),
    );
    expect(took).toBeLessThan(2_000);
    expect(reflector.lastError).toBeUndefined();
  });

  it("sees every state that is last, through twenty cuts", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const proxy = await proxyTo("host");
    const { store, reflector } = reflectorOf(await clientFor("host", {}, proxy), name, { query: OWN });
    await reflector.synced;
    const told = new Map<string, string | undefined>();
    store.subscribe(({ key, after }: StoreChange) => told.set(key, after?.metadata.resourceVersion));

    for (let i = 0; i < 20; i++) {
      const target = { namespace: name, name: `c${i % 7}` };
      const value = { apiVersion: "v1", kind: "ConfigMap", metadata: target, data: { value: String(i) } };
      if (i % 5 === 4) await configMaps.delete(target);
      else await configMaps.apply(value, { manager: "test" });
      proxy.cut();
    }

    const { items } = await configMaps.list(OWN, name);
    const truth = new Map(items.map(o => [`${name}/${o.metadata.name}`, o.metadata.resourceVersion]));
    await until(() => {
      expect(new Map([...store.values()].map(o => [`${name}/${o.metadata.name}`, o.metadata.resourceVersion]))).toEqual(
        truth,
      );
      expect(new Map([...told].filter(([, rv]) => rv))).toEqual(truth);
    }, 10_000);
  });

  it("takes an object with a selector in and out and in again", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const { store, reflector } = reflectorOf(await clientFor("host"), name, { query: { labelSelector: "mine" } });
    await reflector.synced;
    const target = { namespace: name, name: "adopted" };
    const label = (mine: string | null) => configMaps.mergePatch(target, { metadata: { labels: { mine } } });
    const { metadata } = await configMaps.create(configMap(name, "adopted"));

    for (let round = 0; round < 3; round++) {
      await label("yes");
      await until(() => expect(store.size).toBe(1), 5_000);
      await label(null);
      await until(() => expect(store.size).toBe(0), 5_000);
    }
    await label("yes");

    await until(() => expect(store.get(`${name}/adopted`)?.metadata.uid).toBe(metadata.uid), 5_000);
  });

  it("goes on from the last revision it saw", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const client = await clientFor("host");
    const asked: unknown[] = [];
    const stream = client.stream.bind(client);
    client.stream = <T>(path: string, options: RequestOptions) => {
      asked.push(options.query?.["resourceVersion"]);
      return stream<T>(path, options);
    };
    const { store, reflector } = reflectorOf(client, name, { query: OWN, watchMs: 1_000 });
    await reflector.synced;
    await until(() => expect(asked).toHaveLength(1), 5_000);

    const { metadata } = await configMaps.create(configMap(name, "seen"));
    await until(() => expect(store.size).toBe(1), 5_000);

    await until(() => expect(asked.length).toBeGreaterThan(1), 5_000);
    expect(Number(asked[1])).toBeGreaterThanOrEqual(Number(metadata.resourceVersion));
  });

  it("stops at once, also while the server is frozen", async () => {
    const { name } = await namespaceIn("host");
    const proxy = await proxyTo("host");
    proxy.freeze({ newOnes: true });
    const { reflector } = reflectorOf(await clientFor("host", {}, proxy), name);
    await until(() => expect(proxy.accepted).toBe(1), 5_000);

    const took = await milliseconds(() => reflector.stop());

    expect(took).toBeLessThan(1_000);
    await reflector.synced;
  });

  it("leaves no listener and no connection behind, however many watches it has opened", async () => {
    const { name } = await namespaceIn("host");
    const proxy = await proxyTo("host");
    const client = await clientFor("host", {}, proxy);
    const signals = new Set<AbortSignal>();
    const source = new Spy(client, signals);
    const reflector = new Reflector(source, new Store(), { namespace: name, watchMs: 300, graceMs: 2_000 });
    reflector.start();
    await until(() => expect(signals.size).toBeGreaterThan(3), 15_000);

    await reflector.stop();

    expect([...signals].flatMap(s => getEventListeners(s, "abort"))).toEqual([]);
    expect(proxy.open).toBeLessThanOrEqual(3);
  });
});

/** Remembers the signals that requests and watches were given. */
class Spy extends ResourceClient<KubeObject> {
  constructor(client: KubeClient, signals: Set<AbortSignal>) {
    const stream = client.stream.bind(client);
    client.stream = <T>(path: string, options: RequestOptions) => {
      if (options.signal) signals.add(options.signal);
      return stream<T>(path, options);
    };
    super(client, CONFIG_MAPS);
  }
}
