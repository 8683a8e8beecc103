// May whoever asks do what an installation has to do?
import { listed } from "../../lib/domain/listed.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { broken, fine, type Finding } from "./finding.js";

/** One thing that the chart does. */
interface Need {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** In the operator's namespace; everywhere else. */
  readonly namespaced?: boolean;
}

const need = (group: string, resource: string, namespaced = false): Need => ({
  ...{ verb: "create", group, resource },
  ...(namespaced && { namespaced }),
});

/** One for each kind of object in the chart, and the right to hand on more than one has. */
export const NEEDS: readonly Need[] = [
  need("apiextensions.k8s.io", "customresourcedefinitions"),
  need("", "namespaces"),
  need("rbac.authorization.k8s.io", "clusterroles"),
  need("rbac.authorization.k8s.io", "clusterrolebindings"),
  { verb: "escalate", group: "rbac.authorization.k8s.io", resource: "clusterroles" },
  { verb: "bind", group: "rbac.authorization.k8s.io", resource: "clusterroles" },
  // In karmada-cluster and pepr-system as well.
  need("rbac.authorization.k8s.io", "roles"),
  need("rbac.authorization.k8s.io", "rolebindings"),
  { verb: "escalate", group: "rbac.authorization.k8s.io", resource: "roles" },
  need("admissionregistration.k8s.io", "mutatingwebhookconfigurations"),
  need("admissionregistration.k8s.io", "validatingwebhookconfigurations"),
  need("admissionregistration.k8s.io", "validatingadmissionpolicies"),
  need("admissionregistration.k8s.io", "validatingadmissionpolicybindings"),
  need("apps", "deployments", true),
  need("batch", "jobs", true),
  need("policy", "poddisruptionbudgets", true),
  need("", "secrets", true),
  need("", "services", true),
  need("", "serviceaccounts", true),
];

const PATH = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/** Asks the API server itself, by SelfSubjectAccessReview. @throws KubeError */
export async function rightsFinding(client: KubeClient, namespace: string): Promise<Finding> {
  const answers = await Promise.all(NEEDS.map(async one => ({ one, isAllowed: await ask(client, one, namespace) })));
  const denied = answers.filter(({ isAllowed }) => !isAllowed).map(({ one }) => wordsFor(one));
  if (denied.length === 0) return fine("rights", "whoever asks may install");
  const fix = "install as cluster-admin, or have these rights given to you";
  return broken("rights", `whoever asks may not ${listed(denied, { shown: 6 })}`, fix);
}

function wordsFor({ verb, resource, group }: Need): string {
  return `${verb} ${group ? `${resource}.${group}` : resource}`;
}

async function ask(
  client: KubeClient,
  { verb, group, resource, namespaced }: Need,
  namespace: string,
): Promise<boolean> {
  const resourceAttributes = { verb, group, resource, ...(namespaced && { namespace }) };
  const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: { resourceAttributes } };
  const answer = await client.request<{ readonly status?: { readonly allowed?: boolean } }>("POST", PATH, { body });
  return answer.status?.allowed === true;
}
