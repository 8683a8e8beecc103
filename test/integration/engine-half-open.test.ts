// Is a watch that has died in silence found out?
import { describe, expect, it, vi } from "vitest";
import { KubeClient, type RequestOptions } from "../../lib/kube/client.js";
import type { StoreChange } from "../../lib/kube/store.js";
import { administrator, clientFor, configMap, namespaceIn, proxyTo, reflectorOf } from "./support/engine.js";

const OWN = { fieldSelector: "metadata.name!=kube-root-ca.crt" };

const until = (check: () => unknown, timeout: number): Promise<unknown> => vi.waitFor(check, { timeout, interval: 20 });

describe("a reflector", () => {
  it("notices a half-open connection", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const proxy = await proxyTo("host");
    const quick = { query: OWN, watchMs: 2_000, graceMs: 500 };
    const { store, reflector } = reflectorOf(await clientFor("host", {}, proxy), name, quick);
    await reflector.synced;
    await configMaps.create(configMap(name, "before"));
    await until(() => expect(store.size).toBe(1), 5_000);
    proxy.freeze({ newOnes: false });

    await configMaps.create(configMap(name, "during"));

    await until(() => expect(store.size).toBe(2), 10_000);
  });

  it("notices a half-open connection within thirty seconds as it is shipped", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const proxy = await proxyTo("host");
    const { store, reflector } = reflectorOf(await clientFor("host", {}, proxy), name, { query: OWN });
    await reflector.synced;
    await until(() => expect(proxy.open).toBe(2), 5_000);
    proxy.freeze({ newOnes: false });

    await configMaps.create(configMap(name, "during"));

    await until(() => expect(store.size).toBe(1), 30_000);
  });

  it("comes back from a server that froze whole and thawed", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const proxy = await proxyTo("host");
    const quick = { query: OWN, watchMs: 1_000, graceMs: 200 };
    const { store, reflector } = reflectorOf(await clientFor("host", { timeoutMs: 1_000 }, proxy), name, quick);
    await reflector.synced;
    proxy.freeze({ newOnes: true });
    await configMaps.create(configMap(name, "during"));
    await until(() => expect(reflector.lastError).toBeDefined(), 10_000);

    proxy.pass();

    await until(() => expect(store.size).toBe(1), 10_000);
  });

  it("finds a deletion that no event told of when it lists again", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const client = new DeafToDeletions(await administrator("host"));
    const quick = { query: OWN, watchMs: 1_000, graceMs: 500, relistMs: 3_000 };
    const { store, reflector } = reflectorOf(client, name, quick);
    await configMaps.create(configMap(name, "gone"));
    await reflector.synced;
    await until(() => expect(store.size).toBe(1), 5_000);
    const changes: StoreChange[] = [];
    store.subscribe(change => changes.push(change));

    await configMaps.delete({ namespace: name, name: "gone" });

    await until(() => expect(client.swallowed).toBe(1), 2_000);
    await until(() => expect(store.size).toBe(0), 15_000);
    expect(changes).toMatchObject([{ key: `${name}/gone`, after: undefined }]);
    await client.close();
  });
});

/** A client whose watches lose every DELETED event. */
class DeafToDeletions extends KubeClient {
  swallowed = 0;

  override async *stream<T>(path: string, options: RequestOptions): AsyncGenerator<T> {
    for await (const event of super.stream<T>(path, options)) {
      if ((event as { type: string }).type === "DELETED") this.swallowed++;
      else yield event;
    }
  }
}
