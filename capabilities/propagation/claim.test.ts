// Does a claim write each mark once, and leave alone what is not ours?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Claim } from "../../lib/domain/claims.js";
import {
  CPP_ID_LABEL,
  CPP_NAME_ANNOTATION,
  LET_GO_FINALIZER,
  PP_ID_LABEL,
  PP_NAME_ANNOTATION,
  PP_NAMESPACE_ANNOTATION,
} from "../../lib/domain/marks.js";
import { declaresFinalizers, planClaim, type MetadataPatch } from "./claim.js";

const PP: Claim = { kind: "PropagationPolicy", namespace: "shop", name: "web-pp", id: "p1" };
const CPP: Claim = { kind: "ClusterPropagationPolicy", name: "wide", id: "c1" };
const MARKS = {
  labels: { [PP_ID_LABEL]: "p1" },
  annotations: { [PP_NAMESPACE_ANNOTATION]: "shop", [PP_NAME_ANNOTATION]: "web-pp" },
};

function template(metadata: object = {}, spec: object = { replicas: 2 }): KubeObject {
  const identity = { name: "web", namespace: "shop", uid: "u1", resourceVersion: "7" };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { ...identity, ...metadata }, spec };
}

/** What a JSON merge patch makes of the object. */
function patched(object: KubeObject, { metadata }: MetadataPatch): KubeObject {
  const merge = (map: object | undefined, changes: Readonly<Record<string, string | null>>) =>
    Object.fromEntries(Object.entries({ ...map, ...changes }).flatMap(([k, v]) => (v === null ? [] : [[k, v]])));
  const labels = merge(object.metadata.labels, metadata.labels);
  const annotations = merge(object.metadata.annotations, metadata.annotations);
  const finalizers = metadata.finalizers ?? object.metadata.finalizers;
  return { ...object, metadata: { ...object.metadata, labels, annotations, finalizers } };
}

describe("planClaim", () => {
  it("writes marks and finalizer at once, guarded", () => {
    expect(planClaim(template({ finalizers: ["x"] }), PP, true)).toEqual({
      metadata: { uid: "u1", resourceVersion: "7", ...MARKS, finalizers: ["x", LET_GO_FINALIZER] },
    });
  });

  it.each`
    given                                            | metadata                                                                          | claim        | letGo    | patch
    ${"a template that says so already"}             | ${{ ...MARKS, finalizers: [LET_GO_FINALIZER] }}                                   | ${PP}        | ${true}  | ${undefined}
    ${"a template without claim, and nothing to do"} | ${{ labels: { app: "web" } }}                                                     | ${undefined} | ${false} | ${undefined}
    ${"a finalizer that was taken away"}             | ${MARKS}                                                                          | ${PP}        | ${true}  | ${{ labels: {}, annotations: {}, finalizers: [LET_GO_FINALIZER] }}
    ${"a finalizer that must not be there"}          | ${{ ...MARKS, finalizers: ["x", LET_GO_FINALIZER] }}                              | ${PP}        | ${false} | ${{ labels: {}, annotations: {}, finalizers: ["x"] }}
    ${"another policy of the same name"}             | ${{ ...MARKS, labels: { [PP_ID_LABEL]: "old" }, finalizers: [LET_GO_FINALIZER] }} | ${PP}        | ${true}  | ${{ labels: { [PP_ID_LABEL]: "p1" }, annotations: {} }}
    ${"a claim that passes to a cluster policy"}     | ${{ ...MARKS, finalizers: [LET_GO_FINALIZER] }}                                   | ${CPP}       | ${true}  | ${{ labels: { [PP_ID_LABEL]: null, [CPP_ID_LABEL]: "c1" }, annotations: { [PP_NAMESPACE_ANNOTATION]: null, [PP_NAME_ANNOTATION]: null, [CPP_NAME_ANNOTATION]: "wide" } }}
    ${"a claim that ends while copies are out"}      | ${{ ...MARKS, finalizers: [LET_GO_FINALIZER] }}                                   | ${undefined} | ${true}  | ${{ labels: { [PP_ID_LABEL]: null }, annotations: { [PP_NAMESPACE_ANNOTATION]: null, [PP_NAME_ANNOTATION]: null } }}
  `("plans what is missing, and no more: $given", ({ metadata, claim, letGo, patch }) => {
    const planned = planClaim(template(metadata as object), claim as Claim | undefined, letGo as boolean);
    expect(planned?.metadata).toEqual(
      patch === undefined ? undefined : { uid: "u1", resourceVersion: "7", ...(patch as object) },
    );
  });

  it("has nothing more to say once its patch is applied, and leaves what is not ours alone", () => {
    const key = fc.constantFrom(PP_ID_LABEL, CPP_ID_LABEL, PP_NAME_ANNOTATION, PP_NAMESPACE_ANNOTATION, "app", "note");
    const map = fc.option(fc.dictionary(key, fc.constantFrom("p1", "c1", "shop", "x")), { nil: undefined });
    const finalizers = fc.option(fc.uniqueArray(fc.constantFrom("x", "y", LET_GO_FINALIZER)), { nil: undefined });
    const claims = fc.constantFrom(PP, CPP, undefined);
    fc.assert(
      fc.property(map, map, finalizers, claims, fc.boolean(), (...[labels, annotations, held, claim, letGo]) => {
        const before = template({ labels, annotations, finalizers: held });
        const patch = planClaim(before, claim, letGo);
        const after = patch ? patched(before, patch) : before;
        expect(planClaim(after, claim, letGo)).toBeUndefined();
        expect(after.metadata.labels?.["app"]).toBe(labels?.["app"]);
        expect(after.metadata.annotations?.["note"]).toBe(annotations?.["note"]);
        const others = (list: readonly string[] = []) => list.filter(f => f !== LET_GO_FINALIZER);
        expect(others(after.metadata.finalizers)).toEqual(others(held));
        expect(after.metadata.finalizers?.includes(LET_GO_FINALIZER) ?? false).toBe(letGo);
      }),
    );
  });
});

describe("declaresFinalizers", () => {
  const owns = (field: object) => [{ manager: "argocd", fieldsV1: { "f:metadata": field } }];
  it.each`
    given                          | managedFields                                         | custom   | answer
    ${"a manifest with a list"}    | ${owns({ "f:finalizers": {} })}                       | ${true}  | ${true}
    ${"a manifest without one"}    | ${owns({ "f:labels": {} })}                           | ${true}  | ${false}
    ${"a kind of Kubernetes"}      | ${owns({ "f:finalizers": {} })}                       | ${false} | ${false}
    ${"no record"}                 | ${undefined}                                          | ${true}  | ${false}
    ${"a record without metadata"} | ${[{ manager: "x", fieldsV1: {} }, { manager: "y" }]} | ${true}  | ${false}
  `("is $answer for $given", ({ managedFields, custom, answer }) => {
    expect(declaresFinalizers(template({ managedFields }), custom as boolean)).toBe(answer);
  });
});
