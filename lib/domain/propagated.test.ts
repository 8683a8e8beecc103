// Does the answer before a deletion say what the decision after it will be?
import { describe, expect, it } from "vitest";
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { KubeObject } from "../../crds/object.js";
import type { CascadeRule } from "./cascade.js";
import { CASCADE_DELETION_ANNOTATION, PP_ID_LABEL, PP_NAME_ANNOTATION, PP_NAMESPACE_ANNOTATION } from "./marks.js";
import {
  clustersByPolicyField,
  copiesOf,
  orphanedCopiesOf,
  recordedCopiesOf,
  type BindingFacts,
  type Propagated,
} from "./propagated.js";

const MARKS = {
  labels: { [PP_ID_LABEL]: "id" },
  annotations: { [PP_NAMESPACE_ANNOTATION]: "shop", [PP_NAME_ANNOTATION]: "web-pp" },
};

function template(annotations: Record<string, string> = {}, claimed = true): KubeObject {
  const marks = claimed ? MARKS : { labels: {}, annotations: {} };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", ...marks, annotations: { ...marks.annotations, ...annotations } },
  };
}

function binding(spec: Partial<BindingFacts["spec"]> = {}): BindingFacts {
  return {
    metadata: { name: "web-deployment", namespace: "shop", ...MARKS },
    spec: {
      resource: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" },
      clusters: [{ name: "m1" }, { name: "m2" }],
      ...spec,
    },
    status: {
      aggregatedStatus: [
        { clusterName: "m1", applied: true, status: { replicas: 3 } },
        { clusterName: "m2", applied: false, presence: "Foreign" },
      ],
    },
  };
}

function rule(cascadeDeletion: string, clusterNames: string[] = [], namespace = "shop"): CascadeRule {
  const resourceSelectors = [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }];
  const spec = { cascadeDeletion, resourceSelectors, targetCluster: { clusterNames } };
  return { kind: "CascadeDeletionPolicy", metadata: { name: "r", namespace }, spec } as CascadeRule;
}

function facts(policy: boolean | "unset" | "gone", ...rules: CascadeRule[]): Propagated {
  const word = { preserve: policy === true, decidedBy: "PropagationPolicy shop/web-pp" };
  return {
    bindingOf: () => undefined,
    bindingsIn: () => [],
    bindingsOf: () => [],
    bindingsDecidedBy: () => [],
    wordOf: ({ id }) => (policy === "gone" || id !== "id" ? undefined : word),
    rules: () => rules,
    clusterOf: () => undefined,
  };
}

const entry = (name: string, cascadeDeletion: string, reason: string): ClusterDeletion =>
  ({ name, cascadeDeletion, reason, decidedBy: "x" }) as ClusterDeletion;

const words = (copies: readonly { cascade: string }[]): string => copies.map(copy => copy.cascade).join(" ");

