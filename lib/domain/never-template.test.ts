// Do system objects and objects that a controller made stay on the host?
import { describe, expect, it } from "vitest";
import type { KubeObject, ObjectMeta } from "../../crds/object.js";
import { whyNeverTemplate } from "./never-template.js";

interface Case {
  object: KubeObject;
  why: string;
}

const RBAC = "rbac.authorization.k8s.io/v1";

function made(apiVersion: string, kind: string, metadata: ObjectMeta, rest: Record<string, unknown> = {}): KubeObject {
  return { ...rest, apiVersion, kind, metadata };
}

function controlledBy(kind: string, name: string): Pick<ObjectMeta, "ownerReferences"> {
  return { ownerReferences: [{ apiVersion: "apps/v1", kind, name, uid: "u", controller: true }] };
}

describe("whyNeverTemplate", () => {
  it.each`
    given                               | object                                                                                                                                  | why
    ${"anything in kube-system"}        | ${made("v1", "ConfigMap", { name: "a", namespace: "kube-system" })}                                                                     | ${"namespace kube-system is reserved"}
    ${"anything in our own namespace"}  | ${made("v1", "Secret", { name: "a", namespace: "holdfast-system" })}                                                                    | ${"namespace holdfast-system is reserved"}
    ${"the namespace we live in"}       | ${made("v1", "Secret", { name: "a", namespace: "ops" })}                                                                                | ${"namespace ops is reserved"}
    ${"a member's Works"}               | ${made("v1", "ConfigMap", { name: "a", namespace: "karmada-es-m1" })}                                                                   | ${"namespace karmada-es-m1 is reserved"}
    ${"Namespace kube-system"}          | ${made("v1", "Namespace", { name: "kube-system" })}                                                                                     | ${"namespace kube-system is reserved"}
    ${"kube-root-ca.crt"}               | ${made("v1", "ConfigMap", { name: "kube-root-ca.crt", namespace: "shop" })}                                                             | ${"every cluster makes its own ConfigMap kube-root-ca.crt"}
    ${"the default ServiceAccount"}     | ${made("v1", "ServiceAccount", { name: "default", namespace: "shop" })}                                                                 | ${"every cluster makes its own ServiceAccount default"}
    ${"Service kubernetes"}             | ${made("v1", "Service", { name: "kubernetes", namespace: "default" })}                                                                  | ${"every cluster makes its own Service kubernetes"}
    ${"cluster-admin"}                  | ${made(RBAC, "ClusterRole", { name: "cluster-admin" })}                                                                                 | ${"every cluster makes its own ClusterRole cluster-admin"}
    ${"a bootstrap role"}               | ${made(RBAC, "ClusterRole", { name: "system:node", labels: { "kubernetes.io/bootstrapping": "rbac-defaults" } })}                       | ${"made by the API server of each cluster"}
    ${"a policy"}                       | ${made("policy.karmada.io/v1alpha1", "PropagationPolicy", { name: "a", namespace: "shop" })}                                            | ${"an API of this system itself"}
    ${"a federated type of KubeFed"}    | ${made("types.kubefed.io/v1beta1", "FederatedDeployment", { name: "a", namespace: "shop" })}                                            | ${"an API of this system itself"}
    ${"the CRD of one of our kinds"}    | ${made("apiextensions.k8s.io/v1", "CustomResourceDefinition", { name: "works.work.karmada.io" })}                                       | ${"defines an API of this system itself"}
    ${"an object marked as ours"}       | ${made(RBAC, "ClusterRole", { name: "a", labels: { "karmada.io/system": "true" } })}                                                    | ${"label karmada.io/system says"}
    ${"an Event"}                       | ${made("events.k8s.io/v1", "Event", { name: "a", namespace: "shop" })}                                                                  | ${"Event objects describe what this one cluster"}
    ${"a Lease"}                        | ${made("coordination.k8s.io/v1", "Lease", { name: "a", namespace: "shop" })}                                                            | ${"Lease objects describe"}
    ${"a ControllerRevision"}           | ${made("apps/v1", "ControllerRevision", { name: "a", namespace: "shop" })}                                                              | ${"ControllerRevision objects describe"}
    ${"what another controller claims"} | ${made("v1", "Service", { name: "a", namespace: "shop", labels: { "resourcetemplate.karmada.io/claimed-by": "MultiClusterService" } })} | ${"a MultiClusterService propagates it already"}
  `("refuses $given, even by name", ({ object, why }: Case) => {
    expect(whyNeverTemplate(object, { ownNamespace: "ops" })).toContain(why);
    expect(whyNeverTemplate(object, { ownNamespace: "ops", named: true })).toContain(why);
  });

  it.each`
    given                                   | object                                                                                                                    | why
    ${"a Pod of a ReplicaSet"}              | ${made("v1", "Pod", { name: "a", namespace: "shop", ...controlledBy("ReplicaSet", "web-1") })}                            | ${"ReplicaSet web-1 made it"}
    ${"a Secret of an operator"}            | ${made("v1", "Secret", { name: "a", namespace: "shop", ...controlledBy("Certificate", "tls") })}                          | ${"Certificate tls made it"}
    ${"the EndpointSlice of a Service"}     | ${made("discovery.k8s.io/v1", "EndpointSlice", { name: "a", labels: { "endpointslice.kubernetes.io/managed-by": "x" } })} | ${"a controller of this cluster made this EndpointSlice"}
    ${"the Endpoints of a Service"}         | ${made("v1", "Endpoints", { name: "a", annotations: { "endpoints.kubernetes.io/last-change-trigger-time": "t" } })}       | ${"made this Endpoints"}
    ${"a token Secret"}                     | ${made("v1", "Secret", { name: "a", namespace: "shop" }, { type: "kubernetes.io/service-account-token" })}                | ${"its token opens this cluster only"}
    ${"helm's release Secret"}              | ${made("v1", "Secret", { name: "sh.helm.release.v1.web.v3", namespace: "shop" }, { type: "helm.sh/release.v1" })}         | ${"helm's record of a release"}
    ${"a system: role nobody bootstrapped"} | ${made(RBAC, "RoleBinding", { name: "system:Team:View-A", namespace: "shop" })}                                           | ${"names that begin with system:"}
    ${"Namespace default"}                  | ${made("v1", "Namespace", { name: "default" })}                                                                           | ${"every cluster has its own Namespace default"}
  `("refuses $given to a broad selector, but not to a policy that names it", ({ object, why }: Case) => {
    expect(whyNeverTemplate(object)).toContain(why);
    expect(whyNeverTemplate(object, { named: true })).toBeUndefined();
  });

  it.each`
    given                               | object
    ${"a Deployment"}                   | ${made("apps/v1", "Deployment", { name: "web", namespace: "shop" })}
    ${"a ConfigMap in default"}         | ${made("v1", "ConfigMap", { name: "a", namespace: "default" })}
    ${"a Service kubernetes elsewhere"} | ${made("v1", "Service", { name: "kubernetes", namespace: "shop" })}
    ${"a ServiceAccount of its own"}    | ${made("v1", "ServiceAccount", { name: "web", namespace: "shop" })}
    ${"an Opaque Secret"}               | ${made("v1", "Secret", { name: "db", namespace: "shop" }, { type: "Opaque" })}
    ${"an object with a mere owner"}    | ${made("v1", "ConfigMap", { name: "a", ownerReferences: [{ apiVersion: "v1", kind: "App", name: "x", uid: "u" }] })}
    ${"a hand-written EndpointSlice"}   | ${made("discovery.k8s.io/v1", "EndpointSlice", { name: "a", namespace: "shop" })}
    ${"someone's CRD"}                  | ${made("apiextensions.k8s.io/v1", "CustomResourceDefinition", { name: "foos.example.com" })}
    ${"a ServiceExport"}                | ${made("multicluster.x-k8s.io/v1alpha1", "ServiceExport", { name: "a", namespace: "shop" })}
    ${"a role that only resembles one"} | ${made(RBAC, "ClusterRole", { name: "viewer" })}
    ${"a namespace of the user"}        | ${made("v1", "Namespace", { name: "shop" })}
  `("allows $given", ({ object }: { object: KubeObject }) => {
    expect(whyNeverTemplate(object)).toBeUndefined();
  });
});
