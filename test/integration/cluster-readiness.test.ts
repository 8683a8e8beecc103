// Is it known of every joined cluster whether it can be used, and why not?
import { describe, expect, it, vi } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { NOT_READY_TAINT } from "../../lib/domain/cluster-taints.js";
import { identityOf } from "../../cli/identity.js";
import { executionNamespace } from "../../lib/domain/names.js";
import { RHYTHM } from "../../capabilities/cluster/health.js";
import { NAMESPACES, SECRETS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { SERVICE_ACCOUNTS } from "../../cli/member-objects.js";
import { accountName } from "../../cli/names.js";
import { clientFor } from "./support/engine.js";
import {
  isTold,
  joinThroughProxy,
  QUICK,
  readyOf,
  startFederation,
  uniqueName,
  untilCluster,
} from "./support/federation.js";

describe("a cluster that was joined", () => {
  it("becomes ready and tells what it is", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");

    const cluster = await untilCluster(deps, name, isTold);

    expect(cluster?.spec.id).toBe(await identityOf(await clientFor("member1"), "member1"));
    expect(cluster?.metadata.finalizers).toContain("karmada.io/cluster-controller");
    const { status } = cluster ?? {};
    expect(status?.kubernetesVersion).toMatch(/^v1\./);
    expect(status?.apiEnablements).toContainEqual({
      groupVersion: "apps/v1",
      resources: expect.arrayContaining([{ name: "deployments", kind: "Deployment" }]) as unknown,
    });
    expect(status?.conditions?.map(c => `${c.type}=${c.status}`)).toEqual([
      "Ready=True",
      "CompleteAPIEnablements=True",
    ]);
    expect(status?.resourceSummary).toHaveProperty("allocatable");
    expect(deps.members.get(name)?.ready).toBe(true);
  });

  it("has its namespace on the host, and counts in the metrics", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    await untilCluster(deps, name, isTold);

    const namespace = await new ResourceClient(deps.host.client, NAMESPACES).find({ name: executionNamespace(name) });
    expect(namespace?.metadata.labels?.["karmada.io/system"]).toBe("true");
    expect(await deps.metrics.registry.metrics()).toContain(`cluster_ready_state{member_cluster="${name}"} 1`);
  });

  it("is left alone on the host while nothing changes", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const before = await untilCluster(deps, name, isTold);

    await new Promise(resolve => setTimeout(resolve, 3_500));

    expect(deps.host.clusters.get(name)?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  });

  it("is lost within two looks when it stops answering, and back in under a second", async () => {
    const deps = await startFederation({ ...QUICK, rhythm: { ...RHYTHM, readyMs: 1_000 } });
    const { name, proxy } = await joinThroughProxy(deps, "member1");
    await untilCluster(deps, name, isTold);

    proxy.refuse();
    const lost = await untilCluster(deps, name, c => readyOf(c) === "False ClusterNotReachable", 4_000);
    expect(deps.members.get(name)?.ready).toBe(false);
    expect(lost?.spec.taints).toContainEqual({ key: NOT_READY_TAINT, effect: "NoSchedule" });

    proxy.pass();
    const started = performance.now();
    await vi.waitFor(() => expect(deps.members.get(name)?.ready).toBe(true), { timeout: 5_000, interval: 10 });
    expect(performance.now() - started).toBeLessThan(1_500);
    const back = await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady" && !c?.spec.taints?.length);
    expect(back?.status?.kubernetesVersion).toMatch(/^v1\./);
    await vi.waitFor(async () => expect(await eventsAbout(name)).toEqual(["ClusterNotReady", "ClusterReady"]), {
      timeout: 5_000,
    });

    async function eventsAbout(cluster: string): Promise<string[]> {
      const path = "/apis/events.k8s.io/v1/namespaces/default/events";
      const list = await deps.host.client.request<{ items: { reason: string; regarding: { name: string } }[] }>(
        "GET",
        path,
      );
      return list.items
        .filter(event => event.regarding.name === cluster)
        .map(event => event.reason)
        .sort();
    }
  });

  it("is looked at at once when somebody got no answer", async () => {
    const deps = await startFederation({ ...QUICK, rhythm: { ...RHYTHM, readyMs: 60_000 } });
    const { name, proxy } = await joinThroughProxy(deps, "member1");
    await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");

    proxy.refuse();
    deps.members.suspect(name);

    await untilCluster(deps, name, c => readyOf(c) === "False ClusterNotReachable", 3_000);
  });

  it("does not hold up another one when it accepts connections and never answers", async () => {
    const deps = await startFederation();
    const frozen = await joinThroughProxy(deps, "member1");
    const sound = await joinThroughProxy(deps, "member2");
    await untilCluster(deps, frozen.name, c => readyOf(c) === "True ClusterReady");
    await untilCluster(deps, sound.name, c => readyOf(c) === "True ClusterReady");

    frozen.proxy.freeze({ newOnes: true });
    sound.proxy.refuse();
    await untilCluster(deps, sound.name, c => readyOf(c) === "False ClusterNotReachable", 3_000);
    sound.proxy.pass();
    await untilCluster(deps, sound.name, c => readyOf(c) === "True ClusterReady", 3_000);
    await untilCluster(deps, frozen.name, c => readyOf(c) === "False ClusterNotReachable", 15_000);
  });
});

