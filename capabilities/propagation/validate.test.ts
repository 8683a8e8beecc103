// Every message a person can get about a propagation policy.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { KubeObject } from "../../crds/object.js";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { formatFieldError } from "../../lib/domain/field-error.js";
import { CPP_ID_LABEL, PP_ID_LABEL } from "../../lib/domain/marks.js";
import { validate } from "./validate.js";

const WEB = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

function pp(spec: object, metadata: object = {}): KubeObject {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: "p", namespace: "shop", ...metadata },
    spec: { resourceSelectors: [WEB], ...spec },
  };
}

function cpp(spec: object): KubeObject {
  return { ...pp(spec), kind: "ClusterPropagationPolicy", metadata: { name: "p" } };
}

function select(...resourceSelectors: object[]): object {
  return { resourceSelectors };
}

function errorsOf(object: KubeObject, context: AdmissionContext = {}): string[] {
  return validate(object, context).errors.map(formatFieldError);
}

function warningsOf(object: KubeObject, context: AdmissionContext = {}): readonly string[] {
  const { errors, warnings } = validate(object, context);
  expect(errors).toEqual([]);
  return warnings;
}

/** A binding, by its clusters. */
function held(...clusters: string[]): object {
  return { spec: { clusters: clusters.map(name => ({ name })) } };
}

/** The same, decided about by an annotation. */
function ruled(...clusters: string[]): object {
  const clusterDeletion = clusters.map(name => ({ name, cascadeDeletion: "orphan", reason: "TemplateAnnotation" }));
  return { spec: { clusters: clusters.map(name => ({ name })), clusterDeletion } };
}

