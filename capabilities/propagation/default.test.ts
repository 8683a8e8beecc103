// The marks of a policy survive every way of writing it.
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { CPP_FINALIZER, CPP_ID_LABEL, PP_FINALIZER, PP_ID_LABEL } from "../../lib/domain/marks.js";
import { defaults } from "./default.js";

const newId = () => "new";

function policy(metadata: object = {}, kind = "PropagationPolicy"): KubeObject {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind,
    metadata: { name: "p", ...metadata },
    spec: { resourceSelectors: [] },
  };
}

function marked(id: string): KubeObject {
  return policy({ labels: { [PP_ID_LABEL]: id }, finalizers: [PP_FINALIZER] });
}

describe("defaults", () => {
  it.each`
    given                                       | object                                                                                      | old               | changes
    ${"a new policy"}                           | ${policy()}                                                                                 | ${undefined}      | ${{ labels: { [PP_ID_LABEL]: "new" }, finalizers: [PP_FINALIZER] }}
    ${"a new cluster-scoped policy"}            | ${policy({}, "ClusterPropagationPolicy")}                                                   | ${undefined}      | ${{ labels: { [CPP_ID_LABEL]: "new" }, finalizers: [CPP_FINALIZER] }}
    ${"a copy of another policy's manifest"}    | ${marked("theirs")}                                                                         | ${undefined}      | ${{ labels: { [PP_ID_LABEL]: "new" } }}
    ${"an update that keeps the marks"}         | ${marked("mine")}                                                                           | ${marked("mine")} | ${undefined}
    ${"a replace that dropped the marks"}       | ${policy()}                                                                                 | ${marked("mine")} | ${{ labels: { [PP_ID_LABEL]: "mine" }, finalizers: [PP_FINALIZER] }}
    ${"a replace with another id"}              | ${marked("theirs")}                                                                         | ${marked("mine")} | ${{ labels: { [PP_ID_LABEL]: "mine" } }}
    ${"an old policy that never had marks"}     | ${policy()}                                                                                 | ${policy()}       | ${{ labels: { [PP_ID_LABEL]: "new" }, finalizers: [PP_FINALIZER] }}
    ${"finalizers that someone else put there"} | ${policy({ finalizers: ["x"] })}                                                            | ${marked("mine")} | ${{ labels: { [PP_ID_LABEL]: "mine" }, finalizers: ["x", PP_FINALIZER] }}
    ${"a policy that is let go"}                | ${policy({ labels: { [PP_ID_LABEL]: "mine" }, deletionTimestamp: "2026-01-01T00:00:00Z" })} | ${marked("mine")} | ${undefined}
  `("gives $given what it needs, and no more", ({ object, old, changes }) => {
    expect(defaults(object, old, newId)?.metadata).toEqual(changes);
  });

  it("gives every new policy an id of its own", () => {
    const ids = [1, 2, 3].map(() => defaults(policy())?.metadata.labels?.[PP_ID_LABEL]);
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([undefined, null, {}, { metadata: { labels: [] } }])("does not trip over %j as the old object", old => {
    expect(defaults(policy(), old as unknown as KubeObject, newId)?.metadata.labels).toEqual({ [PP_ID_LABEL]: "new" });
  });
});
