// Why must this object of the host not be sent to members?
import { gvkOf, type KubeObject } from "../../crds/object.js";
import { CLAIMED_BY_LABEL, SYSTEM_LABEL } from "./marks.js";
import { isReservedNamespace } from "./names.js";

/** `named`: a policy names this one object; `ownNamespace`: where the operator was installed. */
export interface TemplateContext {
  readonly named?: boolean;
  readonly ownNamespace?: string;
}

type Rule = (object: KubeObject, groupKind: string, ownNamespace: string | undefined) => string | undefined;

const OWN_GROUPS: ReadonlySet<string> = new Set([
  ...["apps", "autoscaling", "cluster", "config", "networking", "policy", "remedy", "work"].map(g => `${g}.karmada.io`),
  ...["core", "types", "scheduling", "multiclusterdns"].flatMap(g => [`${g}.kubefed.io`, `${g}.kubefed.k8s.io`]),
  "holdfast.dev",
  "pepr.dev",
]);

/** Kinds that only record what one cluster is doing. */
const LOCAL_KINDS: ReadonlySet<string> = new Set([
  "/Event",
  "events.k8s.io/Event",
  "coordination.k8s.io/Lease",
  "apps/ControllerRevision",
  "/Node",
  "/ComponentStatus",
  "storage.k8s.io/CSINode",
  "storage.k8s.io/CSIStorageCapacity",
  "storage.k8s.io/VolumeAttachment",
  "resource.k8s.io/ResourceSlice",
  "certificates.k8s.io/CertificateSigningRequest",
  "networking.k8s.io/IPAddress",
]);

/** Objects that every cluster makes for itself, by kind and name. */
const CLUSTER_OWN: ReadonlySet<string> = new Set([
  "/ConfigMap kube-root-ca.crt",
  "/ServiceAccount default",
  "networking.k8s.io/ServiceCIDR kubernetes",
  "scheduling.k8s.io/PriorityClass system-cluster-critical",
  "scheduling.k8s.io/PriorityClass system-node-critical",
  ...["cluster-admin", "admin", "edit", "view"].map(name => `rbac.authorization.k8s.io/ClusterRole ${name}`),
  "rbac.authorization.k8s.io/ClusterRoleBinding cluster-admin",
]);
const KUBERNETES_SERVICE_KINDS: ReadonlySet<string> = new Set([
  "/Service",
  "/Endpoints",
  "discovery.k8s.io/EndpointSlice",
]);

const NEVER: readonly Rule[] = [
  inReservedNamespace,
  ownKind,
  localKind,
  madeByEveryCluster,
  bootstrapped,
  claimedByOther,
];
const ONLY_BY_NAME: readonly Rule[] = [controlled, madeByController, secretOfThisCluster, systemRole, defaultNamespace];

/**
 * Why an object is no template, in a sentence for a person; `undefined` when it may be one. Some things never travel
 * (reserved namespaces, what every cluster makes for itself, our own kinds); others, such as objects that a controller
 * made, only when a policy names them. Source: design 10 and 14.
 */
export function whyNeverTemplate(object: KubeObject, context: TemplateContext = {}): string | undefined {
  const rules = context.named ? NEVER : [...NEVER, ...ONLY_BY_NAME];
  const { group, kind } = gvkOf(object);
  for (const rule of rules) {
    const why = rule(object, `${group}/${kind}`, context.ownNamespace);
    if (why !== undefined) return why;
  }
  return undefined;
}

function inReservedNamespace(object: KubeObject, groupKind: string, ownNamespace: string | undefined) {
  const namespace = groupKind === "/Namespace" ? object.metadata.name : object.metadata.namespace;
  if (!namespace || !isReservedNamespace(namespace, ownNamespace)) return undefined;
  return `namespace ${namespace} is reserved for the cluster or for this system; use a namespace of your own`;
}

function ownKind(object: KubeObject, groupKind: string): string | undefined {
  const { group } = gvkOf(object);
  if (OWN_GROUPS.has(group)) return `${group} is an API of this system itself and stays on the host`;
  if (object.metadata.labels?.[SYSTEM_LABEL] === "true") return `label ${SYSTEM_LABEL} says it belongs to this system`;

  const crdGroup = object.metadata.name.slice(object.metadata.name.indexOf(".") + 1);
  if (groupKind !== "apiextensions.k8s.io/CustomResourceDefinition" || !OWN_GROUPS.has(crdGroup)) return undefined;
  return `it defines an API of this system itself and stays on the host`;
}

