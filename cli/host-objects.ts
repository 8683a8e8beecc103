// What does join make on the host?
import type { Cluster } from "../crds/cluster.js";
import type { KubeObject } from "../crds/object.js";
import type { Connection } from "../lib/kube/connection.js";
import { CLUSTERS, SECRETS } from "../lib/kube/kinds.js";
import { apiVersionOf } from "../lib/kube/resource.js";
import type { Tokens } from "./join-member.js";
import type { Membership } from "./member-objects.js";
import { impersonatorSecretName } from "./names.js";

/** What the person tells about a cluster; placements can select by it. */
export interface Placeable {
  readonly provider?: string;
  readonly region?: string;
  readonly zones?: readonly string[];
}

/** What a Cluster is made of: who it is, how it is reached, what is told about it. */
export interface Member extends Placeable {
  /** uid of its namespace kube-system. */
  readonly id: string;
  readonly connection: Connection;
}

/** The spec of the Cluster, to spec/karmada 7.2; only fields that have a value. */
export function clusterSpec({ cluster, namespace }: Membership, member: Member): Cluster["spec"] {
  const { id, connection, provider, region, zones } = member;
  return {
    id,
    syncMode: "Push",
    apiEndpoint: connection.server,
    secretRef: { namespace, name: cluster },
    impersonatorSecretRef: { namespace, name: impersonatorSecretName(cluster) },
    ...(connection.insecure && { insecureSkipTLSVerification: true }),
    ...(connection.proxyUrl && { proxyURL: connection.proxyUrl }),
    ...(provider && { provider }),
    ...(region && { region }),
    ...(zones && zones.length > 0 && { zones: [...zones] }),
  };
}

/** The Cluster. */
export function clusterObject(membership: Membership, member: Member): Cluster {
  return {
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: CLUSTERS.kind,
    metadata: { name: membership.cluster },
    spec: clusterSpec(membership, member),
  } as Cluster;
}

/**
 * The two Secrets. The trust is that of the kubeconfig: it has just been proven for this very address, while the CA that
 * a token Secret holds is meant for the address inside the member.
 */
export function hostSecrets({ cluster, namespace }: Membership, tokens: Tokens, { ca }: Connection): KubeObject[] {
  const trust: Record<string, string> = ca === undefined ? {} : { caBundle: Buffer.from(ca).toString("base64") };
  const secret = (name: string, data: Record<string, string>): KubeObject => ({
    apiVersion: apiVersionOf(SECRETS),
    kind: SECRETS.kind,
    metadata: { name, namespace },
    data,
  });
  return [
    secret(cluster, { token: tokens.account, ...trust }),
    secret(impersonatorSecretName(cluster), { token: tokens.impersonator }),
  ];
}
