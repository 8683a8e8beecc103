// How does a command get into a member? With the credentials that the host keeps for it.
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import { KubeClient } from "../../lib/kube/client.js";
import { clusterLink } from "../../lib/kube/cluster-link.js";
import { Discovery } from "../../lib/kube/discovery.js";
import { SECRETS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";

/** A member that answers. */
export interface MemberAccess {
  readonly name: string;
  readonly cluster: Cluster;
  readonly client: KubeClient;
  /** Asked already. */
  readonly discovery: Discovery;
  /** The verbs of a kind there; `undefined` when the member does not serve it. */
  objects(kind: { readonly apiVersion: string; readonly kind: string }): ResourceClient | undefined;
}

const TIMEOUT_MS = 10_000;

/** Reads the member's Secret on the host and asks the member what it serves. @throws Error that says why it is no use */
export async function openMember(
  host: KubeClient,
  cluster: Cluster,
  timeoutMs: number = TIMEOUT_MS,
): Promise<MemberAccess> {
  if (cluster.spec.syncMode === "Pull") throw new Error("it is in Pull mode: the host has no way into it");
  const link = clusterLink(cluster, await secretOf(host, cluster));
  if (!("connection" in link)) throw new Error(link.message);
  const authorization = () => Promise.resolve(`Bearer ${link.token}`);
  const client = new KubeClient({ ...link.connection, authorization }, { connections: 4, timeoutMs });
  const discovery = new Discovery(client);
  try {
    await discovery.refresh();
  } catch (error) {
    await client.close();
    throw error;
  }
  return { name: cluster.metadata.name, cluster, client, discovery, objects };

  function objects({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): ResourceClient | undefined {
    const resource = discovery.find(apiVersion, kind);
    return resource && new ResourceClient(client, resource);
  }
}

async function secretOf(host: KubeClient, { spec }: Cluster): Promise<KubeObject | undefined> {
  return spec.secretRef && (await new ResourceClient(host, SECRETS).find(spec.secretRef));
}
