// How is a member reached, by what its Cluster and its Secret say?
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import { stableHash } from "../../lib/domain/drift.js";
import type { Connection } from "../../lib/kube/connection.js";
import { notUsable, type Verdict } from "./verdict.js";

/** All of a connection but the credentials, which may change while it stands. */
export interface Link {
  readonly connection: Connection;
  readonly token: string;
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
  const { apiEndpoint, secretRef, insecureSkipTLSVerification, proxyURL, proxyHeader } = cluster.spec;
  const wrong = addressProblem(cluster);
  if (wrong || !apiEndpoint || !secretRef) return wrong ?? notUsable("ClusterInvalid", "spec is incomplete");

  const token = dataOf(secret, "token");
  if (!secret || !token) return missing(cluster, secret);
  const ca = insecureSkipTLSVerification ? undefined : dataOf(secret, "caBundle");
  return {
    token,
    fingerprint: stableHash({ key: linkKey(cluster), ca }),
    connection: {
      server: apiEndpoint,
      ca,
      insecure: insecureSkipTLSVerification,
      proxyUrl: proxyURL || undefined,
      proxyHeaders: proxyHeader,
    },
  };
}

/** Whether `linkOf` gave a link. */
export function isLink(answer: Link | Verdict): answer is Link {
  return "connection" in answer;
}

/** `namespace/name` of the Secret, as messages name it. */
export function secretName({ spec }: Cluster): string {
  return spec.secretRef ? `${spec.secretRef.namespace}/${spec.secretRef.name}` : "<none>";
}

function addressProblem({ spec }: Cluster): Verdict | undefined {
  if (!spec.apiEndpoint) return invalid("spec.apiEndpoint: Required value: the URL of the cluster's API server");
  if (!isUrl(spec.apiEndpoint)) return invalid(`spec.apiEndpoint: "${spec.apiEndpoint}" is not an http or https URL`);
  if (spec.proxyURL && !isUrl(spec.proxyURL)) {
    return invalid(`spec.proxyURL: "${spec.proxyURL}" is not supported; write an http or https URL`);
  }
  if (!spec.secretRef) return invalid("spec.secretRef: Required value: the Secret with token and caBundle");
  return undefined;
}

const invalid = (message: string): Verdict => notUsable("ClusterInvalid", message);

function isUrl(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}

function missing(cluster: Cluster, secret: KubeObject | undefined): Verdict {
  const what = secret ? "has no key token" : "is not there";
  return notUsable(
    "CredentialsNotFound",
    `Secret ${secretName(cluster)} (spec.secretRef) ${what}; join the cluster again, or restore the Secret`,
  );
}

function dataOf(secret: KubeObject | undefined, key: string): string | undefined {
  const data = secret?.["data"];
  if (typeof data !== "object" || data === null || !(key in data)) return undefined;
  const value = (data as Readonly<Record<string, unknown>>)[key];
  return typeof value === "string" && value !== "" ? Buffer.from(value, "base64").toString("utf8").trim() : undefined;
}
