// Does a member answer, is it healthy, and which cluster is it?
import type { KubeObject } from "../../crds/object.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { isNotFound, KubeError, messageOf } from "../../lib/kube/errors.js";
import { NAMESPACES } from "../../lib/kube/kinds.js";
import { objectPath } from "../../lib/kube/resource.js";
import { notReady, type Verdict } from "./verdict.js";

/** A healthy member says who it is; any other answer is a verdict. */
export type Seen = { readonly uid: string } | Verdict;

/** One look may wait this long for each answer. */
export const PROBE_TIMEOUT_MS = 5_000;

/**
 * Asks `/readyz` (`/healthz` only when there is no `/readyz`, spec/karmada 7.4), then reads namespace kube-system: that
 * tells the identity, and that the credentials are good for more than a health check. Never throws.
 */
export async function probe(client: KubeClient, secret: string): Promise<Seen> {
  try {
    await askHealth(client);
  } catch (error) {
    return verdictOf(error, "unhealthy", secret);
  }
  try {
    const path = objectPath(NAMESPACES, { name: "kube-system" });
    const { metadata } = await client.request<KubeObject>("GET", path);
    return { uid: metadata.uid ?? "" };
  } catch (error) {
    return verdictOf(error, "namespace kube-system cannot be read", secret);
  }
}

async function askHealth(client: KubeClient): Promise<void> {
  try {
    await client.request("GET", "/readyz");
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.request("GET", "/healthz");
  }
}

function verdictOf(error: unknown, what: string, secret: string): Verdict {
  const words = messageOf(error);
  if (!(error instanceof KubeError) || error.status === 0) return notReady("ClusterNotReachable", words);
  if (error.status === 401) {
    return notReady(
      "CredentialsRefused",
      `the cluster does not accept the token in Secret ${secret} (401); join the cluster again to renew it`,
    );
  }
  if (error.status === 403) {
    return notReady(
      "CredentialsRefused",
      `the token in Secret ${secret} lacks rights in the cluster: ${words}; join the cluster again to renew them`,
    );
  }
  return notReady("ClusterNotReady", `${what}: HTTP ${error.status}: ${words}`);
}
