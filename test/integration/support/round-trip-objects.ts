// Which kinds are taken over and let go of again, and what does a template change in them?
import type { KubeObject } from "../../../crds/object.js";
import { applyJsonPatch } from "../../../lib/domain/json-patch.js";
import type { WidgetKind } from "./case-widgets.js";

/** A value that the template has otherwise than the member: where it is in the object, and in managedFields. */
export interface Change {
  readonly pointer: string;
  readonly fields: readonly string[];
  /** `undefined`: the member has none. */
  readonly from: unknown;
  readonly to: unknown;
}

/** One object of the table. `name` is also that of its kind's row. */
export interface Row {
  readonly object: KubeObject;
  readonly change: Change;
}

/** What the table is made for. */
export interface Place {
  /** Where namespaced objects are. */
  readonly namespace: string;
  /** What cluster-scoped names end in. */
  readonly suffix: string;
  readonly withSchema: WidgetKind;
  readonly withoutSchema: WidgetKind;
}

const LABEL: Change = {
  pointer: "/metadata/labels/edition",
  fields: ["f:metadata", "f:labels", "f:edition"],
  from: undefined,
  to: "second",
};

const DATA: Change = { pointer: "/data/a", fields: ["f:data", "f:a"], from: "1", to: "2" };

const IMAGE: Change = {
  pointer: "/spec/template/spec/containers/0/image",
  fields: ["f:spec", "f:template", "f:spec", "f:containers", 'k:{"name":"c"}', "f:image"],
  from: "registry.example/web:1.0",
  to: "registry.example/web:2.0",
};

/** The object with the template's value. */
export function changed(object: KubeObject, { pointer, from, to }: Change): KubeObject {
  return applyJsonPatch(object, [{ op: from === undefined ? "add" : "replace", path: pointer, value: to }]);
}

/** The object with the member's own value again. */
export function unchanged(object: KubeObject, { pointer, from }: Change): KubeObject {
  const path = pointer;
  return applyJsonPatch(object, [from === undefined ? { op: "remove", path } : { op: "replace", path, value: from }]);
}

/** Every kind; each object goes by a name of its own. */
export function roundTripRows(place: Place): readonly Row[] {
  return [...workloads(place), ...namespaced(place), ...clusterScoped(place), ...custom(place)];
}

const NOBODY = { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "nobody" };

function row(object: KubeObject, change = LABEL): Row {
  return { object, change };
}

function of(apiVersion: string, kind: string, { namespace }: Place, body: object): KubeObject {
  const name = `rt-${kind.toLowerCase()}`;
  const labels = { team: "blue" };
  return { apiVersion, kind, metadata: { name, namespace, labels, annotations: { note: "by hand" } }, ...body };
}

const named = (name: string, object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, name },
});

const pod = (app: string, more: object = {}) => ({
  metadata: { labels: { app } },
  spec: {
    containers: [{ name: "c", image: "registry.example/web:1.0", env: [{ name: "MODE", value: "fast" }] }],
    ...more,
  },
});

function workloads(place: Place): readonly Row[] {
  const apps = (kind: string, spec: object, change = IMAGE): Row => {
    const app = kind.toLowerCase();
    const body = { spec: { selector: { matchLabels: { app } }, template: pod(app), ...spec } };
    return row(of("apps/v1", kind, place, body), change);
  };
  const once = pod("once", { restartPolicy: "Never" });
  return [
    apps("Deployment", { replicas: 2 }),
    apps("StatefulSet", { replicas: 1, serviceName: "none" }),
    apps("DaemonSet", {}),
    apps("ReplicaSet", { replicas: 1 }),
    row(
      of("v1", "ReplicationController", place, {
        spec: { replicas: 1, selector: { app: "older" }, template: pod("older") },
      }),
      IMAGE,
    ),
    row(of("batch/v1", "Job", place, { spec: { suspend: true, template: once } })),
    row(named("rt-job-running", of("batch/v1", "Job", place, { spec: { template: once } }))),
    row(
      of("batch/v1", "CronJob", place, {
        spec: { schedule: "0 0 1 1 *", suspend: true, jobTemplate: { spec: { template: once } } },
      }),
    ),
  ];
}