describe("validate refuses", () => {
  it.each`
    given                                       | object                                                                                                                                   | says
    ${"no resource selectors"}                  | ${pp(select())}                                                                                                                          | ${"spec.resourceSelectors: "}
    ${"an empty selector"}                      | ${pp(select({}))}                                                                                                                        | ${"spec.resourceSelectors[0].apiVersion: Required value"}
    ${"a selector with an empty kind"}          | ${pp(select({ apiVersion: "v1", kind: "" }))}                                                                                            | ${"spec.resourceSelectors[0].kind: Required value: write it, as in Deployment"}
    ${"an API version that is none"}            | ${pp(select({ apiVersion: "apps/v1/x", kind: "Deployment" }))}                                                                           | ${'spec.resourceSelectors[0].apiVersion: Invalid value: "apps/v1/x": not an API version; write group/version'}
    ${"the same selector twice"}                | ${pp(select(WEB, WEB))}                                                                                                                  | ${"spec.resourceSelectors[1]: Duplicate value: the same as spec.resourceSelectors[0]; remove one of them"}
    ${"another namespace"}                      | ${pp(select({ ...WEB, namespace: "other" }))}                                                                                            | ${'spec.resourceSelectors[0].namespace: Invalid value: "other": selects outside the policy\'s own namespace; write shop, or use a ClusterPropagationPolicy'}
    ${"an In without values"}                   | ${pp(select({ apiVersion: "v1", kind: "Pod", labelSelector: { matchExpressions: [{ key: "a", operator: "In" }] } }))}                    | ${"spec.resourceSelectors[0].labelSelector.matchExpressions[0].values: Required value"}
    ${"a label key that is none"}               | ${pp(select({ apiVersion: "v1", kind: "Pod", labelSelector: { matchLabels: { "a b": "c" } } }))}                                         | ${"spec.resourceSelectors[0].labelSelector.matchLabels: Invalid value"}
    ${"an unknown selector operator"}           | ${pp(select({ apiVersion: "v1", kind: "Pod", labelSelector: { matchExpressions: [{ key: "a", operator: "in" }] } }))}                    | ${'Unsupported value: "in": supported values: "In", "NotIn", "Exists", "DoesNotExist"'}
    ${"an unknown conflict resolution"}         | ${pp({ conflictResolution: "Ask" })}                                                                                                     | ${'spec.conflictResolution: Unsupported value: "Ask": supported values: "Abort", "Overwrite"'}
    ${"a named kube-root-ca.crt"}               | ${pp(select({ apiVersion: "v1", kind: "ConfigMap", name: "kube-root-ca.crt" }))}                                                         | ${"spec.resourceSelectors[0].name: Forbidden: never sent to a cluster: every cluster makes its own ConfigMap kube-root-ca.crt"}
    ${"the default ServiceAccount"}             | ${pp(select({ apiVersion: "v1", kind: "ServiceAccount", name: "default" }))}                                                             | ${"spec.resourceSelectors[0].name: Forbidden: never sent"}
    ${"the Service kubernetes"}                 | ${cpp(select({ apiVersion: "v1", kind: "Service", namespace: "default", name: "kubernetes" }))}                                          | ${"spec.resourceSelectors[0].name: Forbidden: never sent"}
    ${"a system Namespace"}                     | ${cpp(select({ apiVersion: "v1", kind: "Namespace", name: "kube-system" }))}                                                             | ${"spec.resourceSelectors[0].name: Forbidden: never sent to a cluster: namespace kube-system is reserved"}
    ${"objects of a system namespace"}          | ${cpp(select({ apiVersion: "v1", kind: "ConfigMap", namespace: "kube-system" }))}                                                        | ${"spec.resourceSelectors[0]: Forbidden: never sent to a cluster: namespace kube-system is reserved"}
    ${"a policy in a system namespace"}         | ${{ ...pp({}), metadata: { name: "p", namespace: "kube-system" } }}                                                                      | ${"Forbidden: never sent to a cluster: namespace kube-system is reserved"}
    ${"cluster-admin"}                          | ${cpp(select({ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", name: "cluster-admin" }))}                               | ${"Forbidden: never sent to a cluster: every cluster makes its own ClusterRole cluster-admin"}
    ${"one of our own kinds"}                   | ${cpp(select({ apiVersion: "work.karmada.io/v1alpha1", kind: "Work" }))}                                                                 | ${"spec.resourceSelectors[0]: Forbidden: never sent to a cluster: work.karmada.io is an API of this system itself"}
    ${"preemption without a name"}              | ${pp({ preemption: "Always", ...select({ apiVersion: "v1", kind: "ConfigMap" }) })}                                                      | ${"spec.resourceSelectors[0].name: Required value: preemption: Always takes over named objects only"}
    ${"suspension of all and of some"}          | ${pp({ suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: ["m1"] } } })}                                            | ${"spec.suspension.dispatchingOnClusters: Forbidden: dispatching: true already holds back every cluster"}
    ${"both kinds of affinity"}                 | ${pp({ placement: { clusterAffinity: {}, clusterAffinities: [{ affinityName: "a" }] } })}                                                | ${"spec.placement.clusterAffinities: Forbidden: clusterAffinity and clusterAffinities exclude each other"}
    ${"an unknown cluster field"}               | ${pp({ placement: { clusterAffinity: { fieldSelector: { matchExpressions: [{ key: "name", operator: "In", values: ["a"] }] } } } })}     | ${'spec.placement.clusterAffinity.fieldSelector.matchExpressions[0].key: Unsupported value: "name": supported values: "provider", "region", "zone"'}
    ${"an unknown cluster field operator"}      | ${pp({ placement: { clusterAffinity: { fieldSelector: { matchExpressions: [{ key: "zone", operator: "Exists", values: ["a"] }] } } } })} | ${'operator: Unsupported value: "Exists": supported values: "In", "NotIn"'}
    ${"a cluster field without values"}         | ${pp({ placement: { clusterAffinity: { fieldSelector: { matchExpressions: [{ key: "zone", operator: "In" }] } } } })}                    | ${"matchExpressions[0].values: Required value: write at least one value"}
    ${"an empty cluster name"}                  | ${pp({ placement: { clusterAffinity: { clusterNames: [""] } } })}                                                                        | ${"spec.placement.clusterAffinity.clusterNames[0]: Required value"}
    ${"a broken cluster label selector"}        | ${pp({ placement: { clusterAffinity: { labelSelector: { matchLabels: { a: "b c" } } } } })}                                              | ${"spec.placement.clusterAffinity.labelSelector.matchLabels[a]: Invalid value"}
    ${"a toleration of nothing"}                | ${pp({ placement: { clusterTolerations: [{ effect: "NoSchedule" }] } })}                                                                 | ${"spec.placement.clusterTolerations[0].key: Required value: name the taint, or write operator: Exists"}
    ${"a toleration of any value that has one"} | ${pp({ placement: { clusterTolerations: [{ key: "a", operator: "Exists", value: "b" }] } })}                                             | ${"spec.placement.clusterTolerations[0].value: Forbidden"}
    ${"a toleration that ends without reason"}  | ${pp({ placement: { clusterTolerations: [{ key: "a", tolerationSeconds: 3 }] } })}                                                       | ${"spec.placement.clusterTolerations[0].tolerationSeconds: Forbidden"}
    ${"another scheduler"}                      | ${pp({ schedulerName: "mine" })}                                                                                                         | ${'spec.schedulerName: Unsupported value: "mine": supported values: "default-scheduler"'}
    ${"a nameless dependent override"}          | ${pp({ dependentOverrides: [""] })}                                                                                                      | ${"spec.dependentOverrides[0]: Required value"}
    ${"the same dependent override twice"}      | ${pp({ dependentOverrides: ["a", "a"] })}                                                                                                | ${'spec.dependentOverrides[1]: Duplicate value: "a"'}
    ${"what has no effect yet"}                 | ${pp({ propagateDeps: true })}                                                                                                           | ${"spec.propagateDeps: Forbidden: true is not supported by this version"}
  `("$given", ({ object, says }) => {
    expect(errorsOf(object).join("\n")).toContain(says);
  });

  it("another id, because claims point at the old one", () => {
    const old = pp({}, { labels: { [PP_ID_LABEL]: "a" } });
    expect(errorsOf(pp({}, { labels: { [PP_ID_LABEL]: "b" } }), { old })).toEqual([
      expect.stringContaining("the id of a policy never changes; leave the label out, or write a"),
    ]);
    expect(errorsOf(pp({}, { labels: { [PP_ID_LABEL]: "a" } }), { old })).toEqual([]);
    expect(errorsOf({ ...cpp({}), metadata: { name: "p", labels: { [CPP_ID_LABEL]: "b" } } }, { old })).toEqual([]);
  });

  it("everything at once, not the first mistake only", () => {
    const object = pp({
      ...select({ apiVersion: "v1", kind: "ConfigMap", namespace: "other" }),
      schedulerName: "mine",
      preemption: "Always",
      placement: { spreadConstraints: [{ spreadByField: "cluster" }] },
    });
    expect(errorsOf(object).map(text => text.split(":")[0])).toEqual([
      "spec.placement.spreadConstraints",
      "spec.resourceSelectors[0].namespace",
      "spec.resourceSelectors[0].name",
      "spec.schedulerName",
    ]);
  });
});