describe("copiesOf", () => {
  it.each`
    given                                            | object                                                   | on                                                                                | known                                    | says
    ${"a policy that says nothing"}                  | ${template()}                                            | ${binding()}                                                                      | ${facts("unset")}                        | ${"background background"}
    ${"a policy that keeps"}                         | ${template()}                                            | ${binding()}                                                                      | ${facts(true)}                           | ${"orphan orphan"}
    ${"a policy that the binding has not heard yet"} | ${template()}                                            | ${binding({ preserveResourcesOnDeletion: true })}                                 | ${facts(false)}                          | ${"background background"}
    ${"an annotation against the policy"}            | ${template({ [CASCADE_DELETION_ANNOTATION]: "orphan" })} | ${binding()}                                                                      | ${facts(false)}                          | ${"orphan orphan"}
    ${"a rule for one cluster"}                      | ${template()}                                            | ${binding()}                                                                      | ${facts(false, rule("adopted", ["m2"]))} | ${"background adopted"}
    ${"a rule of another namespace"}                 | ${template()}                                            | ${binding()}                                                                      | ${facts(false, rule("orphan", [], "x"))} | ${"background background"}
    ${"a rule that is gone, on record"}              | ${template()}                                            | ${binding({ clusterDeletion: [entry("m1", "orphan", "CascadeDeletionPolicy")] })} | ${facts(false)}                          | ${"orphan background"}
    ${"an annotation that was taken off, on record"} | ${template()}                                            | ${binding({ clusterDeletion: [entry("m1", "orphan", "TemplateAnnotation")] })}    | ${facts(false)}                          | ${"background background"}
    ${"a policy that is gone"}                       | ${template({}, false)}                                   | ${binding({ preserveResourcesOnDeletion: true })}                                 | ${facts("gone")}                         | ${"orphan orphan"}
  `("says $says for $given", ({ object, on, known, says }) => {
    expect(words(copiesOf(object, on, known))).toBe(says);
  });

  it("tells pods and whose it is", () => {
    expect(copiesOf(template(), binding(), facts(true))).toEqual([
      { cluster: "m1", cascade: "orphan", pods: 3, presence: "Ours" },
      { cluster: "m2", cascade: "orphan", presence: "Foreign" },
    ]);
  });

  it.each`
    kind            | status                               | pods
    ${"Deployment"} | ${{ replicas: 2, readyReplicas: 1 }} | ${2}
    ${"DaemonSet"}  | ${{ currentNumberScheduled: 4 }}     | ${4}
    ${"Job"}        | ${{ active: 1, succeeded: 3 }}       | ${1}
    ${"ConfigMap"}  | ${undefined}                         | ${undefined}
    ${"a text"}     | ${"odd"}                             | ${undefined}
  `("counts the pods of a $kind", ({ status, pods }) => {
    const on = { ...binding(), status: { aggregatedStatus: [{ clusterName: "m1", status }] } };
    expect(copiesOf(template(), on, facts(true))[0]?.pods).toBe(pods);
  });
});

describe("recordedCopiesOf", () => {
  it.each`
    given                              | on                                                                                | known            | says
    ${"a policy that keeps"}           | ${binding()}                                                                      | ${facts(true)}   | ${"orphan orphan"}
    ${"a policy that no longer keeps"} | ${binding({ preserveResourcesOnDeletion: true })}                                 | ${facts(false)}  | ${"background background"}
    ${"a policy that is gone"}         | ${binding({ preserveResourcesOnDeletion: true })}                                 | ${facts("gone")} | ${"orphan orphan"}
    ${"an annotation on record"}       | ${binding({ clusterDeletion: [entry("m1", "adopted", "TemplateAnnotation")] })}   | ${facts(false)}  | ${"adopted background"}
    ${"a rule on record"}              | ${binding({ clusterDeletion: [entry("m2", "orphan", "CascadeDeletionPolicy")] })} | ${facts(false)}  | ${"background orphan"}
  `("says $says for $given", ({ on, known, says }) => {
    expect(words(recordedCopiesOf(on, known))).toBe(says);
  });
});

describe("orphanedCopiesOf", () => {
  it("keeps everything, whatever is on record", () => {
    const on = binding({ clusterDeletion: [entry("m1", "background", "CascadeDeletionPolicy")] });
    expect(words(orphanedCopiesOf(on))).toBe("orphan orphan");
  });
});

describe("clustersByPolicyField", () => {
  it.each`
    given                               | on                                                                                                                          | says
    ${"no record"}                      | ${binding()}                                                                                                                | ${["m1", "m2"]}
    ${"a rule and the field on record"} | ${binding({ clusterDeletion: [entry("m1", "orphan", "CascadeDeletionPolicy"), entry("m2", "orphan", "PolicyField")] })}     | ${["m2"]}
    ${"an annotation on record"}        | ${binding({ clusterDeletion: [entry("m1", "orphan", "TemplateAnnotation"), entry("m2", "orphan", "TemplateAnnotation")] })} | ${[]}
  `("is $says for $given", ({ on, says }) => {
    expect(clustersByPolicyField(on)).toEqual(says);
  });
});