function namespaced(place: Place): readonly Row[] {
  const rbac = "rbac.authorization.k8s.io/v1";
  const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
  const port = { name: "http", port: 80, targetPort: 8080 };
  const target = { apiVersion: "apps/v1", kind: "Deployment", name: "rt-deployment" };
  const service = { name: "rt-service", port: { number: 80 } };
  const http = { paths: [{ path: "/", pathType: "Prefix", backend: { service } }] };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "rt-role" };
  const subjects = [{ kind: "ServiceAccount", name: "rt-serviceaccount", namespace: place.namespace }];
  // Nobody's token: each cluster would mount its own.
  const alone = { automountServiceAccountToken: false, serviceAccountName: "rt-serviceaccount" };
  return [
    row(of("v1", "ServiceAccount", place, {})),
    row(of("v1", "Pod", place, { spec: pod("alone", alone).spec })),
    row(of("v1", "Service", place, { spec: { type: "NodePort", selector: { app: "deployment" }, ports: [port] } })),
    row(of("v1", "ConfigMap", place, { data: { a: "1", b: "1" } }), DATA),
    row(of("v1", "Secret", place, { type: "Opaque", data: { a: "aHVudGVyMg==" } })),
    row(of("networking.k8s.io/v1", "Ingress", place, { spec: { rules: [{ host: "web.example", http }] } })),
    row(
      of("v1", "PersistentVolumeClaim", place, {
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      }),
    ),
    row(
      of("autoscaling/v2", "HorizontalPodAutoscaler", place, {
        spec: { scaleTargetRef: { ...target, name: "nobody" }, minReplicas: 1, maxReplicas: 3 },
      }),
    ),
    row(
      of("policy/v1", "PodDisruptionBudget", place, {
        spec: { minAvailable: 1, selector: { matchLabels: { app: "deployment" } } },
      }),
    ),
    row(of("networking.k8s.io/v1", "NetworkPolicy", place, { spec: { podSelector: {}, policyTypes: ["Ingress"] } })),
    row(of(rbac, "Role", place, { rules })),
    row(of(rbac, "RoleBinding", place, { roleRef, subjects })),
  ];
}

function clusterScoped(place: Place): readonly Row[] {
  const rbac = "rbac.authorization.k8s.io/v1";
  const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
  const wide = (apiVersion: string, kind: string, body: object): KubeObject => {
    const { namespace: _none, ...metadata } = of(apiVersion, kind, place, {}).metadata;
    return { apiVersion, kind, metadata: { ...metadata, name: `rt-${kind.toLowerCase()}-${place.suffix}` }, ...body };
  };
  const roleRef = {
    apiGroup: "rbac.authorization.k8s.io",
    kind: "ClusterRole",
    name: `rt-clusterrole-${place.suffix}`,
  };
  const group = `rt-${place.suffix}.example`;
  const definition = wide("apiextensions.k8s.io/v1", "CustomResourceDefinition", {
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "gizmos", singular: "gizmo", kind: "Gizmo" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  });
  return [
    row(wide(rbac, "ClusterRole", { rules })),
    row(wide(rbac, "ClusterRoleBinding", { roleRef, subjects: [NOBODY] })),
    row({ ...definition, metadata: { ...definition.metadata, name: `gizmos.${group}` } }),
    row(wide("v1", "Namespace", {})),
  ];
}

function custom(place: Place): readonly Row[] {
  return [place.withSchema, place.withoutSchema].map(({ group, kind }) =>
    row(of(`${group}/v1`, kind, place, { spec: { size: "large", color: "blue" } }), {
      pointer: "/spec/size",
      fields: ["f:spec", "f:size"],
      from: "large",
      to: "small",
    }),
  );
}
