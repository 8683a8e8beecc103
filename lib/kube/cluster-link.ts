// Which connection do a Cluster and its Secret describe?
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { Connection } from "./connection.js";

/** A way into a member, without its credentials, which may change while it stands. */
export interface ClusterLink {
  readonly connection: Connection;
  readonly token: string;
}

/** What a person must change before there is a way in. */
export interface NoLink {
  readonly reason: "ClusterInvalid" | "CredentialsNotFound";
  readonly message: string;
}

/** The way into a member, or why there is none. `secret` is what `spec.secretRef` names, if it is there. */
export function clusterLink(cluster: Cluster, secret: KubeObject | undefined): ClusterLink | NoLink {
  const { apiEndpoint, secretRef, insecureSkipTLSVerification, proxyURL, proxyHeader } = cluster.spec;
  const wrong = addressProblem(cluster);
  if (wrong || !apiEndpoint || !secretRef) return wrong ?? invalid("spec is incomplete");

  const token = dataOf(secret, "token");
  if (!secret || !token) return missing(cluster, secret);
  return {
    token,
    connection: {
      server: apiEndpoint,
      ca: insecureSkipTLSVerification ? undefined : dataOf(secret, "caBundle"),
      insecure: insecureSkipTLSVerification,
      proxyUrl: proxyURL || undefined,
      proxyHeaders: proxyHeader,
    },
  };
}

/** `namespace/name` of the Secret, as messages name it. */
export function secretName({ spec }: Cluster): string {
  return spec.secretRef ? `${spec.secretRef.namespace}/${spec.secretRef.name}` : "<none>";
}

function addressProblem({ spec }: Cluster): NoLink | undefined {
  if (!spec.apiEndpoint) return invalid("spec.apiEndpoint: Required value: the URL of the cluster's API server");
  if (!isUrl(spec.apiEndpoint)) return invalid(`spec.apiEndpoint: "${spec.apiEndpoint}" is not an http or https URL`);
  if (spec.proxyURL && !isUrl(spec.proxyURL)) {
    return invalid(`spec.proxyURL: "${spec.proxyURL}" is not supported; write an http or https URL`);
  }
  if (!spec.secretRef) return invalid("spec.secretRef: Required value: the Secret with token and caBundle");
  return undefined;
}

const invalid = (message: string): NoLink => ({ reason: "ClusterInvalid", message });

function isUrl(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}

function missing(cluster: Cluster, secret: KubeObject | undefined): NoLink {
  const what = secret ? "has no key token" : "is not there";
  return {
    reason: "CredentialsNotFound",
    message: `Secret ${secretName(cluster)} (spec.secretRef) ${what}; join the cluster again, or restore the Secret`,
  };
}

function dataOf(secret: KubeObject | undefined, key: string): string | undefined {
  const data = secret?.["data"];
  if (typeof data !== "object" || data === null || !(key in data)) return undefined;
  const value = (data as Readonly<Record<string, unknown>>)[key];
  return typeof value === "string" && value !== "" ? Buffer.from(value, "base64").toString("utf8").trim() : undefined;
}
