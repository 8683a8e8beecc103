// Joins a cluster: accounts in the member, Secrets and Cluster on the host.
import type { Cluster } from "../crds/cluster.js";
import type { KubeObject } from "../crds/object.js";
import { SYSTEM_LABEL } from "../lib/domain/marks.js";
import type { KubeClient } from "../lib/kube/client.js";
import { isConflict } from "../lib/kube/errors.js";
import { CLUSTERS, NAMESPACES, SECRETS } from "../lib/kube/kinds.js";
import { apiVersionOf, ResourceClient } from "../lib/kube/resource.js";
import type { Access } from "./clients.js";
import { clusterObject, clusterSpec, hostSecrets, type Member, type Placeable } from "./host-objects.js";
import { identityOf, joinedClusters } from "./identity.js";
import { joinMember } from "./join-member.js";
import { memberObjects, type Membership } from "./member-objects.js";
import { checkClusterName } from "./names.js";
import type { Output } from "./output/output.js";
import { Problem } from "./problem.js";
import { titleOf } from "../lib/domain/title.js";

/** What `join` is asked to do. */
export interface JoinRequest extends Membership, Placeable {
  readonly dryRun?: boolean;
}

/** The two clusters and where to write. */
export interface JoinClients {
  readonly host: KubeClient;
  readonly member: Pick<Access, "client" | "connection">;
  readonly output: Output;
}

const MANAGER = "holdfast-join";

/** Safe to repeat: a join that was cut off goes on where it was. @throws Problem, KubeError */
export async function join(request: JoinRequest, { host, member, output }: JoinClients): Promise<void> {
  checkClusterName(request.cluster);
  const id = await identityOf(member.client, "the member");
  const controlPlane = await identityOf(host, "the host");
  if (id === controlPlane) {
    throw new Problem(
      "this cluster is the host itself",
      "the host as a member is not supported by this version: a template there would be its own copy; give --cluster-kubeconfig of another cluster",
    );
  }
  const existing = refuseStrangers(request.cluster, id, await joinedClusters(host));
  adviseOn(member, output);
  const described: Member = { ...request, id, connection: member.connection };
  if (request.dryRun) return printPlan(request, described, output);

  output.note(`making accounts and rights in the member (namespace ${request.namespace})`);
  const tokens = await joinMember(member.client, request, controlPlane);

  output.note(`writing Secrets and Cluster ${request.cluster} on the host`);
  await ensureNamespace(host, request.namespace);
  const secrets = hostSecrets(request, tokens, member.connection);
  const api = new ResourceClient(host, SECRETS);
  for (const secret of secrets) await api.apply(secret, { manager: MANAGER, force: true });
  const cluster = await writeCluster(host, request, described, existing);
  // The Cluster's owner reference: the Secrets go when it goes. It needs the uid, and the Cluster needs the Secrets first.
  for (const secret of secrets) await api.apply(ownedBy(secret, cluster), { manager: MANAGER, force: true });
  output.print(`cluster.cluster.karmada.io/${request.cluster} joined`);
  output.note(`see how it does: kubectl get cluster ${request.cluster} -o wide`);
}

/** The Cluster that a repeated join goes on with. @throws Problem when the name or the cluster is taken. */
export function refuseStrangers(name: string, id: string, clusters: readonly Cluster[]): Cluster | undefined {
  const twin = clusters.find(cluster => cluster.spec.id === id && cluster.metadata.name !== name);
  if (twin) {
    throw new Problem(
      `this cluster is joined already, under the name ${twin.metadata.name}`,
      `use that name, or first: holdfast unjoin ${twin.metadata.name}`,
    );
  }
  const existing = clusters.find(cluster => cluster.metadata.name === name);
  if (existing?.spec.id && existing.spec.id !== id) {
    throw new Problem(
      `the name ${name} belongs to another cluster (id ${existing.spec.id}; this one is ${id})`,
      `choose another name, or first: holdfast unjoin ${name}`,
    );
  }
  if (existing?.metadata.deletionTimestamp) {
    throw new Problem(`cluster ${name} is being removed`, `wait for it: kubectl wait --for=delete cluster/${name}`);
  }
  return existing;
}

function adviseOn({ connection }: JoinClients["member"], output: Output): void {
  if (connection.serverName) {
    output.warn(
      "the kubeconfig sets tls-server-name, which a Cluster cannot hold: the operator will check the certificate " +
        "against the address itself",
    );
  }
  const { hostname } = new URL(connection.server);
  if (["localhost", "127.0.0.1", "[::1]"].includes(hostname)) {
    output.warn(`the member's address ${connection.server} means "this machine": the operator must run on it too`);
  }
}

function printPlan(request: JoinRequest, member: Member, output: Output): void {
  for (const { object } of memberObjects(request)) output.print(`member: ${titleOf(object)} (dry run)`);
  const secrets = hostSecrets(request, { account: "", impersonator: "" }, member.connection);
  for (const object of [...secrets, clusterObject(request, member)]) {
    output.print(`host: ${titleOf(object)} (dry run)`);
  }
}

async function ensureNamespace(host: KubeClient, name: string): Promise<void> {
  const namespaces = new ResourceClient(host, NAMESPACES);
  if (await namespaces.find({ name })) return;
  const labels = { [SYSTEM_LABEL]: "true" };
  const namespace = { apiVersion: apiVersionOf(NAMESPACES), kind: NAMESPACES.kind, metadata: { name, labels } };
  await namespaces.create(namespace).catch((error: unknown) => {
    if (!isConflict(error)) throw error;
  });
}

function writeCluster(
  host: KubeClient,
  request: JoinRequest,
  member: Member,
  existing: Cluster | undefined,
): Promise<Cluster> {
  const clusters = new ResourceClient<Cluster>(host, CLUSTERS);
  if (!existing) return clusters.create(clusterObject(request, member));
  const { name, uid } = existing.metadata;
  return clusters.mergePatch({ name }, { metadata: { uid }, spec: clusterSpec(request, member) });
}

function ownedBy(secret: KubeObject, cluster: Cluster): KubeObject {
  const { name, uid = "" } = cluster.metadata;
  const owner = { apiVersion: cluster.apiVersion, kind: cluster.kind, name, uid };
  return { ...secret, metadata: { ...secret.metadata, ownerReferences: [owner] } };
}
