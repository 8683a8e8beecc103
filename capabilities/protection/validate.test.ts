// Every message a person can get about a policy about deletion.
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import type { CascadeRule } from "../../lib/domain/cascade.js";
import { formatFieldError } from "../../lib/domain/field-error.js";
import type { BindingFacts, Propagated } from "../../lib/domain/propagated.js";
import { validate } from "./validate.js";

const WEB = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const DEPLOYMENTS = { apiVersion: "apps/v1", kind: "Deployment" };
const ROLE = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", name: "app" };

function cdp(spec: object = {}, metadata: object = {}): KubeObject {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "CascadeDeletionPolicy",
    metadata: { name: "p", namespace: "shop", ...metadata },
    spec: { cascadeDeletion: "orphan", resourceSelectors: [WEB], ...spec },
  };
}

function ccdp(spec: object = {}, name = "p"): KubeObject {
  return { ...cdp(spec), kind: "ClusterCascadeDeletionPolicy", metadata: { name } };
}

const select = (...resourceSelectors: object[]): object => ({ resourceSelectors });
const onto = (clusterAffinity: object): object => ({ targetCluster: clusterAffinity });

const knownClusters = new Set(["m1", "m2"]);
const kindExists = (_: string, kind: string) => kind !== "Widget";
const isNamespaced = (_: string, kind: string) => (kind === "Widget" ? undefined : kind !== "ClusterRole");
const facts: AdmissionContext = { knownClusters, kindExists, isNamespaced };

const nothing: Propagated = {
  bindingOf: () => undefined,
  bindingsIn: () => [],
  bindingsOf: () => [],
  bindingsDecidedBy: () => [],
  wordOf: () => undefined,
  rules: () => [],
  clusterOf: () => undefined,
};
const beside = (...rules: KubeObject[]): AdmissionContext => ({
  ...facts,
  propagated: { ...nothing, rules: () => rules as unknown as CascadeRule[] },
});
/** As many templates have the word of this very policy on record. */
const after = (old: KubeObject, templates: number): AdmissionContext => ({
  ...facts,
  old,
  propagated: {
    ...nothing,
    bindingsDecidedBy: rule => {
      const own = `${old.kind} ${old.metadata.namespace ? "shop/" : ""}p`;
      return rule === own ? Array.from({ length: templates }, () => ({}) as BindingFacts) : [];
    },
  },
});

describe("validate refuses", () => {
  it.each`
    given                             | object                                                                                | says
    ${"no resource selectors"}        | ${cdp(select())}                                                                      | ${"spec.resourceSelectors: "}
    ${"an empty selector"}            | ${cdp(select({}))}                                                                    | ${"spec.resourceSelectors[0].apiVersion: Required value"}
    ${"a selector of every kind"}     | ${cdp(select({ apiVersion: "v1", kind: "" }))}                                        | ${"spec.resourceSelectors[0].kind: Required value: write it, as in Deployment"}
    ${"a wildcard for the kind"}      | ${cdp(select({ apiVersion: "v1", kind: "*" }))}                                       | ${'spec.resourceSelectors[0].kind: Invalid value: "*": taken literally, there are no wildcards'}
    ${"a wildcard in a name"}         | ${cdp(select({ ...WEB, name: "web-*" }))}                                             | ${'spec.resourceSelectors[0].name: Invalid value: "web-*": taken literally'}
    ${"a wildcard for the namespace"} | ${ccdp(select({ ...WEB, namespace: "*" }))}                                           | ${'spec.resourceSelectors[0].namespace: Invalid value: "*": taken literally'}
    ${"another namespace"}            | ${cdp(select({ ...WEB, namespace: "other" }))}                                        | ${'spec.resourceSelectors[0].namespace: Invalid value: "other": selects outside the policy\'s own namespace; write shop, or use a ClusterCascadeDeletionPolicy'}
    ${"the same selector twice"}      | ${cdp(select(WEB, WEB))}                                                              | ${"spec.resourceSelectors[1]: Duplicate value"}
    ${"a broken label selector"}      | ${cdp(select({ ...DEPLOYMENTS, labelSelector: { matchLabels: { a: "b c" } } }))}      | ${"spec.resourceSelectors[0].labelSelector.matchLabels[a]: Invalid value"}
    ${"a word that nobody knows"}     | ${cdp({ cascadeDeletion: "foreground" })}                                             | ${'spec.cascadeDeletion: Unsupported value: "foreground": supported values: "orphan", "background", "adopted"'}
    ${"a broken cluster selector"}    | ${cdp(onto({ fieldSelector: { matchExpressions: [{ key: "x", operator: "In" }] } }))} | ${"spec.targetCluster.fieldSelector.matchExpressions[0].key: Unsupported value"}
    ${"an empty cluster name"}        | ${cdp(onto({ clusterNames: [""] }))}                                                  | ${"spec.targetCluster.clusterNames[0]: Required value"}
  `("$given", ({ object, says }) => {
    const { errors } = validate(object, facts);
    expect(errors.map(formatFieldError).join("\n")).toContain(says);
  });
});