describe("a cluster whose credentials fail", () => {
  it("says which Secret is not there, and is ready again when it is", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");
    const secrets = new ResourceClient(deps.host.client, SECRETS);
    const secret = await secrets.find({ namespace: "karmada-cluster", name });

    await secrets.delete({ namespace: "karmada-cluster", name });
    const lost = await untilCluster(deps, name, c => readyOf(c) === "False CredentialsNotFound", 10_000);
    expect(lost?.status?.conditions?.[0]?.message).toContain(
      `Secret karmada-cluster/${name} (spec.secretRef) is not there`,
    );

    await secrets.create(copyOf(secret));
    await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady", 10_000);
  });

  it("says that the token is refused when its account is gone", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");

    const accounts = new ResourceClient(await clientFor("member1"), SERVICE_ACCOUNTS);
    await accounts.delete({ namespace: "karmada-cluster", name: accountName(name) });

    const lost = await untilCluster(deps, name, c => readyOf(c) === "False CredentialsRefused", 20_000);
    expect(lost?.status?.conditions?.[0]?.message).toContain(`Secret karmada-cluster/${name}`);
  });
});

describe("a cluster that is not what it was joined as", () => {
  it("gets nothing when it was rebuilt, until somebody accepts it", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const good = await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");

    await deps.host.clusters.mergePatch({ name }, { spec: { id: "that-of-the-old-one" } });
    const refused = await untilCluster(deps, name, c => readyOf(c) === "False ClusterIdentityChanged");
    expect(refused?.status?.conditions?.[0]?.message).toContain("kubectl patch cluster");
    expect(deps.members.get(name)?.ready).toBe(false);

    await deps.host.clusters.mergePatch({ name }, { spec: { id: good?.spec.id } });
    await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");
  });

  it("is unknown in Pull mode, and says so", async () => {
    const deps = await startFederation();
    const name = uniqueName("pull");
    await deps.host.client.request("POST", "/apis/cluster.karmada.io/v1alpha1/clusters", {
      body: {
        apiVersion: "cluster.karmada.io/v1alpha1",
        kind: "Cluster",
        metadata: { name },
        spec: { syncMode: "Pull" },
      },
    });

    const cluster = await untilCluster(deps, name, c => readyOf(c) === "Unknown PullModeNotSupported");
    expect(deps.members.get(name)).toBeUndefined();
    if (cluster) await deps.host.clusters.delete(cluster);
    await untilCluster(deps, name, c => c === undefined);
  });
});

function copyOf(secret: KubeObject | undefined): KubeObject {
  if (!secret) throw new Error("there was no Secret");
  const { name, namespace } = secret.metadata;
  return { ...secret, metadata: { name, namespace } };
}
