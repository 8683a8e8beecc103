// Does the client keep to its connections, and does it say what the server said?
import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { getEventListeners } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { KubeClient } from "../../lib/kube/client.js";
import { connectionOf } from "../../lib/kube/connection.js";
import { Discovery } from "../../lib/kube/discovery.js";
import { isUnreachable, KubeError, NotLeaderError } from "../../lib/kube/errors.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { accessTo, clientFor, CONFIG_MAPS, configMap, namespaceIn, proxyTo } from "./support/engine.js";

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("connections", () => {
  it("carry a thousand requests over no more than were allowed", async () => {
    const proxy = await proxyTo("host");
    const client = await clientFor("host", { connections: 4 }, proxy);

    const answers = await Promise.all(Array.from({ length: 1_000 }, () => client.request("GET", "/readyz")));

    expect(new Set(answers)).toEqual(new Set(["ok"]));
    expect(proxy.accepted).toBeLessThanOrEqual(4);
  });

  it("are opened anew after all of them were cut", async () => {
    const proxy = await proxyTo("host");
    const client = await clientFor("host", { connections: 4 }, proxy);
    await client.request("GET", "/readyz");

    proxy.cut();

    await vi.waitFor(() => client.request("GET", "/readyz"), { timeout: 5_000 });
    expect(proxy.open).toBe(1);
  });

  it("are gone when the client is closed", async () => {
    const proxy = await proxyTo("host");
    const client = await clientFor("host", {}, proxy);
    await client.request("GET", "/readyz");
    const watch = client.stream("/api/v1/configmaps", { query: { watch: 1 } });
    const first = failureOf(watch.next());

    await client.close();

    await first;
    await vi.waitFor(() => expect(proxy.open).toBe(0), { timeout: 5_000 });
  });

  it("leave nothing on a signal that outlives them", async () => {
    const client = await clientFor("host");
    const { signal } = new AbortController();

    await Promise.all(Array.from({ length: 50 }, () => client.request("GET", "/readyz", { signal })));
    await failureOf(client.request("GET", "/api/v1/namespaces/none", { signal }));

    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a process that lost its Lease", () => {
  it("does not send a write that waited for a connection", async () => {
    const { name, configMaps } = await namespaceIn("host");
    let leads = true;
    const client = await clientFor("host", { connections: 1, mayWrite: () => leads });
    const write = (n: number) => new ResourceClient(client, CONFIG_MAPS).create(configMap(name, `c${n}`));

    const writes = Array.from({ length: 20 }, (_, n) => failureOf(write(n)));
    leads = false;
    const failures = await Promise.all(writes);

    const { items } = await configMaps.list({ fieldSelector: "metadata.name!=kube-root-ca.crt" }, name);
    expect(failures.filter(f => f instanceof NotLeaderError).length).toBe(20 - items.length);
    expect(items.length).toBeLessThan(20);
    expect(await client.request("GET", "/readyz")).toBe("ok");
  });
});

describe("a token that was rotated on disk", () => {
  it("is read again after a 401", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const dir = mkdtempSync(join(tmpdir(), "token-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const tokenFile = join(dir, "token");
    writeFileSync(tokenFile, "not-a-token\n");
    const config = new KubeConfig();
    config.loadFromFile(accessTo("host").kubeconfig);
    const users = [{ name: "robot", authProvider: { name: "tokenFile", config: { tokenFile } } }];
    const contexts = [{ name: "robot", cluster: config.clusters[0]?.name ?? "", user: "robot" }];
    const robot = new KubeConfig();
    robot.loadFromOptions({ clusters: config.clusters, users, contexts, currentContext: "robot" });
    const client = new KubeClient(await connectionOf(robot));
    onTestFinished(() => client.close());

    const refused = await failureOf(client.request("GET", "/api"));
    writeFileSync(tokenFile, `${await tokenIn(configMaps.client, name)}\n`);
    const answer = await client.request<{ kind: string }>("GET", "/api");

    expect(refused).toMatchObject({ status: 401 });
    expect(answer.kind).toBe("APIVersions");
  });

  async function tokenIn(client: KubeClient, namespace: string): Promise<string> {
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await client.request("POST", accounts, { body: { metadata: { name: "robot" } } });
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    const made = await client.request<{ status: { token: string } }>("POST", `${accounts}/robot/token`, { body });
    return made.status.token;
  }
});

describe("a list", () => {
  it("of 1,200 objects comes complete, in pages", async () => {
    const { name, configMaps } = await namespaceIn("host");
    const names = Array.from({ length: 1_200 }, (_, n) => `c${String(n).padStart(4, "0")}`);
    await Promise.all(names.map(n => configMaps.create(configMap(name, n))));
    const pages: number[] = [];
    const client = await clientFor("host", { onRequest: (_method, status) => pages.push(status) });

    const { items, resourceVersion } = await new ResourceClient(client, CONFIG_MAPS).list({}, name);

    const ours = items.map(i => i.metadata.name).filter(n => n.startsWith("c"));
    expect(ours.sort()).toEqual(names);
    expect(items[0]).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
    expect(Number(resourceVersion)).toBeGreaterThan(0);
    expect(pages).toEqual([200, 200, 200]);
  });
});

describe("a refusal", () => {
  it("carries the server's words, and its status when there is none", async () => {
    const client = await clientFor("host");

    const missing = await failureOf(client.request("GET", "/api/v1/namespaces/nowhere"));

    expect(missing).toBeInstanceOf(KubeError);
    expect(missing).toMatchObject({ status: 404, reason: "NotFound", message: 'namespaces "nowhere" not found' });
  });

  it("says that nobody answered when the port is closed", async () => {
    const proxy = await proxyTo("host");
    const client = await clientFor("host", {}, proxy);
    proxy.refuse();

    const failure = await failureOf(client.request("GET", "/readyz"));

    expect(isUnreachable(failure)).toBe(true);
    expect(failure).toMatchObject({ message: expect.stringContaining("GET /readyz") });
  });
});

describe("discovery", () => {
  it("finds kinds with their scope, verbs and subresources", async () => {
    const discovery = new Discovery(await clientFor("host"));

    const changed = await discovery.refresh();

    expect(changed).toBe(true);
    expect(discovery.served.complete).toBe(true);
    expect(discovery.find("apps/v1", "Deployment")).toMatchObject({
      plural: "deployments",
      namespaced: true,
      verbs: expect.arrayContaining(["list", "watch", "patch"]),
      subresources: expect.arrayContaining(["status", "scale"]),
    });
    expect(discovery.find("v1", "Namespace")).toMatchObject({ group: "", namespaced: false });
    expect(discovery.find("v1", "Nonsense")).toBeUndefined();
    expect(await discovery.refresh()).toBe(false);
  });
});
