// Which kinds beside our own are looked at to tell how the operator does?
import type { ApiResource } from "../../lib/kube/resource.js";

const kind = (apiVersion: string, name: string, namespaced: boolean): ApiResource => {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  return { group, version, kind: name, plural: pluralOf(name), namespaced };
};

function pluralOf(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith("y") ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}

const ADMISSION = "admissionregistration.k8s.io/v1";

export const DEPLOYMENTS = kind("apps/v1", "Deployment", true);
export const EVENTS = kind("events.k8s.io/v1", "Event", true);
export const CLUSTER_ROLE_BINDINGS = kind("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", false);
export const VALIDATING_WEBHOOKS = kind(ADMISSION, "ValidatingWebhookConfiguration", false);
export const MUTATING_WEBHOOKS = kind(ADMISSION, "MutatingWebhookConfiguration", false);
export const ADMISSION_POLICIES = kind(ADMISSION, "ValidatingAdmissionPolicy", false);
export const ADMISSION_POLICY_BINDINGS = kind(ADMISSION, "ValidatingAdmissionPolicyBinding", false);
