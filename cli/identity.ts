// Which cluster is this, and which ones are joined?
import type { Cluster } from "../crds/cluster.js";
import type { KubeClient } from "../lib/kube/client.js";
import { isNotFound, isUnreachable, KubeError, messageOf } from "../lib/kube/errors.js";
import { CLUSTERS, NAMESPACES } from "../lib/kube/kinds.js";
import { ResourceClient } from "../lib/kube/resource.js";
import { Problem } from "./problem.js";

/** The uid of its namespace kube-system: the identity of a cluster. @throws Problem in words for a person. */
export async function identityOf(client: KubeClient, what: string): Promise<string> {
  try {
    const namespace = await new ResourceClient(client, NAMESPACES).find({ name: "kube-system" });
    if (namespace?.metadata.uid) return namespace.metadata.uid;
  } catch (error) {
    throw unreachable(error, what, client.connection.server);
  }
  throw new Problem(
    `${what} has no namespace kube-system`,
    "its uid is the identity of a cluster; is this Kubernetes?",
  );
}

/** All Clusters of the host. @throws Problem when Holdfast is not installed there. */
export async function joinedClusters(host: KubeClient): Promise<readonly Cluster[]> {
  try {
    return (await new ResourceClient<Cluster>(host, CLUSTERS).list()).items;
  } catch (error) {
    if (isNotFound(error)) {
      throw new Problem(
        `the host (${host.connection.server}) does not know clusters.cluster.karmada.io`,
        "install Holdfast there first, or name another host with --kubeconfig and --karmada-context",
      );
    }
    throw unreachable(error, "the host", host.connection.server);
  }
}

/** Silence, or a refusal, in words for a person. */
export function unreachable(error: unknown, what: string, server: string): Problem {
  const options = { cause: error };
  if (isUnreachable(error)) {
    const hint = "check the address in the kubeconfig and that the API server runs";
    return new Problem(`${what} (${server}) does not answer: ${messageOf(error)}`, hint, undefined, options);
  }
  const refused = error instanceof KubeError && (error.status === 401 || error.status === 403);
  const hint = refused ? "give a kubeconfig with administrator rights" : undefined;
  return new Problem(`${what} (${server}): ${messageOf(error)}`, hint, undefined, options);
}
