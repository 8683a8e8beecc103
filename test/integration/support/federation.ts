// How does a test run the controllers of joined clusters in its own process, against the shared clusters?
import { readdirSync, readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join as joinPath } from "node:path";
import { onTestFinished, vi } from "vitest";
import { parse } from "yaml";
import { bindingControllers } from "../../../capabilities/binding/controller.js";
import { clusterControllers, type ClusterTimes } from "../../../capabilities/cluster/controller.js";
import { namespaceControllers } from "../../../capabilities/namespace/controller.js";
import { propagationControllers } from "../../../capabilities/propagation/controller.js";
import { workControllers } from "../../../capabilities/work/controller.js";
import { join } from "../../../cli/join.js";
import type { Output } from "../../../cli/output/output.js";
import type { Cluster } from "../../../crds/cluster.js";
import type { KubeObject } from "../../../crds/object.js";
import { executionNamespace } from "../../../lib/domain/names.js";
import { eventRecorder } from "../../../lib/engine/events.js";
import type { Dependencies } from "../../../lib/engine/dependencies.js";
import { silentLog } from "../../../lib/engine/log.js";
import { Metrics } from "../../../lib/engine/metrics.js";
import { runAll, type Runnable } from "../../../lib/engine/runnable.js";
import { KubeClient } from "../../../lib/kube/client.js";
import { Host } from "../../../lib/kube/host.js";
import { isNotFound } from "../../../lib/kube/errors.js";
import { CLUSTERS, CUSTOM_RESOURCE_DEFINITIONS, NAMESPACES } from "../../../lib/kube/kinds.js";
import { Members } from "../../../lib/kube/member.js";
import { ResourceClient } from "../../../lib/kube/resource.js";
import { administrator, clientFor, proxyTo } from "./engine.js";
import type { TcpProxy } from "./proxy.js";

/** Reaction times that suit a test; the rhythm of the looks is the real one unless a test says otherwise. */
export const QUICK: ClusterTimes = {
  credentials: { maxAgeMs: 1_000, minAgeMs: 300 },
  rhythm: { readyMs: 1_000, doubtMs: 300, downMs: 500, brokenMs: 500 },
  collectMs: 1_000,
};

/** Remembers what a command says. */
export function collected(): Output & { readonly lines: string[] } {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  return { lines, print: add, note: add, warn: add };
}

/** A name that no other test uses. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 6)}`;
}

/** More of the operator than clusters and namespaces. */
export type MoreControllers = (deps: Dependencies) => readonly Runnable[];

/** Everything that brings templates into members and lets go of them. */
export const WHOLE_OPERATOR: MoreControllers = deps => [
  propagationControllers(deps),
  bindingControllers(deps),
  workControllers(deps),
];

/** The host with our kinds; all of it ends with the test. */
export async function startFederation(
  times: ClusterTimes = QUICK,
  more: MoreControllers = () => [],
): Promise<Dependencies> {
  const client = new KubeClient(await administrator("host"));
  await installKinds(client);
  const host = new Host(client, silentLog);
  const metrics = new Metrics("test");
  const deps: Dependencies = {
    host,
    members: new Members({ client: () => ({}), log: silentLog }),
    events: eventRecorder(client, silentLog, "test"),
    metrics,
    log: silentLog,
    ownNamespace: "holdfast-system",
    writesStatusOf: () => true,
  };
  await host.start();
  const controllers = runAll([
    clusterControllers(deps, times),
    ...more(deps),
    namespaceControllers(deps, { patienceMs: 4_000, againMs: 300 }),
  ]);
  await controllers.start();
  running.set(deps, async () => {
    running.delete(deps);
    await controllers.stop();
    await deps.members.close();
    await host.stop();
  });
  onTestFinished(() => stopFederation(deps));
  return deps;
}

const running = new Map<Dependencies, () => Promise<void>>();

/** Ends the operator of a test before the test ends: another one may then take over. */
export async function stopFederation(deps: Dependencies): Promise<void> {
  await running.get(deps)?.();
}

/** Joins a shared member through a proxy; when the test ends the Cluster goes, by force if need be. */
export async function joinThroughProxy(deps: Dependencies, member: string): Promise<{ name: string; proxy: TcpProxy }> {
  const name = uniqueName(member);
  const proxy = await proxyTo(member);
  const client = await clientFor(member);
  const connection = await administrator(member, proxy.url);
  const request = { cluster: name, namespace: "karmada-cluster" };
  onTestFinished(() => removeCluster(name));
  await join(request, { host: deps.host.client, member: { client, connection }, output: collected() });
  return { name, proxy };
}

/** Waits until a Cluster is as wanted, and returns it. */
export function untilCluster(
  deps: Dependencies,
  name: string,
  wanted: (cluster: Cluster | undefined) => boolean,
  timeout = 20_000,
): Promise<Cluster | undefined> {
  return vi.waitFor(
    () => {
      const cluster = deps.host.clusters.get(name);
      if (!wanted(cluster))
        throw new Error(`cluster ${name}: ${JSON.stringify(cluster?.status?.conditions ?? cluster)}`);
      return cluster;
    },
    { timeout, interval: 20 },
  );
}

/** Whether a cluster is ready and everything about it is told. */
export function isTold(cluster: Cluster | undefined): boolean {
  return readyOf(cluster) === "True ClusterReady" && cluster?.status?.nodeSummary !== undefined;
}

/** The Ready condition in short: `True ClusterReady`. */
export function readyOf(cluster: Cluster | undefined): string {
  const ready = cluster?.status?.conditions?.find(({ type }) => type === "Ready");
  return ready ? `${ready.status} ${ready.reason}` : "none";
}

async function removeCluster(name: string): Promise<void> {
  const client = new KubeClient(await administrator("host"));
  const clusters = new ResourceClient<Cluster>(client, CLUSTERS);
  const left = await clusters.delete({ name });
  if (left) await clusters.mergePatch({ name }, { metadata: { finalizers: null } }).catch(unlessGone);
  await new ResourceClient(client, NAMESPACES).delete({ name: executionNamespace(name) });
  await client.close();
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

async function installKinds(client: KubeClient): Promise<void> {
  const crds = new ResourceClient(client, CUSTOM_RESOURCE_DEFINITIONS);
  const directory = joinPath(import.meta.dirname, "../../../crds");
  for (const file of readdirSync(directory).filter(name => name.endsWith(".yaml"))) {
    const crd = parse(readFileSync(joinPath(directory, file), "utf8")) as KubeObject;
    await crds.apply(crd, { manager: "test", force: true });
  }
  await vi.waitFor(() => client.request("GET", "/apis/work.karmada.io/v1alpha1/works"), { timeout: 20_000 });
  await vi.waitFor(() => client.request("GET", "/apis/cluster.karmada.io/v1alpha1/clusters"), { timeout: 20_000 });
  await vi.waitFor(() => client.request("GET", "/apis/policy.karmada.io/v1alpha1/propagationpolicies"), {
    timeout: 20_000,
  });
}