function localKind(_object: KubeObject, groupKind: string): string | undefined {
  if (!LOCAL_KINDS.has(groupKind)) return undefined;
  return `${kindOf(groupKind)} objects describe what this one cluster is doing and mean nothing in another`;
}

function madeByEveryCluster(object: KubeObject, groupKind: string): string | undefined {
  const { name, namespace } = object.metadata;
  const apiService = name === "kubernetes" && namespace === "default" && KUBERNETES_SERVICE_KINDS.has(groupKind);
  if (!apiService && !CLUSTER_OWN.has(`${groupKind} ${name}`)) return undefined;
  return `every cluster makes its own ${kindOf(groupKind)} ${name}; the host's would break the member's`;
}

function bootstrapped({ metadata }: KubeObject, groupKind: string): string | undefined {
  const marks = [
    metadata.labels?.["kubernetes.io/bootstrapping"],
    metadata.labels?.["kube-aggregator.kubernetes.io/automanaged"],
    metadata.annotations?.["apf.kubernetes.io/autoupdate-spec"],
  ];
  if (marks.every(mark => mark === undefined)) return undefined;
  return `this ${kindOf(groupKind)} is made by the API server of each cluster`;
}

function claimedByOther({ metadata }: KubeObject): string | undefined {
  const owner = metadata.labels?.[CLAIMED_BY_LABEL];
  return owner && `a ${owner} propagates it already (label ${CLAIMED_BY_LABEL})`;
}

function controlled({ metadata }: KubeObject): string | undefined {
  const owner = metadata.ownerReferences?.find(reference => reference.controller);
  return owner && `${owner.kind} ${owner.name} made it; select the ${owner.kind}, or name this object in a policy`;
}

function madeByController({ metadata }: KubeObject, groupKind: string): string | undefined {
  const [annotations, labels] = [metadata.annotations ?? {}, metadata.labels ?? {}];
  const marks: Readonly<Record<string, readonly unknown[]>> = {
    "/Endpoints": [
      labels["endpoints.kubernetes.io/managed-by"],
      annotations["endpoints.kubernetes.io/last-change-trigger-time"],
    ],
    "discovery.k8s.io/EndpointSlice": [labels["endpointslice.kubernetes.io/managed-by"]],
    "/PersistentVolume": [annotations["pv.kubernetes.io/provisioned-by"]],
    "/Pod": [annotations["kubernetes.io/config.mirror"]],
  };
  if (!(marks[groupKind] ?? []).some(mark => mark !== undefined)) return undefined;
  return `a controller of this cluster made this ${kindOf(groupKind)}; name it in a policy to send it nevertheless`;
}

function secretOfThisCluster(object: KubeObject, groupKind: string): string | undefined {
  if (object.metadata.name.startsWith("sh.helm.release.v1.") && ["/Secret", "/ConfigMap"].includes(groupKind)) {
    return "it is helm's record of a release in this cluster; name it in a policy to send it nevertheless";
  }
  const type = groupKind === "/Secret" ? object["type"] : undefined;
  if (type !== "kubernetes.io/service-account-token" && type !== "bootstrap.kubernetes.io/token") return undefined;
  return "its token opens this cluster only; name it in a policy to have the member make its own";
}

function systemRole({ metadata }: KubeObject, groupKind: string): string | undefined {
  if (!groupKind.startsWith("rbac.authorization.k8s.io/") || !metadata.name.startsWith("system:")) return undefined;
  return "names that begin with system: belong to Kubernetes; name it in a policy to send it nevertheless";
}

function defaultNamespace({ metadata }: KubeObject, groupKind: string): string | undefined {
  if (groupKind !== "/Namespace" || metadata.name !== "default") return undefined;
  return "every cluster has its own Namespace default; name it in a policy to send its labels";
}

function kindOf(groupKind: string): string {
  return groupKind.slice(groupKind.indexOf("/") + 1);
}
