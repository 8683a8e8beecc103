// Removes a cluster: lets go of what runs there, tells what became of it, then takes away what join made.
import type { Cluster } from "../crds/cluster.js";
import type { Work } from "../crds/work.js";
import type { FarewellReport } from "../lib/domain/farewell-report.js";
import { executionNamespace } from "../lib/domain/names.js";
import type { KubeClient } from "../lib/kube/client.js";
import { messageOf } from "../lib/kube/errors.js";
import { CLUSTERS, SECRETS, WORKS } from "../lib/kube/kinds.js";
import { ResourceClient } from "../lib/kube/resource.js";
import { identityOf, joinedClusters } from "./identity.js";
import { leaveMember } from "./join-member.js";
import { memberObjects, type Membership } from "./member-objects.js";
import type { Output } from "./output/output.js";
import { EXIT, Problem } from "./problem.js";
import { forceOut, leftovers } from "./unjoin-force.js";
import { printEnding, printPlanned, unproven, type Format } from "./unjoin-report.js";
import { untilGone } from "./unjoin-wait.js";

/** What `unjoin` is asked to do. */
export interface UnjoinRequest extends Membership {
  /** After the wait, take finalizers away. */
  readonly force?: boolean;
  readonly waitMs: number;
  readonly dryRun?: boolean;
  /** A table unless said otherwise. */
  readonly format?: Format;
}

/** The host, the member when a kubeconfig for it was given, and where to write. */
export interface UnjoinClients {
  readonly host: KubeClient;
  readonly member?: KubeClient;
  readonly output: Output;
}

/**
 * Safe to repeat. Never waits for a member that does not answer. What is not known to be done ends it in a Problem of its
 * own exit code, after everything that can be done. @throws Problem, KubeError
 */
export async function unjoin(request: UnjoinRequest, clients: UnjoinClients): Promise<void> {
  const { host, member, output } = clients;
  const all = await joinedClusters(host);
  const cluster = all.find(({ metadata }) => metadata.name === request.cluster);
  refuse(request, cluster, member !== undefined);
  // Asked first: once the Cluster is gone, nothing tells any more which cluster it was.
  const silence = member && (await silenceOf(member, { request, cluster, all }));
  if (request.dryRun) return printPlan(request, cluster, clients);

  const doubts = cluster ? await removeCluster(request, cluster, clients) : [];
  if (!member) output.note(`accounts and rights in the member stay; give --cluster-kubeconfig to remove them too`);
  if (member && silence === undefined) await cleanMember(request, cluster, { ...clients, member });
  if (silence !== undefined) doubts.push(`what join made in ${request.cluster} stays there: ${silence}`);
  if (doubts.length === 0) return;
  const hint = "for what was left behind: join the cluster again under its name, and unjoin it when it answers";
  throw new Problem(`not all is known to be done: ${doubts.join("; ")}`, hint, EXIT.unproven);
}

function refuse({ cluster: name }: UnjoinRequest, cluster: Cluster | undefined, memberGiven: boolean): void {
  if (cluster?.spec.syncMode === "Pull") {
    throw new Problem(`cluster ${name} is in Pull mode`, "remove its agent with: karmadactl unregister");
  }
  if (!cluster && !memberGiven) throw unknown(name, "");
}

function unknown(name: string, more: string): Problem {
  return new Problem(`there is no cluster ${name} on the host${more}`, "kubectl get clusters lists the names");
}

interface Whose {
  readonly request: UnjoinRequest;
  readonly cluster: Cluster | undefined;
  readonly all: readonly Cluster[];
}

/** Why nothing can be done in the member, if so. @throws Problem when the kubeconfig leads to another cluster. */
async function silenceOf(member: KubeClient, { request, cluster, all }: Whose): Promise<string | undefined> {
  let id: string;
  try {
    id = await identityOf(member, "the member");
  } catch (error) {
    if (!cluster) throw error;
    return messageOf(error);
  }
  const { cluster: name } = request;
  const owner = all.find(({ spec }) => spec.id === id)?.metadata.name;
  const expected = cluster?.spec.id;
  if (owner === name || (!owner && (!expected || expected === id))) return undefined;
  throw new Problem(
    expected
      ? `the kubeconfig leads to cluster ${id}, but ${name} is cluster ${expected}`
      : `the kubeconfig leads to a cluster that is joined as ${owner}, not as ${name}`,
    "give the right --cluster-kubeconfig and --cluster-context, or none at all to clean the host only",
    EXIT.usage,
  );
}

/** Returns what of it is not proven. */
async function removeCluster(request: UnjoinRequest, cluster: Cluster, clients: UnjoinClients): Promise<string[]> {
  const { host, output } = clients;
  const { cluster: name, format = "table" } = request;
  const expected = (await worksOf(host, name)).flatMap(work => work.spec.workload?.manifests ?? []).length;
  const report = await awaitRemoval(request, cluster, clients);
  await removeSecrets(host, cluster);
  const ending = { cluster: name, expected, report };
  const done = `cluster.cluster.karmada.io/${name} removed`;
  if (format === "json") output.note(done);
  else output.print(done);
  printEnding(ending, format, output);
  return unproven(ending);
}

async function awaitRemoval(
  { waitMs, force }: UnjoinRequest,
  cluster: Cluster,
  { host, output }: UnjoinClients,
): Promise<FarewellReport | undefined> {
  const { name, uid } = cluster.metadata;
  await new ResourceClient<Cluster>(host, CLUSTERS).delete({ name }, { uid });
  output.note(`cluster ${name} is leaving; waiting up to ${waitMs / 1000} s`);
  const { gone, report } = await untilGone(host, cluster, waitMs);
  if (gone) return report;
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
  const forced = await untilGone(host, cluster, waitMs);
  if (!forced.gone) throw new Problem(`cluster ${name} is still there`, undefined, EXIT.timeout);
  return forced.report ?? report;
}

async function worksOf(host: KubeClient, name: string): Promise<readonly Work[]> {
  return (await new ResourceClient<Work>(host, WORKS).list({}, executionNamespace(name))).items;
}

async function cleanMember(
  request: UnjoinRequest,
  cluster: Cluster | undefined,
  { host, member, output }: Required<UnjoinClients>,
): Promise<void> {
  const controlPlane = await identityOf(host, "the host");
  const touched = await leaveMember(member, request, { controlPlane, output });
  if (!cluster && touched === 0)
    throw unknown(request.cluster, ", and no join of that name has left anything in the member");
  const done = `member ${request.cluster} cleaned`;
  if (request.format === "json") output.note(done);
  else output.print(done);
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

async function printPlan(
  request: UnjoinRequest,
  cluster: Cluster | undefined,
  { host, member, output }: UnjoinClients,
): Promise<void> {
  const { cluster: name, format = "table" } = request;
  const say = (line: string) => (format === "json" ? output.note(line) : output.print(line));
  if (cluster) {
    say(`host: Cluster ${name} would be removed (dry run)`);
    const ready = cluster.status?.conditions?.find(({ type }) => type === "Ready");
    if (ready?.status !== "True") output.warn(`${name} is not ready: all of this would be left behind there`);
    printPlanned(await worksOf(host, name), format, output);
  }
  if (!member) return;
  for (const { object } of [...memberObjects(request)].reverse()) {
    say(`member: ${object.kind} ${object.metadata.name} would be removed if nothing else needs it (dry run)`);
  }
}
