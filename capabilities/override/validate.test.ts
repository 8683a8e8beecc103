// Every message a person can get about an override policy.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { KubeObject } from "../../crds/object.js";
import type { AdmissionContext } from "../../lib/domain/admission.js";
import { formatFieldError } from "../../lib/domain/field-error.js";
import { validate } from "./validate.js";

function op(spec: object, kind = "OverridePolicy"): KubeObject {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind,
    metadata: { name: "o", namespace: kind === "OverridePolicy" ? "shop" : undefined } as KubeObject["metadata"],
    spec,
  };
}

function rule(overriders: object, targetCluster?: object): KubeObject {
  return op({ overrideRules: [{ ...(targetCluster ? { targetCluster } : {}), overriders }] });
}

function plaintext(path: string, operator = "replace", value?: unknown): KubeObject {
  const given = value ?? (operator === "remove" ? undefined : 1);
  return rule({ plaintext: [{ path, operator, ...(given === undefined ? {} : { value: given }) }] });
}

function errorsOf(object: KubeObject, context: AdmissionContext = {}): string[] {
  return validate(object, context).errors.map(formatFieldError);
}

const AT = "spec.overrideRules[0].overriders";

describe("validate refuses", () => {
  it.each`
    given                                  | object                                                                                                                                                                                                             | says
    ${"a pointer without its first slash"} | ${plaintext("spec/replicas")}                                                                                                                                                                                      | ${`${AT}.plaintext[0].path: Invalid value: "spec/replicas": not a JSON pointer; write /spec/replicas`}
    ${"dots instead of slashes"}           | ${plaintext("spec.replicas")}                                                                                                                                                                                      | ${`not a JSON pointer; write /spec/replicas`}
    ${"a JSON path"}                       | ${plaintext("$.spec.containers[0].image")}                                                                                                                                                                         | ${`not a JSON pointer; write /spec/containers/0/image`}
    ${"a lone tilde"}                      | ${plaintext("/metadata/labels/a~b")}                                                                                                                                                                               | ${`not a JSON pointer; a ~ inside a key is written ~0`}
    ${"a slash inside an annotation key"}  | ${plaintext("/metadata/annotations/lb.example/vpc", "add", "x")}                                                                                                                                                   | ${`a slash inside a key is written ~1; write /metadata/annotations/lb.example~1vpc`}
    ${"a slash inside a pod label key"}    | ${plaintext("/spec/template/metadata/labels/a.b/c", "add", "x")}                                                                                                                                                   | ${`write /spec/template/metadata/labels/a.b~1c`}
    ${"a slash inside a node label key"}   | ${plaintext("/spec/template/spec/nodeSelector/kubernetes.io/os", "add", "x")}                                                                                                                                      | ${`write /spec/template/spec/nodeSelector/kubernetes.io~1os`}
    ${"another name"}                      | ${plaintext("/metadata/name", "replace", "x")}                                                                                                                                                                     | ${`${AT}.plaintext[0].path: Forbidden: /metadata/name cannot be overridden: it says which object this is`}
    ${"another namespace"}                 | ${plaintext("/metadata/namespace", "replace", "x")}                                                                                                                                                                | ${`/metadata/namespace cannot be overridden`}
    ${"another kind"}                      | ${plaintext("/kind", "replace", "x")}                                                                                                                                                                              | ${`/kind cannot be overridden: it says which object this is`}
    ${"another API version"}               | ${plaintext("/apiVersion", "replace", "x")}                                                                                                                                                                        | ${`/apiVersion cannot be overridden`}
    ${"a status"}                          | ${plaintext("/status/replicas")}                                                                                                                                                                                   | ${`/status/replicas cannot be overridden: status comes from the cluster`}
    ${"all of metadata"}                   | ${plaintext("/metadata", "replace", {})}                                                                                                                                                                           | ${`/metadata cannot be overridden: write a pointer to one label or annotation`}
    ${"the whole object"}                  | ${plaintext("", "replace", {})}                                                                                                                                                                                    | ${`the whole object cannot be overridden: write a pointer to one field`}
    ${"owner references"}                  | ${plaintext("/metadata/ownerReferences/0", "remove", undefined)}                                                                                                                                                   | ${`/metadata/ownerReferences/0 cannot be overridden`}
    ${"the mark of our own objects"}       | ${plaintext("/metadata/labels/karmada.io~1managed", "remove", undefined)}                                                                                                                                          | ${`this label is how the object is known in the cluster`}
    ${"add without a value"}               | ${rule({ plaintext: [{ path: "/spec/paused", operator: "add" }] })}                                                                                                                                                | ${`${AT}.plaintext[0].value: Required value: add needs a value`}
    ${"replace without a value"}           | ${rule({ plaintext: [{ path: "/spec/paused", operator: "replace" }] })}                                                                                                                                            | ${`replace needs a value; to take something away, use remove`}
    ${"remove with a value"}               | ${plaintext("/spec/paused", "remove", true)}                                                                                                                                                                       | ${`${AT}.plaintext[0].value: Forbidden: remove takes no value`}
    ${"an unknown operator"}               | ${plaintext("/spec/paused", "move", true)}                                                                                                                                                                         | ${`Unsupported value: "move": supported values: "add", "remove", "replace"`}
    ${"an image part that does not exist"} | ${rule({ imageOverrider: [{ component: "prefix", operator: "replace", value: "x" }] })}                                                                                                                            | ${`${AT}.imageOverrider[0].component: Unsupported value: "prefix": supported values: "Registry", "Repository", "Tag"`}
    ${"an image part without a value"}     | ${rule({ imageOverrider: [{ component: "Tag", operator: "replace" }] })}                                                                                                                                           | ${`${AT}.imageOverrider[0].value: Required value`}
    ${"a removed image part with a value"} | ${rule({ imageOverrider: [{ component: "Tag", operator: "remove", value: "v1" }] })}                                                                                                                               | ${`${AT}.imageOverrider[0].value: Forbidden: remove takes no value`}
    ${"a tag that is none"}                | ${rule({ imageOverrider: [{ component: "Tag", operator: "replace", value: "a b" }] })}                                                                                                                             | ${`${AT}.imageOverrider[0].value: Invalid value: "a b": not a tag of an image; write a tag, as in v1.2`}
    ${"a registry that is none"}           | ${rule({ imageOverrider: [{ component: "Registry", operator: "replace", value: "https://r.io" }] })}                                                                                                               | ${`not a registry of an image; write a host`}
    ${"an image at a broken pointer"}      | ${rule({ imageOverrider: [{ predicate: { path: "spec" }, component: "Tag", operator: "replace", value: "v1" }] })}                                                                                                 | ${`${AT}.imageOverrider[0].predicate.path: Invalid value: "spec": not a JSON pointer; write /spec`}
    ${"arguments of no container"}         | ${rule({ argsOverrider: [{ containerName: "", operator: "add", value: ["-v"] }] })}                                                                                                                                | ${`${AT}.argsOverrider[0].containerName: Required value`}
    ${"a command change without words"}    | ${rule({ commandOverrider: [{ containerName: "c", operator: "add" }] })}                                                                                                                                           | ${`${AT}.commandOverrider[0].value: Required value: write the words to add`}
    ${"a label key that is none"}          | ${rule({ labelsOverrider: [{ operator: "add", value: { "a/b/c": "x" } }] })}                                                                                                                                       | ${`${AT}.labelsOverrider[0].value: Invalid value: "a/b/c": not a label key`}
    ${"a label value that is none"}        | ${rule({ labelsOverrider: [{ operator: "add", value: { a: "b c" } }] })}                                                                                                                                           | ${`${AT}.labelsOverrider[0].value[a]: Invalid value: "b c": not a label value`}
    ${"no label at all"}                   | ${rule({ labelsOverrider: [{ operator: "add", value: {} }] })}                                                                                                                                                     | ${`${AT}.labelsOverrider[0].value: Required value: write at least one key`}
    ${"a label that is a mark of ours"}    | ${rule({ labelsOverrider: [{ operator: "remove", value: { "work.karmada.io/permanent-id": "" } }] })}                                                                                                              | ${`it cannot be overridden`}
    ${"an annotation key that is none"}    | ${rule({ annotationsOverrider: [{ operator: "add", value: { "a b": "x y" } }] })}                                                                                                                                  | ${`${AT}.annotationsOverrider[0].value: Invalid value: "a b": not a label key`}
    ${"what has no effect yet"}            | ${rule({ fieldOverrider: [{ fieldPath: "/data/a" }] })}                                                                                                                                                            | ${`${AT}.fieldOverrider: Forbidden: not supported by this version; use plaintext`}
    ${"the same rule twice"}               | ${op({ overrideRules: [{ overriders: { argsOverrider: [{ containerName: "c", operator: "add", value: ["x"] }] } }, { overriders: { argsOverrider: [{ containerName: "c", operator: "add", value: ["x"] }] } }] })} | ${"spec.overrideRules[1]: Duplicate value: the same as spec.overrideRules[0]"}
    ${"an old target beside rules"}        | ${op({ overrideRules: [{ overriders: {} }], targetCluster: {} })}                                                                                                                                                  | ${"spec.targetCluster: Forbidden: the old form cannot stand beside overrideRules"}
    ${"another namespace"}                 | ${op({ resourceSelectors: [{ apiVersion: "v1", kind: "Pod", namespace: "other" }] })}                                                                                                                              | ${'spec.resourceSelectors[0].namespace: Invalid value: "other": selects outside the policy\'s own namespace; write shop, or use a ClusterOverridePolicy'}
    ${"a broken target"}                   | ${rule({}, { fieldSelector: { matchExpressions: [{ key: "x", operator: "In", values: ["y"] }] } })}                                                                                                                | ${'spec.overrideRules[0].targetCluster.fieldSelector.matchExpressions[0].key: Unsupported value: "x"'}
    ${"a broken old target"}               | ${op({ targetCluster: { labelSelector: { matchLabels: { "a b": "" } } } })}                                                                                                                                        | ${"spec.targetCluster.labelSelector.matchLabels: Invalid value"}
  `("$given", ({ object, says }) => {
    expect(errorsOf(object).join("\n")).toContain(says);
  });

  it.each([
    ["plaintext", { path: "/a", operator: "remove" }],
    ["imageOverrider", { component: "Tag", operator: "remove" }],
    ["commandOverrider", { containerName: "c", operator: "add", value: ["x"] }],
    ["argsOverrider", { containerName: "c", operator: "add", value: ["x"] }],
    ["labelsOverrider", { operator: "add", value: { a: "b" } }],
    ["annotationsOverrider", { operator: "add", value: { a: "b" } }],
    ["fieldOverrider", { fieldPath: "/a" }],
  ])("an old-style %s beside rules", (kind, overrider) => {
    const object = op({ overrideRules: [{ overriders: {} }], overriders: { [kind]: [overrider] } });
    expect(errorsOf(object)).toContain(
      "spec.overriders: Forbidden: the old form cannot stand beside overrideRules; move it into a rule",
    );
  });

  it("everything at once", () => {
    const object = rule({
      plaintext: [
        { path: "spec/a", operator: "add" },
        { path: "/kind", operator: "replace", value: "x" },
      ],
      labelsOverrider: [{ operator: "add", value: { "a b": "c" } }],
    });
    expect(errorsOf(object)).toHaveLength(4);
  });
});

