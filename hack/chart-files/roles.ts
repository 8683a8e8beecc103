// Who among people may see and change Holdfast's objects? charts/holdfast/files/roles.yaml.
import { KINDS } from "../../crds/kinds.js";
import type { KindDefinition } from "../../crds/definition.js";
import type { GeneratedFile } from "../generated-files.js";
import { documents } from "./yaml.js";

const RBAC = "rbac.authorization.k8s.io";
const READ = ["get", "list", "watch"];
const WRITE = ["create", "update", "patch", "delete", "deletecollection"];
const POLICIES = "policy.karmada.io";

interface RoleRule {
  readonly why: string;
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Works hold whole manifests, Secrets among them: who may not read Secrets may not read Works. */
const isOpen = ({ kind }: KindDefinition): boolean => kind !== "Work";
const isPolicyOf =
  (scope: KindDefinition["scope"]) =>
  (kind: KindDefinition): boolean =>
    kind.group === POLICIES && kind.scope === scope;

/** Roles that join view, edit and admin, and two that are given by hand. */
export function rolesFile(): GeneratedFile {
  const roles = [
    role(
      "holdfast-view",
      ["view", "edit", "admin"],
      [rules("Everything but Works, which hold the content of Secrets.", isOpen, READ)],
    ),
    role(
      "holdfast-edit",
      ["edit", "admin"],
      [
        rules("Policies of one's own namespace.", isPolicyOf("Namespaced"), WRITE),
        rules("What is sent to members, as it is sent.", kind => !isOpen(kind), READ),
      ],
    ),
    role(
      "holdfast-fleet-admin",
      [],
      [
        rules("Policies that reach into every namespace.", isPolicyOf("Cluster"), [...READ, ...WRITE]),
        rules("The members themselves.", ({ kind }) => kind === "Cluster", [...READ, ...WRITE]),
      ],
    ),
    role(
      "holdfast-overwrite",
      [],
      [
        {
          why: "Taking over what is in a member already: `conflictResolution: Overwrite` can seize any object there.",
          apiGroups: [POLICIES],
          resources: ["propagationpolicies", "clusterpropagationpolicies"],
          verbs: ["overwrite"],
        },
      ],
    ),
  ];
  return { path: "charts/holdfast/files/roles.yaml", content: documents(roles.flat()) };
}

function rules(why: string, choose: (kind: KindDefinition) => boolean, verbs: readonly string[]): RoleRule[] {
  const chosen = KINDS.filter(choose);
  return [...new Set(chosen.map(({ group }) => group))].map(group => ({
    why,
    apiGroups: [group],
    resources: chosen.filter(kind => kind.group === group).map(({ plural }) => plural),
    verbs,
  }));
}

function role(name: string, joins: readonly string[], parts: readonly (RoleRule | RoleRule[])[]): object {
  const aggregation = joins.map(role => [`${RBAC}/aggregate-to-${role}`, "true"]);
  const labels = { "app.kubernetes.io/name": "holdfast", ...Object.fromEntries(aggregation) };
  return { apiVersion: `${RBAC}/v1`, kind: "ClusterRole", metadata: { name, labels }, rules: parts.flat() };
}
