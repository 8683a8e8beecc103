// Does a store find the truth again when the API server was killed, and when its history is gone?
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { kill, readEnv, start } from "../../hack/clusters/index.js";
import { readState } from "../../hack/clusters/state.js";
import { KubeClient, type RequestOptions } from "../../lib/kube/client.js";
import { isExpired } from "../../lib/kube/errors.js";
import type { Store } from "../../lib/kube/store.js";
import { administrator, clientFor, configMap, namespaceIn, proxyTo, reflectorOf } from "./support/engine.js";

const CLUSTER = "member1";
const OWN = { fieldSelector: "metadata.name!=kube-root-ca.crt" };

const names = (store: Store): string[] => [...store.values()].map(o => o.metadata.name).sort();
const until = (check: () => unknown, timeout: number): Promise<unknown> => vi.waitFor(check, { timeout, interval: 50 });

async function restart(whileDown: () => Promise<void> = async () => undefined): Promise<void> {
  const { dir } = readEnv(inject("clusters"));
  await kill(dir, `${CLUSTER}-apiserver`);
  try {
    await whileDown();
  } finally {
    await start(dir, `${CLUSTER}-apiserver`);
  }
}

/** Counts how often a watch was refused because its revision is no longer known. */
class Counting extends KubeClient {
  expired = 0;

  override async *stream<T>(path: string, options: RequestOptions): AsyncGenerator<T> {
    try {
      for await (const event of super.stream<T>(path, options)) {
        if ((event as { object?: { code?: number } }).object?.code === 410) this.expired++;
        yield event;
      }
    } catch (error) {
      if (isExpired(error)) this.expired++;
      throw error;
    }
  }
}

describe("an API server that is killed and comes back", () => {
  it("is followed again without a word from anyone", async () => {
    const { name, configMaps } = await namespaceIn(CLUSTER);
    const { store, reflector } = reflectorOf(await clientFor(CLUSTER), name, { query: OWN });
    await configMaps.create(configMap(name, "before"));
    await reflector.synced;
    await until(() => expect(names(store)).toEqual(["before"]), 5_000);

    await restart(async () => {
      await until(() => expect(reflector.lastError).toBeDefined(), 10_000);
      // What cannot be read is not gone.
      expect(names(store)).toEqual(["before"]);
    });
    await vi.waitFor(() => configMaps.create(configMap(name, "after")), { timeout: 20_000 });

    await until(() => expect(names(store)).toEqual(["after", "before"]), 10_000);
    await until(() => expect(reflector.lastError).toBeUndefined(), 10_000);
  });
});

describe("a revision that is too old", () => {
  it("makes the reflector list again and find what came, went and changed", async () => {
    const { name, configMaps } = await namespaceIn(CLUSTER);
    const proxy = await proxyTo(CLUSTER);
    const client = new Counting(await administrator(CLUSTER, proxy.url));
    onTestFinished(() => client.close());
    for (const old of ["stays", "goes", "changes", "is-made-again"]) await configMaps.create(configMap(name, old, "1"));
    const { store, reflector } = reflectorOf(client, name, { query: OWN });
    await reflector.synced;
    await until(() => expect(store.size).toBe(4), 5_000);
    const first = store.get(`${name}/is-made-again`)?.metadata.uid ?? "";
    proxy.refuse();

    await configMaps.create(configMap(name, "comes"));
    await configMaps.delete({ namespace: name, name: "goes" });
    await configMaps.mergePatch({ namespace: name, name: "changes" }, { data: { value: "2" } });
    await configMaps.delete({ namespace: name, name: "is-made-again" });
    await configMaps.create(configMap(name, "is-made-again", "3"));
    await forgetHistory(configMaps.client);
    proxy.pass();

    await until(() => expect(names(store)).toEqual(["changes", "comes", "is-made-again", "stays"]), 10_000);
    expect(client.expired).toBeGreaterThan(0);
    expect(store.get(`${name}/changes`)).toMatchObject({ data: { value: "2" } });
    expect(store.get(`${name}/is-made-again`)).toMatchObject({ data: { value: "3" } });
    expect(store.wasDeleted(first)).toBe(true);
  });
});

/** etcd forgets (compaction), and so does the API server's own cache of events (restart). */
async function forgetHistory(client: KubeClient): Promise<void> {
  const { metadata } = await client.request<{ metadata: { resourceVersion: string } }>("GET", "/api/v1/configmaps");
  await compact(metadata.resourceVersion);
  await restart();
  await vi.waitFor(() => client.request("GET", "/readyz"), { timeout: 20_000 });
}

async function compact(revision: string): Promise<void> {
  const argv = readState(readEnv(inject("clusters")).dir)?.processes["etcd"]?.argv ?? [];
  const etcd = argv.find(flag => flag.startsWith("--listen-client-urls="))?.split("=")[1];
  if (!etcd) throw new Error("state.json: no address of etcd");
  const body = JSON.stringify({ revision, physical: true });
  const answer = await fetch(`${etcd}/v3/kv/compaction`, { method: "POST", body });
  expect(answer.status, await answer.text()).toBe(200);
}