describe("validate warns of", () => {
  const context = { knownClusters: new Set(["m1"]), kindExists: () => false };
  const change = { plaintext: [{ path: "/spec/replicas", operator: "replace", value: 2 }] };

  it.each`
    given                              | object                                                                                                   | says
    ${"the old form"}                  | ${op({ targetCluster: { clusterNames: ["m1"] }, overriders: change })}                                   | ${"the old form; write overrideRules"}
    ${"a cluster that has not joined"} | ${rule(change, { clusterNames: ["m9"] })}                                                                | ${'spec.overrideRules[0].targetCluster.clusterNames: cluster "m9" has not joined'}
    ${"a policy that says nothing"}    | ${op({})}                                                                                                | ${"spec.overrideRules: empty; the policy has no effect"}
    ${"a rule that says nothing"}      | ${rule({})}                                                                                              | ${"spec.overrideRules[0].overriders: says nothing"}
    ${"a kind nobody serves"}          | ${op({ resourceSelectors: [{ apiVersion: "v1", kind: "X" }], overrideRules: [{ overriders: change }] })} | ${"serves no X of v1"}
  `("$given", ({ object, says }) => {
    expect(validate(object, context)).toEqual({ errors: [], warnings: [expect.stringContaining(says)] });
  });
});

describe("validate takes", () => {
  it.each`
    given                                         | object
    ${"a replica count by cluster"}               | ${plaintext("/spec/replicas")}
    ${"an escaped annotation key"}                | ${plaintext("/metadata/annotations/lb.example~1vpc", "add", "x")}
    ${"a value of null inside a value"}           | ${plaintext("/spec/template", "add", { a: null })}
    ${"a value of false"}                         | ${plaintext("/spec/paused", "replace", false)}
    ${"a custom resource's deep nodeSelector"}    | ${plaintext("/spec/nodeSelector/nodeSelectorTerms/0", "remove", undefined)}
    ${"a field called labels outside metadata"}   | ${plaintext("/spec/labels/a/b", "add", "x")}
    ${"a tag to add to"}                          | ${rule({ imageOverrider: [{ component: "Tag", operator: "add", value: "-arm" }] })}
    ${"a digest"}                                 | ${rule({ imageOverrider: [{ component: "Tag", operator: "replace", value: `sha256:${"a".repeat(64)}` }] })}
    ${"labels to remove, whatever their values"}  | ${rule({ labelsOverrider: [{ operator: "remove", value: { a: "any thing" } }] })}
    ${"any namespace in a cluster-scoped policy"} | ${op({ resourceSelectors: [{ apiVersion: "v1", kind: "Pod", namespace: "other" }], overrideRules: [{ overriders: { argsOverrider: [{ containerName: "c", operator: "add", value: ["x"] }] } }] }, "ClusterOverridePolicy")}
  `("$given", ({ object }) => {
    expect(validate(object, {})).toEqual({ errors: [], warnings: [] });
  });
});

describe("the override policies of the seeds", () => {
  const seed = (name: string): KubeObject =>
    parse(readFileSync(join(import.meta.dirname, "../../test/fixtures/seeds", name), "utf8")) as KubeObject;

  it("the overview's image prefix is refused with the parts that an image has", () => {
    expect(errorsOf(seed("overview-override-policy.yaml"))).toEqual([
      'spec.overriders.imageOverrider[0].component: Unsupported value: "prefix": supported values: "Registry", "Repository", "Tag"',
    ]);
  });

  it("the demonstration's old form works, with a warning", () => {
    expect(validate(seed("overview-demo-override-policy.yaml"), {})).toEqual({
      errors: [],
      warnings: [expect.stringContaining("old form")],
    });
  });
});
