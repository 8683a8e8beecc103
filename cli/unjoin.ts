// Removes a cluster: lets go of what runs there, then takes away what join made.
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../crds/cluster.js";
import { executionNamespace } from "../lib/domain/names.js";
import type { KubeClient } from "../lib/kube/client.js";
import { messageOf } from "../lib/kube/errors.js";
import { CLUSTERS, NAMESPACES, SECRETS, WORKS } from "../lib/kube/kinds.js";
import { ResourceClient, type ApiResource } from "../lib/kube/resource.js";
import { identityOf, joinedClusters } from "./identity.js";
import { leaveMember } from "./join-member.js";
import { memberObjects, type Membership } from "./member-objects.js";
import type { Output } from "./output.js";
import { EXIT, Problem } from "./problem.js";

/** What `unjoin` is asked to do. */
export interface UnjoinRequest extends Membership {
  /** After the wait, take finalizers away. */
  readonly force?: boolean;
  readonly waitMs: number;
  readonly dryRun?: boolean;
}

/** The host, the member when a kubeconfig for it was given, and where to write. */
export interface UnjoinClients {
  readonly host: KubeClient;
  readonly member?: KubeClient;
  readonly output: Output;
}

const POLL_MS = 300;

/** Safe to repeat. Never waits for a member that does not answer. @throws Problem, KubeError */
export async function unjoin(request: UnjoinRequest, clients: UnjoinClients): Promise<void> {
  const { host, member, output } = clients;
  const name = request.cluster;
  const cluster = (await joinedClusters(host)).find(({ metadata }) => metadata.name === name);
  refuse(request, cluster, member !== undefined);
  if (request.dryRun) return printPlan(request, cluster, clients);

  // Asked first: once the Cluster is gone, nothing tells any more which cluster it was.
  const reachable = member && (await isSame(member, cluster, output));
  if (cluster) {
    await removeCluster(request, cluster, clients);
    await removeSecrets(host, cluster);
    output.print(`cluster.cluster.karmada.io/${name} removed`);
  }
  if (!member) output.note(`accounts and rights in the member stay; give --cluster-kubeconfig to remove them too`);
  if (!member || !reachable) return;
  const controlPlane = await identityOf(host, "the host");
  await leaveMember(member, request, { controlPlane, output });
  output.print(`member ${name} cleaned`);
}

function refuse({ cluster: name }: UnjoinRequest, cluster: Cluster | undefined, memberGiven: boolean): void {
  if (cluster?.spec.syncMode === "Pull") {
    throw new Problem(`cluster ${name} is in Pull mode`, "remove its agent with: karmadactl unregister");
  }
  if (!cluster && !memberGiven) {
    throw new Problem(`there is no cluster ${name} on the host`, "kubectl get clusters lists the names");
  }
}

/** False when nothing may be done in the member; says why. @throws Problem when the kubeconfig leads elsewhere. */
async function isSame(member: KubeClient, cluster: Cluster | undefined, output: Output): Promise<boolean> {
  let id: string;
  try {
    id = await identityOf(member, "the member");
  } catch (error) {
    output.warn(`${messageOf(error)}; what join made there stays until unjoin is repeated with --cluster-kubeconfig`);
    return false;
  }
  if (!cluster?.spec.id || cluster.spec.id === id) return true;
  throw new Problem(
    `the kubeconfig leads to cluster ${id}, but ${cluster.metadata.name} is cluster ${cluster.spec.id}`,
    "give the right --cluster-kubeconfig and --cluster-context, or none at all to clean the host only",
    EXIT.usage,
  );
}

async function removeCluster(
  { waitMs, force }: UnjoinRequest,
  { metadata: { name, uid } }: Cluster,
  { host, output }: UnjoinClients,
): Promise<void> {
  const clusters = new ResourceClient<Cluster>(host, CLUSTERS);
  if (!(await clusters.delete({ name }, { uid }))) return;
  output.note(`cluster ${name} is leaving; waiting up to ${waitMs / 1000} s`);
  if (await isGone(clusters, name, waitMs)) return;
  const left = await leftovers(host, name);
  if (!force) {
    throw new Problem(
      `cluster ${name} is still leaving after ${waitMs / 1000} s: ${left}`,
      `it goes on by itself while the operator runs (kubectl get cluster ${name} -o yaml says how it is); wait longer ` +
        `with --wait, or take the finalizers away with --force`,
      EXIT.timeout,
    );
  }
  output.warn(`taking finalizers away: ${left}; what they stood for stays in the member, with our marks`);
  await forceOut(host, name);
  if (!(await isGone(clusters, name, waitMs)))
    throw new Problem(`cluster ${name} is still there`, undefined, EXIT.timeout);
}

async function isGone(clusters: ResourceClient<Cluster>, name: string, waitMs: number): Promise<boolean> {
  const until = performance.now() + waitMs;
  while (await clusters.find({ name })) {
    if (performance.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}

async function leftovers(host: KubeClient, name: string): Promise<string> {
  const { items } = await new ResourceClient(host, WORKS).list({}, executionNamespace(name));
  if (items.length === 0) return "no Work is left, so the operator seems not to run";
  const some = items.slice(0, 3).map(({ metadata }) => metadata.name);
  return `${items.length} Work(s) are left (${some.join(", ")}${items.length > 3 ? ", …" : ""})`;
}

/** Takes finalizers off Works, namespace and Cluster; touches nothing in the member. */
async function forceOut(host: KubeClient, name: string): Promise<void> {
  const namespace = executionNamespace(name);
  const works = new ResourceClient(host, WORKS);
  for (const { metadata } of (await works.list({}, namespace)).items) {
    if (await works.delete(metadata, { uid: metadata.uid })) await strip(host, WORKS, metadata);
  }
  await new ResourceClient(host, NAMESPACES).delete({ name: namespace });
  await strip(host, CLUSTERS, { name });
}

async function strip(
  host: KubeClient,
  resource: ApiResource,
  target: { readonly namespace?: string; readonly name: string },
): Promise<void> {
  const api = new ResourceClient(host, resource);
  const live = await api.find(target);
  if (!live?.metadata.finalizers?.length) return;
  const { uid, resourceVersion } = live.metadata;
  await api.mergePatch(live.metadata, { metadata: { uid, resourceVersion, finalizers: null } });
}

/** The host's garbage collector does this too, where one runs. */
async function removeSecrets(host: KubeClient, { spec, metadata }: Cluster): Promise<void> {
  const secrets = new ResourceClient(host, SECRETS);
  for (const reference of [spec.secretRef, spec.impersonatorSecretRef]) {
    const live = reference && (await secrets.find(reference));
    if (!live?.metadata.ownerReferences?.some(owner => owner.uid === metadata.uid)) continue;
    await secrets.delete(live.metadata, { uid: live.metadata.uid });
  }
}

function printPlan(request: UnjoinRequest, cluster: Cluster | undefined, { member, output }: UnjoinClients): void {
  if (cluster) output.print(`host: Cluster ${request.cluster} would be removed (dry run)`);
  if (!member) return;
  for (const { object } of [...memberObjects(request)].reverse()) {
    output.print(`member: ${object.kind} ${object.metadata.name} would be removed if nothing else needs it (dry run)`);
  }
}
