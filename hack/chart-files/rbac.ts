// Who the operator is on the host, and what it may do: charts/holdfast/files/rbac.yaml.
import type { GeneratedFile } from "../generated-files.js";
import { CREDENTIALS_NAMESPACE, OPERATOR, PEPR_NAMESPACE } from "./names.js";
import { CLUSTER_PERMISSIONS, NAMESPACE_PERMISSIONS, type Permission } from "./permissions.js";
import { documents } from "./yaml.js";

const RBAC = "rbac.authorization.k8s.io";
const LABELS = { "app.kubernetes.io/name": OPERATOR.name };
const SUBJECTS = [{ kind: "ServiceAccount", name: OPERATOR.name, namespace: OPERATOR.namespace }];

/** Namespaces, account, roles and their bindings. */
export function rbacFile(): GeneratedFile {
  const objects = [
    namespace(OPERATOR.namespace),
    namespace(PEPR_NAMESPACE),
    namespace(CREDENTIALS_NAMESPACE),
    { apiVersion: "v1", kind: "ServiceAccount", metadata: metadata(OPERATOR.namespace) },
    role("ClusterRole", CLUSTER_PERMISSIONS),
    binding("ClusterRole"),
    ...Object.entries(NAMESPACE_PERMISSIONS).flatMap(([where, permissions]) => [
      role("Role", permissions, where),
      binding("Role", where),
    ]),
  ];
  return { path: "charts/holdfast/files/rbac.yaml", content: documents(objects) };
}

function namespace(name: string): object {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: LABELS } };
}

function metadata(where?: string): object {
  return { name: OPERATOR.name, ...(where ? { namespace: where } : {}), labels: LABELS };
}

function role(kind: "ClusterRole" | "Role", rules: readonly Permission[], where?: string): object {
  return { apiVersion: `${RBAC}/v1`, kind, metadata: metadata(where), rules };
}

function binding(kind: "ClusterRole" | "Role", where?: string): object {
  const roleRef = { apiGroup: RBAC, kind, name: OPERATOR.name };
  return { apiVersion: `${RBAC}/v1`, kind: `${kind}Binding`, metadata: metadata(where), roleRef, subjects: SUBJECTS };
}
