// Does admission answer? Asked as a person asks: a policy that is wrong, in a dry run, has to be refused in admission's words.
import type { KubeClient } from "../kube/client.js";
import { kubeErrorIn, messageOf } from "../kube/errors.js";
import { PROPAGATION_POLICIES } from "../kube/kinds.js";
import { pause } from "../kube/pause.js";
import { collectionPath } from "../kube/resource.js";

/** The name of the webhook, as the API server puts it into a refusal. */
const WEBHOOK = "validate.holdfast.dev";
const AGAIN_MS = 1_000;

/** Valid for the API server's own schema, and wrong all the same: `In` nothing selects nothing. */
function wrongPolicy(namespace: string): object {
  const labelSelector = { matchExpressions: [{ key: "app", operator: "In" }] };
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: "holdfast-check", namespace },
    spec: {
      resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap", labelSelector }],
      placement: { clusterAffinity: { clusterNames: ["nowhere"] } },
    },
  };
}

/**
 * Asks until admission answers or the time is up.
 * @returns what is wrong, or `undefined` when admission has refused the policy
 */
export async function checkWebhook(
  client: KubeClient,
  namespace: string,
  withinMs: number,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(withinMs);
  let why = "the API server gave no answer";
  while (!signal.aborted) {
    const answer = await askOnce(client, namespace);
    if (answer === undefined) return undefined;
    why = answer;
    await pause(AGAIN_MS, signal);
  }
  return why;
}

async function askOnce(client: KubeClient, namespace: string): Promise<string | undefined> {
  const options = { body: wrongPolicy(namespace), query: { dryRun: "All" } };
  try {
    await client.request("POST", collectionPath(PROPAGATION_POLICIES, namespace), options);
    return `a wrong policy was accepted: no webhook ${WEBHOOK} was asked`;
  } catch (error) {
    const isAdmission = messageOf(error).includes(`"${WEBHOOK}" denied the request`);
    return isAdmission && kubeErrorIn(error) ? undefined : messageOf(error);
  }
}
