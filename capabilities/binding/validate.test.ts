// Every message a person can get who writes a binding by hand.
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { formatFieldError } from "../../lib/domain/field-error.js";
import { DEPENDENCIES_ANNOTATION, RB_ID_LABEL } from "../../lib/domain/marks.js";
import { bindingPermanentId } from "../../lib/domain/names.js";
import { defaults } from "./default.js";
import { validate } from "./validate.js";

const RESOURCE = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };

function rb(spec: object = {}, metadata: object = {}): KubeObject {
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: { name: "web-deployment", namespace: "shop", ...metadata },
    spec: { resource: RESOURCE, ...spec },
  };
}

describe("validate refuses", () => {
  it.each`
    given                              | object                                                          | says
    ${"no resource"}                   | ${rb({ resource: undefined })}                                  | ${"spec.resource: "}
    ${"a nameless cluster"}            | ${rb({ clusters: [{ name: "" }] })}                             | ${"spec.clusters[0].name: Required value: name a cluster"}
    ${"a cluster twice"}               | ${rb({ clusters: [{ name: "m1" }, { name: "m1" }] })}           | ${'spec.clusters[1].name: Duplicate value: "m1"'}
    ${"dependencies that are no JSON"} | ${rb({}, { annotations: { [DEPENDENCIES_ANNOTATION]: "[" } })}  | ${"metadata.annotations[resourcebinding.karmada.io/dependencies]: Invalid value"}
    ${"dependencies that are no list"} | ${rb({}, { annotations: { [DEPENDENCIES_ANNOTATION]: "{}" } })} | ${"not a JSON list"}
    ${"what has no effect yet"}        | ${rb({ failover: { cluster: {} } })}                            | ${"spec.failover: Forbidden: not supported by this version"}
  `("$given", ({ object, says }) => {
    expect(validate(object, {}).errors.map(formatFieldError).join("\n")).toContain(says);
  });
});

describe("validate warns of", () => {
  const edited = "spec: written by the operator from the policy; this change is undone, change the policy instead";

  it.each`
    given                                   | object                                        | old                                          | warnings
    ${"a binding made by hand"}             | ${rb()}                                       | ${undefined}                                 | ${["bindings are made from policies; one made by hand is not kept up to date"]}
    ${"a spec changed by hand"}             | ${rb({ preserveResourcesOnDeletion: false })} | ${rb({ preserveResourcesOnDeletion: true })} | ${[edited]}
    ${"nothing when only metadata changes"} | ${rb({}, { labels: { a: "b" } })}             | ${rb()}                                      | ${[]}
    ${"nothing when a queue suspends it"}   | ${rb({ suspension: { scheduling: true } })}   | ${rb()}                                      | ${[]}
  `("$given", ({ object, old, warnings }) => {
    expect(validate(object, { old })).toEqual({ errors: [], warnings });
  });

  it("a cluster that has not joined", () => {
    const object = rb({ clusters: [{ name: "m9" }] });
    expect(validate(object, { old: object, knownClusters: new Set(["m1"]) }).warnings).toEqual([
      expect.stringContaining('cluster "m9" has not joined'),
    ]);
  });
});

describe("defaults", () => {
  const id = bindingPermanentId("ResourceBinding", "shop", "web-deployment");

  it.each`
    given                              | object                                        | old                                           | label
    ${"a binding without an id"}       | ${rb()}                                       | ${undefined}                                  | ${id}
    ${"a binding that Karmada made"}   | ${rb({}, { labels: { [RB_ID_LABEL]: "k" } })} | ${undefined}                                  | ${undefined}
    ${"an update that dropped the id"} | ${rb()}                                       | ${rb({}, { labels: { [RB_ID_LABEL]: "k" } })} | ${"k"}
  `("gives $given the label $label", ({ object, old, label }) => {
    expect(defaults(object, old)?.metadata.labels?.[RB_ID_LABEL]).toBe(label);
  });

  it("uses the other label for a cluster-scoped binding", () => {
    const crb = { ...rb(), kind: "ClusterResourceBinding", metadata: { name: "x-clusterrole" } };
    expect(defaults(crb)?.metadata.labels).toEqual({
      "clusterresourcebinding.karmada.io/permanent-id": bindingPermanentId(
        "ClusterResourceBinding",
        undefined,
        "x-clusterrole",
      ),
    });
  });
});