describe("validate warns about", () => {
  it.each`
    given                                      | object                                                                            | says
    ${"labels beside a name"}                  | ${cdp(select({ ...WEB, labelSelector: { matchLabels: { a: "b" } } }))}            | ${"labelSelector: without effect, because name is set"}
    ${"a kind this cluster does not serve"}    | ${cdp(select({ apiVersion: "x.io/v1", kind: "Widget", name: "w" }))}              | ${"this cluster serves no Widget of x.io/v1"}
    ${"a cluster that has not joined"}         | ${cdp(onto({ clusterNames: ["m9"] }))}                                            | ${'spec.targetCluster.clusterNames: cluster "m9" has not joined'}
    ${"a cluster-scoped kind in a namespace"}  | ${cdp(select(ROLE))}                                                              | ${"ClusterRole has no namespace, so only a ClusterCascadeDeletionPolicy can select it"}
    ${"a namespace for a cluster-scoped kind"} | ${ccdp(select({ ...ROLE, namespace: "shop" }))}                                   | ${"namespace: ClusterRole has no namespace, so this selects nothing"}
    ${"what is never sent anywhere"}           | ${cdp(select({ apiVersion: "v1", kind: "ConfigMap", name: "kube-root-ca.crt" }))} | ${"spec.resourceSelectors[0]: without effect, it is never sent to a cluster: "}
    ${"a reserved namespace"}                  | ${ccdp(select({ ...WEB, namespace: "kube-system" }))}                             | ${"without effect, it is never sent to a cluster: namespace kube-system is reserved"}
  `("$given", ({ object, says }) => {
    const { errors, warnings } = validate(object, facts);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(says)]);
    expect(warnings.every(text => text.length <= 120 && !text.includes("\n"))).toBe(true);
  });

  it("clusters that are all excluded again", () => {
    const { warnings } = validate(cdp(onto({ clusterNames: ["m1"], exclude: ["m1"] })), facts);
    expect(warnings).toContain(
      "spec.targetCluster: exclude takes out every name of clusterNames; the policy has no effect",
    );
  });
});

describe("validate warns, when templates have its word on record, that", () => {
  it.each`
    given                             | was                                          | is                                           | says
    ${"orphan has become background"} | ${cdp()}                                     | ${cdp({ cascadeDeletion: "background" })}    | ${["spec.cascadeDeletion: background now; the copies of 2 templates go when these are deleted"]}
    ${"orphan was taken out"}         | ${cdp()}                                     | ${cdp({ cascadeDeletion: undefined })}       | ${["spec.cascadeDeletion: background now; the copies of 2 templates go when these are deleted"]}
    ${"orphan has become adopted"}    | ${ccdp()}                                    | ${ccdp({ cascadeDeletion: "adopted" })}      | ${["spec.cascadeDeletion: adopted now; of 2 templates only copies that were there before stay"]}
    ${"background has become orphan"} | ${cdp({ cascadeDeletion: "background" })}    | ${cdp()}                                     | ${[]}
    ${"a selector was taken out"}     | ${cdp(select(WEB, { ...WEB, name: "api" }))} | ${cdp()}                                     | ${["spec: what is no longer selected keeps the last word, orphan (on record for 2 templates)"]}
    ${"a selector was added"}         | ${cdp()}                                     | ${cdp(select({ ...WEB, name: "api" }, WEB))} | ${[]}
    ${"it counts in fewer clusters"}  | ${cdp()}                                     | ${cdp(onto({ clusterNames: ["m1"] }))}       | ${["spec: what is no longer selected keeps the last word, orphan (on record for 2 templates)"]}
    ${"nothing has changed"}          | ${cdp()}                                     | ${cdp()}                                     | ${[]}
  `("$given", ({ was, is, says }) => {
    expect(validate(is, after(was, 2))).toEqual({ errors: [], warnings: says });
    expect(validate(is, after(was, 0)).warnings).toEqual([]);
  });
});

