// Every message a person can get who writes a Work by hand.
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { formatFieldError } from "../../lib/domain/field-error.js";
import { RB_ID_LABEL, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { workPermanentId } from "../../lib/domain/names.js";
import { defaults } from "./default.js";
import { validate } from "./validate.js";

const CONFIG = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "cfg" } };

function work(spec: object = { workload: { manifests: [CONFIG] } }, metadata: object = {}): KubeObject {
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name: "cfg-1", namespace: "karmada-es-m1", ...metadata },
    spec,
  };
}

function manifests(...list: object[]): KubeObject {
  return work({ workload: { manifests: list } });
}

describe("validate refuses", () => {
  it.each`
    given                             | object                                                                        | says
    ${"a Work outside any cluster"}   | ${work(undefined, { namespace: "shop" })}                                     | ${'metadata.namespace: Invalid value: "shop": belongs to no cluster; a Work stands in karmada-es-CLUSTER'}
    ${"a manifest without a kind"}    | ${manifests({ ...CONFIG, kind: undefined })}                                  | ${"spec.workload.manifests[0].kind: Required value"}
    ${"a manifest without a name"}    | ${manifests({ apiVersion: "v1", kind: "ConfigMap" })}                         | ${"spec.workload.manifests[0].metadata.name: Required value"}
    ${"the same object twice"}        | ${manifests(CONFIG, { ...CONFIG, data: { a: "b" } })}                         | ${'spec.workload.manifests[1]: Duplicate value: "v1 ConfigMap shop/cfg"'}
    ${"an order that does not exist"} | ${work({ cascadeDeletion: "foreground" })}                                    | ${'spec.cascadeDeletion: Unsupported value: "foreground": supported values: "orphan", "background", "adopted"'}
    ${"keeping and deleting at once"} | ${work({ cascadeDeletion: "background", preserveResourcesOnDeletion: true })} | ${'spec.cascadeDeletion: Invalid value: "background": contradicts preserveResourcesOnDeletion: true; leave one of the two out, or write orphan'}
    ${"deleting and keeping at once"} | ${work({ cascadeDeletion: "orphan", preserveResourcesOnDeletion: false })}    | ${'spec.cascadeDeletion: Invalid value: "orphan": contradicts preserveResourcesOnDeletion: false; leave one of the two out, or write background'}
    ${"a manifest that is no object"} | ${work({ workload: { manifests: ["x"] } })}                                   | ${"spec.workload.manifests[0]: Invalid value"}
  `("$given", ({ object, says }) => {
    expect(validate(object, {}).errors.map(formatFieldError).join("\n")).toContain(says);
  });
});

describe("validate warns of", () => {
  const bound = { labels: { [RB_ID_LABEL]: "b" } };

  it.each`
    given                                          | object                                                                     | old                       | says
    ${"a change in a Work that a binding made"}    | ${work({ preserveResourcesOnDeletion: true }, bound)}                      | ${work(undefined, bound)} | ${["spec: written by the operator from the binding; this change is undone, change the policy or template"]}
    ${"nothing when a binding's Work is the same"} | ${work(undefined, bound)}                                                  | ${work(undefined, bound)} | ${[]}
    ${"nothing in a Work of one's own"}            | ${work({ preserveResourcesOnDeletion: true })}                             | ${work()}                 | ${[]}
    ${"nothing in fields that agree"}              | ${work({ preserveResourcesOnDeletion: true, cascadeDeletion: "orphan" })}  | ${undefined}              | ${[]}
    ${"nothing in a word that older readers keep"} | ${work({ preserveResourcesOnDeletion: true, cascadeDeletion: "adopted" })} | ${undefined}              | ${[]}
    ${"nothing in a single word"}                  | ${work({ cascadeDeletion: "orphan" })}                                     | ${undefined}              | ${[]}
    ${"nothing in a new Work"}                     | ${work()}                                                                  | ${undefined}              | ${[]}
  `("$given", ({ object, old, says }) => {
    expect(validate(object, { old })).toEqual({ errors: [], warnings: says });
  });

  it("a cluster that has not joined", () => {
    expect(validate(work(), { knownClusters: new Set(["m2"]) }).warnings).toEqual([
      expect.stringContaining('metadata.namespace: cluster "m1" has not joined'),
    ]);
  });
});

describe("defaults", () => {
  const id = workPermanentId("karmada-es-m1", "cfg-1");
  const marked = (value: string) => work(undefined, { labels: { [WORK_ID_LABEL]: value } });

  it.each`
    given                               | object         | old            | label
    ${"a Work without an id"}           | ${work()}      | ${undefined}   | ${id}
    ${"a Work that Karmada made"}       | ${marked("k")} | ${undefined}   | ${undefined}
    ${"an update that dropped the id"}  | ${work()}      | ${marked("k")} | ${"k"}
    ${"an update with another id"}      | ${marked("x")} | ${marked("k")} | ${"k"}
    ${"an old Work that never had one"} | ${work()}      | ${work()}      | ${id}
  `("gives $given the label $label", ({ object, old, label }) => {
    expect(defaults(object, old)?.metadata.labels?.[WORK_ID_LABEL]).toBe(label);
  });
});
