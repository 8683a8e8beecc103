// Does a cluster leave in order, and does it always leave?
import { describe, expect, it, vi } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { executionNamespace } from "../../lib/domain/names.js";
import { NAMESPACES, SECRETS, WORKS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { joinThroughProxy, readyOf, startFederation, untilCluster } from "./support/federation.js";

async function joined(deps: Dependencies, member = "member1") {
  const { name, proxy } = await joinThroughProxy(deps, member);
  const cluster = await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");
  if (!cluster) throw new Error("no cluster");
  return { name, proxy, cluster };
}

function workIn(cluster: string): KubeObject {
  const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "default" } };
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name: "settings", namespace: executionNamespace(cluster), finalizers: ["holdfast.dev/test"] },
    spec: { workload: { manifests: [manifest] } },
  };
}

async function namespaceOf(deps: Dependencies, cluster: string): Promise<KubeObject | undefined> {
  return new ResourceClient(deps.host.client, NAMESPACES).find({ name: executionNamespace(cluster) });
}

describe("a cluster that leaves", () => {
  it("is gone with its namespace when nothing was sent to it", async () => {
    const deps = await startFederation();
    const { name, cluster } = await joined(deps);

    await deps.host.clusters.delete(cluster);

    await untilCluster(deps, name, c => c === undefined, 10_000);
    expect(await namespaceOf(deps, name)).toBeUndefined();
    await vi.waitFor(() => expect(deps.members.get(name)).toBeUndefined());
    expect(await deps.metrics.registry.metrics()).not.toContain(`member_cluster="${name}"`);
  });

  it("waits for its Works, with their namespace as it was, and goes when the last one has gone", async () => {
    const deps = await startFederation();
    const { name, cluster } = await joined(deps);
    const works = new ResourceClient(deps.host.client, WORKS);
    const work = await works.create(workIn(name));
    await vi.waitFor(() => expect(deps.host.works.find(work.metadata)).toBeDefined(), { timeout: 5_000 });

    await deps.host.clusters.delete(cluster);
    await new Promise(resolve => setTimeout(resolve, 1_500));
    expect((await namespaceOf(deps, name))?.metadata.deletionTimestamp).toBeUndefined();
    expect(deps.host.clusters.get(name)).toBeDefined();

    await works.delete(work.metadata);
    await works.removeFinalizer((await works.find(work.metadata)) ?? work, "holdfast.dev/test");
    await untilCluster(deps, name, c => c === undefined, 10_000);
    expect(await namespaceOf(deps, name)).toBeUndefined();
  });

  it("waits for bindings that still name it", async () => {
    const deps = await startFederation();
    const { name, cluster } = await joined(deps);
    const resource = { apiVersion: "v1", kind: "ConfigMap", name: "settings", namespace: "default" };
    const binding = await deps.host.bindings.create({
      apiVersion: "work.karmada.io/v1alpha2",
      kind: "ResourceBinding",
      metadata: { name: `settings-${name}`, namespace: "default" },
      spec: { resource, clusters: [{ name }] },
    });

    await deps.host.clusters.delete(cluster);
    await new Promise(resolve => setTimeout(resolve, 1_000));
    expect(deps.host.clusters.get(name)).toBeDefined();

    await deps.host.bindings.mergePatch(binding.metadata, { spec: { clusters: [] } });
    await untilCluster(deps, name, c => c === undefined, 10_000);
    await deps.host.bindings.delete(binding);
  });

  it("leaves when it is dead", async () => {
    const deps = await startFederation();
    const { name, proxy, cluster } = await joined(deps);
    proxy.refuse();
    await untilCluster(deps, name, c => readyOf(c) === "False ClusterNotReachable", 5_000);

    await deps.host.clusters.delete(cluster);

    await untilCluster(deps, name, c => c === undefined, 15_000);
    expect(await namespaceOf(deps, name)).toBeUndefined();
  });

  it("leaves when it is dead and its Secret is gone, also after a restart of the operator", async () => {
    const first = await startFederation();
    const { name, proxy, cluster } = await joined(first);
    proxy.refuse();
    await new ResourceClient(first.host.client, SECRETS).delete({ namespace: "karmada-cluster", name });
    const second = await startFederation();
    await untilCluster(second, name, c => readyOf(c).startsWith("False"), 5_000);

    await second.host.clusters.delete(cluster);

    await untilCluster(second, name, c => c === undefined, 15_000);
  });
});

describe("a cluster that stays", () => {
  it("gets its namespace again when somebody deletes it", async () => {
    const deps = await startFederation();
    const { name } = await joined(deps);
    const before = await namespaceOf(deps, name);
    if (!before) throw new Error("no namespace");

    await deps.host.namespaces.delete(before);

    await vi.waitFor(
      async () => {
        const after = await namespaceOf(deps, name);
        expect(after?.metadata.uid).not.toBe(before.metadata.uid);
        expect(after?.metadata.labels?.["karmada.io/system"]).toBe("true");
      },
      { timeout: 10_000, interval: 100 },
    );
  });
});