describe("validate warns of a contradiction with", () => {
  it.each`
    given                                             | other                                                                                               | says
    ${"a cluster policy about the same name"}         | ${ccdp({ cascadeDeletion: "background" }, "wide")}                                                  | ${"ClusterCascadeDeletionPolicy wide says background about Deployment web; the word that keeps more wins"}
    ${"a neighbour of the same namespace"}            | ${cdp({ cascadeDeletion: "adopted" }, { name: "q" })}                                               | ${"CascadeDeletionPolicy shop/q says adopted about Deployment web; the word that keeps more wins"}
    ${"one that agrees"}                              | ${ccdp({}, "wide")}                                                                                 | ${undefined}
    ${"one of another namespace"}                     | ${cdp({ cascadeDeletion: "background" }, { namespace: "other" })}                                   | ${undefined}
    ${"one about another namespace"}                  | ${ccdp({ cascadeDeletion: "background", ...select({ ...WEB, namespace: "other" }) }, "w")}          | ${undefined}
    ${"one of lower rank"}                            | ${ccdp({ cascadeDeletion: "background", ...select(DEPLOYMENTS) }, "wide")}                          | ${undefined}
    ${"one that names clusters, and so ranks higher"} | ${ccdp({ cascadeDeletion: "background", ...onto({ clusterNames: ["m1"] }) }, "wide")}               | ${undefined}
    ${"one that leaves"}                              | ${cdp({ cascadeDeletion: "background" }, { name: "q", deletionTimestamp: "2026-01-01T00:00:00Z" })} | ${undefined}
    ${"itself as it was"}                             | ${cdp({ cascadeDeletion: "background" })}                                                           | ${undefined}
  `("$given", ({ other, says }) => {
    expect(validate(cdp(), beside(other))).toEqual({ errors: [], warnings: says ? [says] : [] });
  });

  it("one that selects all of the kind, as this one does", () => {
    const other = ccdp({ cascadeDeletion: "background", ...select(DEPLOYMENTS) }, "wide");
    expect(validate(cdp(select(DEPLOYMENTS)), beside(other)).warnings).toEqual([
      expect.stringContaining("ClusterCascadeDeletionPolicy wide says background about the same Deployment objects"),
    ]);
  });
});

describe("validate is silent about", () => {
  it.each`
    given                                      | object                                                    | context
    ${"a plain policy"}                        | ${cdp()}                                                  | ${facts}
    ${"a plain cluster policy"}                | ${ccdp(select({ ...WEB, namespace: "shop" }))}            | ${facts}
    ${"a cluster policy for roles"}            | ${ccdp(select(ROLE))}                                     | ${facts}
    ${"clusters, before any is known"}         | ${cdp(onto({ clusterNames: ["m9"] }))}                    | ${{}}
    ${"a kind, before discovery has answered"} | ${cdp(select({ apiVersion: "x.io/v1", kind: "Widget" }))} | ${{ kindExists: () => undefined }}
    ${"a weaker word, before facts are known"} | ${cdp({ cascadeDeletion: "background" })}                 | ${{ old: cdp() }}
  `("$given", ({ object, context }) => {
    expect(validate(object, context)).toEqual({ errors: [], warnings: [] });
  });
});
