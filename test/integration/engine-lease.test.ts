// Is there ever more than one process that may write, and never none for long?
import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Logger } from "../../lib/engine/log.js";
import { silentLog } from "../../lib/engine/log.js";
import { LeaderLease, type LeaseOptions } from "../../lib/engine/lease.js";
import type { KubeClient, RequestOptions } from "../../lib/kube/client.js";
import { clientFor, namespaceIn, proxyTo } from "./support/engine.js";

const QUICK = { durationMs: 2_000, renewMs: 250 };

function candidate(
  client: KubeClient,
  namespace: string,
  options: Partial<LeaseOptions> = {},
  log: Logger = silentLog,
) {
  const identity = randomUUID();
  const lease = new LeaderLease(client, { namespace, name: "holdfast", identity, ...QUICK, ...options }, log);
  const lost = vi.fn();
  onTestFinished(() => lease.release());
  return { lease, lost, identity };
}

/** Samples every few milliseconds until stopped. */
function sampling(sample: () => void): () => void {
  const timer = setInterval(sample, 5);
  return () => clearInterval(timer);
}

/** Keeps requests of one verb back until the gate opens. */
function hold(client: KubeClient, verb: string) {
  const send = client.send.bind(client);
  let open = (): void => {};
  const opened = new Promise<void>(resolve => (open = resolve));
  const gate = { waiting: 0, open: () => open() };
  client.send = async <T>(method: string, path: string, options?: RequestOptions) => {
    if (method === verb) {
      gate.waiting++;
      await opened;
    }
    return send<T>(method, path, options);
  };
  return gate;
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

describe("two candidates", () => {
  it("never lead at the same time, and the second leads at once when the first releases", async () => {
    const { name } = await namespaceIn("host");
    const client = await clientFor("host");
    const [a, b] = [candidate(client, name), candidate(client, name)];
    let most = 0;
    const stop = sampling(() => (most = Math.max(most, [a, b].filter(c => c.lease.mayWrite()).length)));

    const leads = [a, b].map(c => c.lease.lead(c.lost).then(led => ({ c, led })));
    const winner = (await Promise.race(leads)).c;
    const other = winner === a ? b : a;
    // Longer than a Lease lasts: renewals keep it.
    await pause(QUICK.durationMs * 1.5);
    expect(winner.lease.mayWrite()).toBe(true);
    expect(other.lease.mayWrite()).toBe(false);
    const released = performance.now();
    await winner.lease.release();
    await Promise.all(leads);
    const took = performance.now() - released;
    stop();

    expect(other.lease.mayWrite()).toBe(true);
    expect(winner.lease.mayWrite()).toBe(false);
    expect(took).toBeLessThan(QUICK.durationMs / 2);
    expect(most).toBe(1);
    expect(winner.lost).not.toHaveBeenCalled();
  });

  it("change places when the leader's network freezes: it stops writing before the other one leads", async () => {
    const { name } = await namespaceIn("host");
    const proxy = await proxyTo("host");
    const a = candidate(await clientFor("host", {}, proxy), name);
    const b = candidate(await clientFor("host"), name);
    await a.lease.lead(a.lost);
    const second = b.lease.lead(b.lost);
    let [stoppedAt, together] = [0, false];
    const stop = sampling(() => {
      const now = performance.now();
      if (!a.lease.mayWrite()) stoppedAt ||= now;
      together ||= a.lease.mayWrite() && b.lease.mayWrite();
    });
    await pause(600);
    expect(stoppedAt).toBe(0);

    proxy.freeze({ newOnes: true });
    await second;
    const ledAt = performance.now();
    // While it is cut off it cannot know who leads; once it can ask, it ends.
    expect(a.lost).not.toHaveBeenCalled();
    proxy.pass();
    proxy.cut();
    await vi.waitFor(() => expect(a.lost).toHaveBeenCalledOnce(), { timeout: 10_000 });
    stop();

    expect(together).toBe(false);
    expect(ledAt - stoppedAt).toBeGreaterThan(QUICK.durationMs / 4);
    expect(b.lease.mayWrite()).toBe(true);
  });
});

describe("a leader", () => {
  it("stays it when one connection goes dead and the next one works", async () => {
    const { name } = await namespaceIn("host");
    const proxy = await proxyTo("host");
    const a = candidate(await clientFor("host", {}, proxy), name, { durationMs: 4_000, renewMs: 500 });
    const b = candidate(await clientFor("host"), name, { durationMs: 4_000, renewMs: 500 });
    await a.lease.lead(a.lost);
    void b.lease.lead(b.lost);

    proxy.freeze({ newOnes: false });
    const before = proxy.accepted;
    await vi.waitFor(() => expect(proxy.accepted).toBeGreaterThan(before), { timeout: 10_000 });
    await vi.waitFor(() => expect(a.lease.mayWrite()).toBe(true), { timeout: 10_000 });
    // Longer than the Lease would have lasted.
    await pause(4_500);

    expect(a.lease.mayWrite()).toBe(true);
    expect(b.lease.mayWrite()).toBe(false);
    expect(a.lost).not.toHaveBeenCalled();
  });

  it("that releases while a renewal is on its way gives the Lease back all the same", async () => {
    const { name } = await namespaceIn("host");
    const client = await clientFor("host");
    const { lease, lost } = candidate(client, name, { renewMs: 50 });
    await lease.lead(lost);
    const gate = hold(client, "PATCH");
    await vi.waitFor(() => expect(gate.waiting).toBe(1), { timeout: 5_000 });

    const released = lease.release();
    // Whatever a release does without waiting for the renewal, it has done by then.
    await pause(200);
    gate.open();
    await released;

    const path = `/apis/coordination.k8s.io/v1/namespaces/${name}/leases/holdfast`;
    const { spec } = await client.request<{ spec: { holderIdentity?: string } }>("GET", path);
    expect(spec.holderIdentity).toBeUndefined();
  });

  it("counts how often the Lease changed hands", async () => {
    const { name } = await namespaceIn("host");
    const client = await clientFor("host");
    for (let i = 0; i < 3; i++) {
      const { lease, lost } = candidate(client, name);
      await lease.lead(lost);
      await lease.release();
    }

    const path = `/apis/coordination.k8s.io/v1/namespaces/${name}/leases/holdfast`;
    const { spec } = await client.request<{ spec: { leaseTransitions: number } }>("GET", path);

    expect(spec.leaseTransitions).toBe(2);
  });
});

describe("a candidate", () => {
  it("that is released while it waits does not lead", async () => {
    const { name } = await namespaceIn("host");
    const client = await clientFor("host");
    const [a, b] = [candidate(client, name), candidate(client, name)];
    await a.lease.lead(a.lost);
    const waiting = b.lease.lead(b.lost);

    await b.lease.release();

    expect(await waiting).toBe(false);
    expect(b.lease.mayWrite()).toBe(false);
    expect(a.lease.mayWrite()).toBe(true);
  });

  it("says once why it cannot lead, and leads when it can", async () => {
    const { name } = await namespaceIn("host");
    const client = await clientFor("host");
    const warn = vi.fn();
    const { lease, lost } = candidate(client, `${name}-later`, {}, { ...silentLog, warn });
    const leads = lease.lead(lost);
    await pause(1_000);
    expect(warn).toHaveBeenCalledOnce();

    await client.request("POST", "/api/v1/namespaces", { body: { metadata: { name: `${name}-later` } } });

    expect(await leads).toBe(true);
    await client.request("DELETE", `/api/v1/namespaces/${name}-later`);
  });
});
