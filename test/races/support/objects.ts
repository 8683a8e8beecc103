// How do an app, its policy and its rules look on the host?
import type { KubeObject } from "../../../crds/object.js";
import { CASCADE_DELETION_ANNOTATION } from "../../../lib/domain/marks.js";
import * as kinds from "../../../lib/kube/kinds.js";
import type { ApiResource, ObjectName } from "../../../lib/kube/resource.js";
import type { App, AppKind, Cascade, Member, Preserve, Rule } from "../model/commands.js";

/** What apps are called; everything else in the clusters is none of ours. */
export const PREFIX = "race-";

/** How a name ends that is another one's. */
export const OTHER = "-of-another";

/** The kinds that apps are of. */
export const TEMPLATES: Readonly<Record<AppKind, ApiResource>> = {
  Deployment: { group: "apps", version: "v1", kind: "Deployment", plural: "deployments", namespaced: true },
  ConfigMap: kinds.CONFIG_MAPS,
  ClusterRole: {
    group: "rbac.authorization.k8s.io",
    version: "v1",
    kind: "ClusterRole",
    plural: "clusterroles",
    namespaced: false,
  },
};

/** One app by its name: its namespace is called so and, where it has none, it itself. */
export interface Named extends Pick<App, "kind" | "policyKind" | "conflictResolution"> {
  readonly name: string;
}

/** Where the template is. */
export function templateName({ kind, name }: Named): ObjectName {
  return kind === "ClusterRole" ? { name } : { namespace: name, name: "app" };
}

/** Where the policy is. */
export function policyName({ policyKind, name }: Named): ObjectName {
  return policyKind === "ClusterPropagationPolicy" ? { name } : { namespace: name, name: "policy" };
}

/** The policy's kind as the server has it. */
export function policyResource({ policyKind }: Named): ApiResource {
  return policyKind === "ClusterPropagationPolicy" ? kinds.CLUSTER_PROPAGATION_POLICIES : kinds.PROPAGATION_POLICIES;
}

/** The rules' kind: a rule about a ClusterRole is cluster-wide itself. */
export function ruleResource({ kind }: Named): ApiResource {
  return kind === "ClusterRole" ? kinds.CLUSTER_CASCADE_DELETION_POLICIES : kinds.CASCADE_DELETION_POLICIES;
}

/** Where a rule is. */
export function ruleName({ kind, name }: Named, rule: Rule["name"]): ObjectName {
  return kind === "ClusterRole" ? { name: `${name}-${rule}` } : { namespace: name, name: rule };
}

/** The template as its manifest has it; `edition` makes an edit of it. */
export function templateOf(app: Named, edition: number, cascade?: Cascade): KubeObject {
  const { group, version, kind } = TEMPLATES[app.kind];
  const annotations = cascade ? { annotations: { [CASCADE_DELETION_ANNOTATION]: cascade } } : {};
  return {
    apiVersion: group ? `${group}/${version}` : version,
    kind,
    metadata: { ...templateName(app), labels: { app: app.name }, ...annotations },
    ...contentOf(app.kind, edition),
  };
}

function contentOf(kind: AppKind, edition: number): Readonly<Record<string, unknown>> {
  const word = `edition-${edition}`;
  if (kind === "ConfigMap") return { data: { word } };
  if (kind === "ClusterRole") return { rules: [{ apiGroups: [""], resources: ["configmaps", word], verbs: ["get"] }] };
  const container = { name: "c", image: "registry.example/web:1.0", env: [{ name: "WORD", value: word }] };
  return {
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: "app" } },
      template: { metadata: { labels: { app: "app" } }, spec: { containers: [container] } },
    },
  };
}

/** What a policy selects: the app, or another name. */
export function selectorsOf(app: Named, selects: boolean): readonly unknown[] {
  return [selectorOf(app, selects ? "name" : "other")];
}

/** The policy as its manifest has it. */
export function policyOf(app: Named, value: Preserve, members: readonly Member[]): KubeObject {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: app.policyKind,
    metadata: policyName(app),
    spec: {
      resourceSelectors: selectorsOf(app, true),
      placement: { clusterAffinity: { clusterNames: [...members] } },
      conflictResolution: app.conflictResolution,
      ...(value === null ? {} : { preserveResourcesOnDeletion: value }),
    },
  };
}

/** A policy about deletion as its manifest has it. */
export function ruleOf(app: Named, { name, by, value, target }: Rule): KubeObject {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: ruleResource(app).kind,
    metadata: ruleName(app, name),
    spec: {
      cascadeDeletion: value,
      resourceSelectors: [selectorOf(app, by)],
      ...(target ? { targetCluster: { clusterNames: [target] } } : {}),
    },
  };
}

function selectorOf(app: Named, by: Rule["by"]) {
  const { apiVersion, kind } = templateOf(app, 0);
  const { namespace, name } = templateName(app);
  const within = namespace && app.policyKind === "ClusterPropagationPolicy" ? { namespace } : {};
  return {
    apiVersion,
    kind,
    ...within,
    ...(by === "label" ? { labelSelector: { matchLabels: { app: app.name } } } : {}),
    ...(by === "name" ? { name } : {}),
    ...(by === "other" ? { name: `${name}${OTHER}` } : {}),
  };
}
