// What the operator may do on the host, and why. The roles in the chart are written from this table.
import { KINDS } from "../../crds/kinds.js";
import { CREDENTIALS_NAMESPACE, OPERATOR, PEPR_NAMESPACE } from "./names.js";

/** One rule of a role, with the reason that stands above it in the chart. */
export interface Permission {
  readonly why: string;
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const READ = ["get", "list", "watch"];
const WRITE = ["create", "update", "patch", "delete"];

/** In every namespace. */
export const CLUSTER_PERMISSIONS: readonly Permission[] = [
  {
    why: "A policy can select any kind: templates are read, and claimed by a patch of their metadata.",
    apiGroups: ["*"],
    resources: ["*"],
    verbs: [...READ, "patch"],
  },
  {
    why: "The combined state of the members is written into the status of the template.",
    apiGroups: ["*"],
    resources: ["*/status"],
    verbs: ["patch", "update"],
  },
  {
    why: "A binding's owner reference blocks the deletion of its template, which some API servers guard.",
    apiGroups: ["*"],
    resources: ["*/finalizers"],
    verbs: ["update"],
  },
  {
    why: "Claiming a role or role binding as a template changes its metadata only, but asks for what it grants.",
    apiGroups: ["rbac.authorization.k8s.io"],
    resources: ["clusterroles", "roles"],
    verbs: ["bind", "escalate"],
  },
  ...ownGroups(),
  {
    why: "Every member has a namespace for its Works; it comes and goes with the member.",
    apiGroups: [""],
    resources: ["namespaces"],
    verbs: ["create", "delete"],
  },
  {
    why: "People are told what they have to act on.",
    apiGroups: ["", "events.k8s.io"],
    resources: ["events"],
    verbs: ["create", "patch"],
  },
];

/** In one namespace. */
export const NAMESPACE_PERMISSIONS: Readonly<Record<string, readonly Permission[]>> = {
  [OPERATOR.namespace]: [
    {
      why: "One process leads at a time.",
      apiGroups: ["coordination.k8s.io"],
      resources: ["leases"],
      verbs: [...READ, ...WRITE],
    },
    {
      why: "Whether the host runs workloads is decided once and recorded.",
      apiGroups: [""],
      resources: ["configmaps"],
      verbs: [...READ, ...WRITE],
    },
  ],
  [CREDENTIALS_NAMESPACE]: [
    {
      why: "The members' credentials are read, renewed, and removed when a member leaves. A member's Secret is kept here as it was before it was taken over, until it is let go of.",
      apiGroups: [""],
      resources: ["secrets"],
      verbs: [...READ, ...WRITE, "deletecollection"],
    },
  ],
  [PEPR_NAMESPACE]: [
    {
      why: "Pepr opens its store before it answers any webhook.",
      apiGroups: ["pepr.dev"],
      resources: ["peprstores"],
      verbs: [...READ, ...WRITE],
    },
  ],
};

function ownGroups(): Permission[] {
  return [...new Set(KINDS.map(kind => kind.group))].map(group => ({
    why: `The operator keeps the objects of ${group}.`,
    apiGroups: [group],
    resources: KINDS.filter(kind => kind.group === group).flatMap(kind => [
      kind.plural,
      `${kind.plural}/status`,
      `${kind.plural}/finalizers`,
    ]),
    verbs: [...READ, ...WRITE, "deletecollection"],
  }));
}
