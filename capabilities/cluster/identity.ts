// Is the cluster that answers the one that was joined?
import type { Cluster } from "../../crds/cluster.js";
import { notUsable, type Verdict } from "./verdict.js";

/**
 * What is wrong with the identity of a cluster, if anything. `uid` is that of its namespace kube-system. A cluster that
 * was rebuilt under the same address must not be given the old one's workloads, and one cluster under two names would
 * have two owners (case 81). `hostUid` is the identity of the host: there the template is the object, and must never be
 * marked, deleted or released as a copy (design 1).
 */
export function identityProblem(
  cluster: Cluster,
  uid: string,
  all: Iterable<Cluster>,
  hostUid?: string,
): Verdict | undefined {
  const { name } = cluster.metadata;
  const { id } = cluster.spec;
  if (uid === hostUid) {
    return notUsable(
      "ClusterIsHost",
      `this cluster (${uid}) is the host itself, where a template would be its own copy and go with it; the host as a ` +
        `member is not supported by this version, and nothing is sent to it. Unjoin ${name}`,
    );
  }
  if (id && id !== uid) {
    return notUsable(
      "ClusterIdentityChanged",
      `spec.id is ${id}, but the cluster that answers is ${uid} (uid of its namespace kube-system): it was rebuilt, or ` +
        `the address leads elsewhere now. Nothing is sent to it. To accept it: ` +
        `kubectl patch cluster ${name} --type merge -p '{"spec":{"id":"${uid}"}}'; otherwise correct spec.apiEndpoint or unjoin`,
    );
  }
  const other = [...all].find(candidate => candidate.spec.id === uid && isEarlier(candidate, cluster));
  if (!other) return undefined;
  return notUsable(
    "ClusterAlreadyJoined",
    `this cluster (${uid}) is joined already under the name ${other.metadata.name}; nothing is sent to it under this name. ` +
      `Unjoin one of the two`,
  );
}

function isEarlier(a: Cluster, b: Cluster): boolean {
  if (a.metadata.name === b.metadata.name) return false;
  const [first, second] = [a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? ""];
  return first === second ? a.metadata.name < b.metadata.name : first < second;
}
