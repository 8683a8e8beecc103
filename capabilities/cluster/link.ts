// How is a member reached, by what its Cluster and its Secret say?
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import { stableHash } from "../../lib/domain/drift.js";
import { clusterLink, type ClusterLink } from "../../lib/kube/cluster-link.js";
import { notUsable, type Verdict } from "./verdict.js";

/** All of a connection but the credentials, which may change while it stands. */
export interface Link extends ClusterLink {
  /** Changes when a connection must be made anew; a rotated token does not change it. */
  readonly fingerprint: string;
}

/** What of a Cluster decides how it is reached. */
export function linkKey(cluster: Cluster): string {
  const { apiEndpoint, secretRef, insecureSkipTLSVerification, proxyURL, proxyHeader, syncMode } = cluster.spec;
  return stableHash({
    ...{
      uid: cluster.metadata.uid,
      apiEndpoint,
      secretRef,
      insecureSkipTLSVerification,
      proxyURL,
      proxyHeader,
      syncMode,
    },
  });
}

/** The link, or what a person must change first. `secret` is what `spec.secretRef` names, if it is there. */
export function linkOf(cluster: Cluster, secret: KubeObject | undefined): Link | Verdict {
  const answer = clusterLink(cluster, secret);
  if (!("connection" in answer)) return notUsable(answer.reason, answer.message);
  return { ...answer, fingerprint: stableHash({ key: linkKey(cluster), ca: answer.connection.ca }) };
}

/** Whether `linkOf` gave a link. */
export function isLink(answer: Link | Verdict): answer is Link {
  return "connection" in answer;
}