describe("validate warns of", () => {
  const knownClusters = new Set(["m1"]);
  const kindExists = (_: string, kind: string) => (kind === "Gadget" ? undefined : kind !== "Widget");

  it.each`
    given                                   | object                                                                                                     | says
    ${"the article's scheduler name"}       | ${pp({ schedulerName: "default" })}                                                                        | ${'spec.schedulerName: "default" is taken as "default-scheduler"'}
    ${"a cluster that has not joined"}      | ${pp({ placement: { clusterAffinity: { clusterNames: ["m1", "m9"] } } })}                                  | ${'clusterNames: cluster "m9" has not joined'}
    ${"a suspended cluster nobody knows"}   | ${pp({ suspension: { dispatchingOnClusters: { clusterNames: ["m9"] } } })}                                 | ${'cluster "m9" has not joined'}
    ${"a cluster named and excluded"}       | ${pp({ placement: { clusterAffinity: { clusterNames: ["m1"], exclude: ["m1"] } } })}                       | ${"exclude also lists m1, and exclude wins"}
    ${"a kind this cluster does not serve"} | ${pp(select({ apiVersion: "x.io/v1", kind: "Widget", name: "w" }))}                                        | ${"this cluster serves no Widget of x.io/v1"}
    ${"all Secrets of a namespace"}         | ${pp(select({ apiVersion: "v1", kind: "Secret" }))}                                                        | ${"sends every Secret in shop to the clusters; name them"}
    ${"all Secrets of every namespace"}     | ${cpp(select({ apiVersion: "v1", kind: "Secret" }))}                                                       | ${"sends every Secret of every namespace to the clusters"}
    ${"labels beside a name"}               | ${pp(select({ ...WEB, labelSelector: { matchLabels: { a: "b" } } }))}                                      | ${"labelSelector: without effect, because name is set"}
    ${"a role of Kubernetes that is named"} | ${cpp(select({ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", name: "system:x" }))}      | ${"sent only because it is named here"}
    ${"weights that nothing divides by"}    | ${pp({ placement: { replicaScheduling: { replicaSchedulingType: "Duplicated", weightPreference: {} } } })} | ${"weightPreference: without effect"}
    ${"the old association"}                | ${pp({ association: true })}                                                                               | ${"spec.association: without effect"}
  `("$given", ({ object, says }) => {
    const warnings = warningsOf(object, { knownClusters, kindExists });
    expect(warnings).toEqual([expect.stringContaining(says)]);
    expect(warnings.every(text => text.length <= 120 && !text.includes("\n"))).toBe(true);
  });

  it("preserve being switched off, since a deletion now deletes", () => {
    const old = pp({ preserveResourcesOnDeletion: true });
    expect(warningsOf(pp({}), { old })).toEqual([expect.stringContaining("preserveResourcesOnDeletion: off now")]);
    expect(warningsOf(pp({ preserveResourcesOnDeletion: true }), { old })).toEqual([]);
  });

  it.each`
    given                                    | bindings                           | says
    ${"two templates in three places"}       | ${[held("m1", "m2"), held("m1")]}  | ${["spec.preserveResourcesOnDeletion: off now; deleting a template deletes its copies (templates: 2, copies: 3)"]}
    ${"one whose own word is more explicit"} | ${[held("m1"), ruled("m1", "m2")]} | ${["spec.preserveResourcesOnDeletion: off now; deleting a template deletes its copies (templates: 1, copies: 1)"]}
    ${"nothing"}                             | ${[]}                              | ${[]}
  `("preserve being switched off while it holds $given", ({ bindings, says }) => {
    const metadata = { labels: { [PP_ID_LABEL]: "id" } };
    const old = pp({ preserveResourcesOnDeletion: true }, metadata);
    const bindingsOf = (id: string) => (id === "id" ? bindings : []);
    const propagated = { bindingsOf } as unknown as AdmissionContext["propagated"];
    expect(warningsOf(pp({}, metadata), { old, propagated })).toEqual(says);
  });

  it("a very long cluster name within the length that the API server shows", () => {
    const object = pp({ placement: { clusterAffinity: { clusterNames: ["x".repeat(400)] } } });
    expect(warningsOf(object, { knownClusters })[0]).toHaveLength(120);
  });
});

