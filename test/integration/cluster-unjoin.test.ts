// Does unjoin take away what a join made, finish for a dead cluster, and leave workloads alone?
import { describe, expect, it, onTestFinished } from "vitest";
import { unjoin } from "../../cli/unjoin.js";
import { accountName, roleName } from "../../cli/names.js";
import { CLUSTER_ROLES, CONTROL_PLANES_ANNOTATION, SERVICE_ACCOUNTS } from "../../cli/member-objects.js";
import type { Cluster } from "../../crds/cluster.js";
import { executionNamespace } from "../../lib/domain/names.js";
import { CLUSTERS, CONFIG_MAPS, NAMESPACES, SECRETS, WORKS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { bothSides, problemOf } from "./support/both-sides.js";
import { clientFor } from "./support/engine.js";
import { joinThroughProxy, readyOf, startFederation, uniqueName, untilCluster } from "./support/federation.js";

const NAMESPACE = "karmada-cluster";

describe("unjoin", () => {
  it("takes away what join made and leaves workloads alone", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");
    const { host, client, output } = await bothSides();
    const configMaps = new ResourceClient(client, CONFIG_MAPS);
    const metadata = { name: uniqueName("theirs"), namespace: NAMESPACE };
    const theirs = await configMaps.create({ apiVersion: "v1", kind: "ConfigMap", metadata });
    onTestFinished(async () => void (await (await configMapsOf()).delete(metadata)));

    await unjoin({ cluster: name, namespace: NAMESPACE, waitMs: 30_000 }, { host, member: client, output });

    expect(await new ResourceClient(host, CLUSTERS).find({ name })).toBeUndefined();
    expect(await new ResourceClient(host, SECRETS).find({ namespace: NAMESPACE, name })).toBeUndefined();
    expect(await new ResourceClient(client, CLUSTER_ROLES).find({ name: roleName(name) })).toBeUndefined();
    expect((await configMaps.find(metadata))?.metadata.uid).toBe(theirs.metadata.uid);
    expect(await new ResourceClient(client, NAMESPACES).find({ name: NAMESPACE })).toBeDefined();

    async function configMapsOf(): Promise<ResourceClient> {
      return new ResourceClient(await clientFor("member1"), CONFIG_MAPS);
    }
  });

  it("keeps the accounts that another control plane uses", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const { host, client, output } = await bothSides();
    const accounts = new ResourceClient(client, SERVICE_ACCOUNTS);
    const account = { namespace: NAMESPACE, name: accountName(name) };
    const before = await accounts.find(account);
    const planes = `${before?.metadata.annotations?.[CONTROL_PLANES_ANNOTATION]},another-host`;
    await accounts.mergePatch(account, { metadata: { annotations: { [CONTROL_PLANES_ANNOTATION]: planes } } });

    await unjoin({ cluster: name, namespace: NAMESPACE, waitMs: 30_000 }, { host, member: client, output });

    const after = await accounts.find(account);
    expect(after?.metadata.annotations?.[CONTROL_PLANES_ANNOTATION]).toBe("another-host");
    await accounts.delete(account);
  });

  it("finishes for a cluster that does not answer, and says what stays", async () => {
    const deps = await startFederation();
    const { name, proxy } = await joinThroughProxy(deps, "member1");
    await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");
    proxy.refuse();
    const { host, output } = await bothSides();
    const member = await clientFor("member1", { timeoutMs: 2_000 }, proxy);
    const started = performance.now();

    // The Cluster is gone, but what was asked for in the member is not done: that is no success.
    const problem = await problemOf(
      unjoin({ cluster: name, namespace: NAMESPACE, waitMs: 30_000 }, { host, member, output }),
    );

    expect(performance.now() - started).toBeLessThan(20_000);
    expect(problem.exitCode).toBe(4);
    expect(problem.message).toContain("does not answer");
    expect(await new ResourceClient(host, CLUSTERS).find({ name })).toBeUndefined();
  });

  it("says what it waits for when its time is up, and takes finalizers away only when it is told to", async () => {
    const { host, output } = await bothSides();
    const name = uniqueName("stuck");
    await stuckCluster(name);

    const problem = await problemOf(unjoin({ cluster: name, namespace: NAMESPACE, waitMs: 600 }, { host, output }));
    expect(problem.message).toContain("1 Work(s) are left (settings)");
    expect(problem.exitCode).toBe(3);

    // By force nobody looks into the member: what is left there is not known.
    const forced = await problemOf(
      unjoin({ cluster: name, namespace: NAMESPACE, waitMs: 2_000, force: true }, { host, output }),
    );
    expect([forced.exitCode, forced.message]).toEqual([4, expect.stringContaining("1 object(s)")]);
    expect(await new ResourceClient(host, CLUSTERS).find({ name })).toBeUndefined();

    /** As an operator that died would leave it. */
    async function stuckCluster(cluster: string): Promise<void> {
      const namespace = executionNamespace(cluster);
      const namespaces = new ResourceClient(host, NAMESPACES);
      await namespaces.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      await new ResourceClient<Cluster>(host, CLUSTERS).create({
        apiVersion: "cluster.karmada.io/v1alpha1",
        kind: "Cluster",
        metadata: { name: cluster, finalizers: ["karmada.io/cluster-controller"] },
        spec: { syncMode: "Push" },
      });
      await new ResourceClient(host, WORKS).create({
        apiVersion: "work.karmada.io/v1alpha1",
        kind: "Work",
        metadata: { name: "settings", namespace, finalizers: ["karmada.io/execution-controller"] },
        spec: {
          workload: {
            manifests: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "default" } }],
          },
        },
      });
    }
  });

  it("does not take a name that is not known for a success, nor one cluster for another", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const { host, client, output } = await bothSides();
    const { client: stranger } = await bothSides("member2");
    const request = { cluster: uniqueName("never"), namespace: NAMESPACE, waitMs: 600 };

    for (const dryRun of [true, false]) {
      const asked = { ...request, dryRun };
      const unknown = await problemOf(unjoin(asked, { host, output }));
      expect([unknown.exitCode, unknown.message]).toEqual([1, expect.stringContaining("there is no cluster never")]);
      const other = await problemOf(unjoin(asked, { host, member: client, output }));
      expect([other.exitCode, other.message]).toEqual([2, expect.stringContaining(`joined as ${name}`)]);
      const wrong = await problemOf(unjoin({ ...asked, cluster: name }, { host, member: stranger, output }));
      expect([wrong.exitCode, wrong.message]).toEqual([2, expect.stringContaining("the kubeconfig leads to cluster")]);
    }
    const empty = await problemOf(unjoin(request, { host, member: stranger, output }));
    expect([empty.exitCode, empty.message]).toEqual([1, expect.stringContaining("no join of that name")]);
    expect(deps.host.clusters.get(name)?.metadata.deletionTimestamp).toBeUndefined();
  });
});
