// Does a binding put on record what the rules say, and said, about every copy that is out?
import { describe, expect, it } from "vitest";
import type { ClusterDeletion } from "../../crds/binding-spec.js";
import type { Work } from "../../crds/work.js";
import { executionNamespace } from "../../lib/domain/names.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { deletionRecord, type RecordRequest } from "./deletion.js";

const template = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "web", uid: "t" } };
const noRules = { store: { byIndex: () => [] } };
const host = {
  clusters: { get: () => undefined },
  cascadePolicies: noRules,
  clusterCascadePolicies: noRules,
} as unknown as Parameters<typeof deletionRecord>[0];

const entry = (name: string, cascadeDeletion = "orphan"): ClusterDeletion =>
  ({ name, cascadeDeletion, reason: "CascadeDeletionPolicy", decidedBy: "R" }) as ClusterDeletion;
const bindingIn = (...clusterDeletion: readonly ClusterDeletion[]) => ({ spec: { clusterDeletion } }) as AnyBinding;
const workIn = (name: string) => ({ metadata: { namespace: executionNamespace(name) }, spec: {} }) as Work;
const both = [workIn("m1"), workIn("m2")];

function recordOf(request: Partial<RecordRequest>) {
  const all = deletionRecord(host, {
    template,
    policy: { preserve: false, decidedBy: "pp" },
    targets: [{ name: "m1" }],
    existing: bindingIn(),
    works: both,
    lapsed: () => undefined,
    ...request,
  });
  return all?.map(({ name, cascadeDeletion, reason }) => `${name} ${cascadeDeletion} ${reason}`);
}

const M1 = "m1 orphan CascadeDeletionPolicy";
const M2 = "m2 orphan CascadeDeletionPolicy";
const PLAIN = "m1 background PolicyField";

describe("deletionRecord", () => {
  it.each`
    given                                                  | request                                                                                                                     | record
    ${"nothing but the policy's field"}                    | ${{}}                                                                                                                       | ${undefined}
    ${"a word on record"}                                  | ${{ existing: bindingIn(entry("m1")) }}                                                                                     | ${[M1]}
    ${"a word on record of a place that was left"}         | ${{ existing: bindingIn(entry("m2")) }}                                                                                     | ${[PLAIN, M2]}
    ${"such a word, and no Work there any more"}           | ${{ existing: bindingIn(entry("m2")), works: [workIn("m1")] }}                                                              | ${undefined}
    ${"a word that lapsed"}                                | ${{ lapsed: () => entry("m1"), works: [workIn("m1")] }}                                                                     | ${[M1]}
    ${"one about a place that is left at the same time"}   | ${{ lapsed: ({ metadata: { name } }: Named) => name === "m2" && entry("m2") }}                                              | ${[PLAIN, M2]}
    ${"one, and a record of another rule that keeps more"} | ${{ existing: bindingIn({ ...entry("m1"), decidedBy: "S" }), lapsed: () => entry("m1", "adopted"), works: [workIn("m1")] }} | ${[M1]}
  `("is $record for $given", ({ request, record }: { request: Partial<RecordRequest>; record: unknown }) => {
    expect(recordOf(request)).toEqual(record);
  });
});

interface Named {
  readonly metadata: { readonly name: string };
}
