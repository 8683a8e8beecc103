// The finalizer of a policy about deletion survives every way of writing it.
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { CASCADE_FINALIZER } from "../../lib/domain/marks.js";
import { defaults } from "./default.js";

function policy(metadata: object = {}): KubeObject {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "CascadeDeletionPolicy",
    metadata: { name: "p", namespace: "shop", ...metadata },
  };
}

describe("defaults", () => {
  it.each`
    given                                       | object                                                                      | changes
    ${"a new policy"}                           | ${policy()}                                                                 | ${{ finalizers: [CASCADE_FINALIZER] }}
    ${"an update that keeps the finalizer"}     | ${policy({ finalizers: [CASCADE_FINALIZER] })}                              | ${undefined}
    ${"finalizers that someone else put there"} | ${policy({ finalizers: ["x"] })}                                            | ${{ finalizers: ["x", CASCADE_FINALIZER] }}
    ${"a policy that is let go"}                | ${policy({ finalizers: ["x"], deletionTimestamp: "2026-01-01T00:00:00Z" })} | ${undefined}
  `("gives $given what it needs, and no more", ({ object, changes }) => {
    expect(defaults(object)?.metadata).toEqual(changes);
  });
});
