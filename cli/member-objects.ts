// What does join make in a member, and what of it goes when one control plane leaves?
import type { KubeObject } from "../crds/object.js";
import { SYSTEM_LABEL } from "../lib/domain/marks.js";
import { NAMESPACES, SECRETS } from "../lib/kube/kinds.js";
import { apiVersionOf, type ApiResource } from "../lib/kube/resource.js";
import { accountName, IMPERSONATOR, roleName } from "./names.js";

/** Ids (uid of kube-system) of the hosts that use an object, with commas: two of them may have joined one member. */
export const CONTROL_PLANES_ANNOTATION = "holdfast.dev/control-planes";

export const SERVICE_ACCOUNTS: ApiResource = { ...SECRETS, kind: "ServiceAccount", plural: "serviceaccounts" };
const RBAC = { group: "rbac.authorization.k8s.io", version: "v1", namespaced: false };
export const CLUSTER_ROLES: ApiResource = { ...RBAC, kind: "ClusterRole", plural: "clusterroles" };
export const CLUSTER_ROLE_BINDINGS: ApiResource = {
  ...RBAC,
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
};

/** One object and the kind it is served as. */
export interface Made {
  readonly resource: ApiResource;
  readonly object: KubeObject;
}

/** Which joining is meant. */
export interface Membership {
  /** Name of the cluster. */
  readonly cluster: string;
  /** Namespace in the member, and on the host, for accounts and Secrets. */
  readonly namespace: string;
}

/** Everything join makes in a member, in order, to spec/karmada 7.2. */
export function memberObjects({ cluster, namespace }: Membership): readonly Made[] {
  const account = accountName(cluster);
  const role = roleName(cluster);
  const inNamespace = (name: string) => ({ name, namespace, labels: SYSTEM });
  const accounts = [IMPERSONATOR, account];
  return [
    made(NAMESPACES, { metadata: { name: namespace, labels: SYSTEM } }),
    ...accounts.map(name => made(SERVICE_ACCOUNTS, { metadata: inNamespace(name) })),
    ...accounts.map(name =>
      made(SECRETS, {
        metadata: { ...inNamespace(name), annotations: { "kubernetes.io/service-account.name": name } },
        type: "kubernetes.io/service-account-token",
      }),
    ),
    made(CLUSTER_ROLES, {
      metadata: { name: role, labels: SYSTEM },
      rules: [
        { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
        { nonResourceURLs: ["*"], verbs: ["get"] },
      ],
    }),
    made(CLUSTER_ROLE_BINDINGS, {
      metadata: { name: role, labels: SYSTEM },
      roleRef: { apiGroup: RBAC.group, kind: "ClusterRole", name: role },
      subjects: [{ kind: "ServiceAccount", name: account, namespace }],
    }),
  ];
}

const SYSTEM: Readonly<Record<string, string>> = { [SYSTEM_LABEL]: "true" };

function made(resource: ApiResource, fields: Omit<KubeObject, "apiVersion" | "kind"> & Pick<KubeObject, "metadata">) {
  return { resource, object: { apiVersion: apiVersionOf(resource), kind: resource.kind, ...fields } };
}

/** The object with this control plane among those that use it. */
export function usedBy(object: KubeObject, live: KubeObject | undefined, controlPlane: string): KubeObject {
  const planes = [...new Set([...planesOf(live), controlPlane])].sort().join(",");
  const annotations = { ...object.metadata.annotations, [CONTROL_PLANES_ANNOTATION]: planes };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** What becomes of an object in a member when a control plane leaves it. */
export type MemberFarewell =
  | { readonly action: "delete" }
  | { readonly action: "keep"; readonly why: string }
  | { readonly action: "hand over"; readonly planes: string };

/**
 * Pure. Only what carries the system label was made by a join. One that names no control plane was made by karmadactl;
 * `otherAccounts` (ServiceAccounts of other joins in the namespace) then decide about the account they share.
 */
export function planMemberFarewell(
  live: KubeObject,
  controlPlane: string,
  otherAccounts: readonly string[],
): MemberFarewell {
  if (live.metadata.labels?.[SYSTEM_LABEL] !== "true") return { action: "keep", why: "it was not made by join" };
  const others = planesOf(live).filter(plane => plane !== controlPlane);
  if (others.length > 0) return { action: "hand over", planes: others.join(",") };
  if (live.metadata.name === IMPERSONATOR && otherAccounts.length > 0) {
    return { action: "keep", why: `it is shared with ${otherAccounts.join(", ")}` };
  }
  return { action: "delete" };
}

function planesOf(live: KubeObject | undefined): readonly string[] {
  return (live?.metadata.annotations?.[CONTROL_PLANES_ANNOTATION] ?? "").split(",").filter(plane => plane !== "");
}