describe("validate is silent about", () => {
  it.each`
    given                                          | object                                                                 | context
    ${"a plain policy"}                            | ${pp({})}                                                              | ${{ knownClusters: new Set() }}
    ${"a broad selector that skips system things"} | ${pp(select({ apiVersion: "v1", kind: "ConfigMap" }))}                 | ${{}}
    ${"clusters, before any is known"}             | ${pp({ placement: { clusterAffinity: { clusterNames: ["m9"] } } })}    | ${{}}
    ${"a kind, before discovery has answered"}     | ${pp(select({ apiVersion: "x.io/v1", kind: "Gadget", name: "w" }))}    | ${{ kindExists: () => undefined }}
    ${"Secrets chosen by label"}                   | ${pp(select({ apiVersion: "v1", kind: "Secret", labelSelector: {} }))} | ${{}}
    ${"its own namespace written out"}             | ${pp(select({ ...WEB, namespace: "shop" }))}                           | ${{}}
    ${"any namespace in a cluster-scoped policy"}  | ${cpp(select({ ...WEB, namespace: "other" }))}                         | ${{}}
  `("$given", ({ object, context }) => {
    expect(validate(object, context)).toEqual({ errors: [], warnings: [] });
  });
});

describe("the policies of the seeds", () => {
  const seed = (name: string): KubeObject =>
    parse(readFileSync(join(import.meta.dirname, "../../test/fixtures/seeds", name), "utf8")) as KubeObject;

  it("the overview's example is refused by the names of its two mistakes", () => {
    // The API server drops nulls before admission sees the object.
    const object = JSON.parse(
      JSON.stringify(seed("overview-propagation-policy.yaml"), (_, v: unknown) => v ?? undefined),
    ) as KubeObject;
    const { errors, warnings } = validate(object, {});
    expect(errors.map(formatFieldError)).toEqual([
      "spec.placement.spreadConstraints: Forbidden: not supported by this version; name the clusters in clusterAffinity",
      expect.stringContaining(
        "spec.placement.spreadConstraints[0].spreadByLabel: Forbidden: not supported by this version",
      ),
      "spec.propagateDependensies: Forbidden: no such field; write propagateDeps",
    ]);
    expect(warnings).toEqual([expect.stringContaining("spec.schedulerName")]);
  });

  it.each(["overview-demo-propagation-policy.yaml", "rollback-propagation-policy.yaml"])("%s is taken", name => {
    expect(validate(seed(name), {})).toEqual({ errors: [], warnings: [] });
  });
});
