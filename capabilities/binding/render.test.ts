// Does a Work carry what its cluster needs, and nothing that others put there get lost?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import {
  APPLIED_CLUSTER_OVERRIDES_ANNOTATION,
  APPLIED_OVERRIDES_ANNOTATION,
  BINDING_GENERATION_ANNOTATION,
  CONFLICT_RESOLUTION_ANNOTATION,
  CRB_ID_LABEL,
  CRB_NAME_ANNOTATION,
  DECIDED_BY_ANNOTATION,
  ORDER_ANNOTATION,
  RB_ID_LABEL,
  RB_NAME_ANNOTATION,
  RB_NAMESPACE_ANNOTATION,
  TEMPLATE_GENERATION_ANNOTATION,
  TEMPLATE_UID_ANNOTATION,
  WORK_FINALIZER,
  WORK_ID_LABEL,
} from "../../lib/domain/marks.js";
import { workPermanentId } from "../../lib/domain/names.js";
import type { OverrideResult } from "../../lib/domain/overrides.js";
import { bindingLabel, planWork, sameWork, withLastWords, type WorkRequest } from "./render.js";

const manifest: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "cfg", namespace: "shop", labels: { app: "web" } },
  data: { a: "1" },
};
const template: KubeObject = { ...manifest, metadata: { ...manifest.metadata, uid: "u1", generation: 4 } };
const rendered: OverrideResult = { manifest, applied: { policies: [], clusterPolicies: [] } };

function binding(spec: object = {}, metadata: object = {}): AnyBinding {
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: { name: "cfg-configmap", namespace: "shop", generation: 7, labels: { [RB_ID_LABEL]: "b1" }, ...metadata },
    spec: { resource: { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "cfg" }, ...spec },
  } as AnyBinding;
}

const plan = (request: Partial<WorkRequest> = {}): Work =>
  planWork({ binding: binding(), template, cluster: "m1", name: "cfg", rendered, existing: undefined, ...request });

describe("planWork", () => {
  it("makes a Work with finalizer, ids and one manifest, and without a label of the template", () => {
    const work = plan();
    expect(work.metadata).toEqual({
      name: "cfg",
      namespace: "karmada-es-m1",
      labels: { [RB_ID_LABEL]: "b1", [WORK_ID_LABEL]: workPermanentId("karmada-es-m1", "cfg") },
      annotations: {
        [RB_NAMESPACE_ANNOTATION]: "shop",
        [RB_NAME_ANNOTATION]: "cfg-configmap",
        [CONFLICT_RESOLUTION_ANNOTATION]: "abort",
        [TEMPLATE_UID_ANNOTATION]: "u1",
        [TEMPLATE_GENERATION_ANNOTATION]: "4",
        [BINDING_GENERATION_ANNOTATION]: "7",
      },
      finalizers: [WORK_FINALIZER],
    });
    expect(work.spec).toEqual({
      workload: { manifests: [manifest] },
      preserveResourcesOnDeletion: false,
      cascadeDeletion: "background",
    });
  });

  it("names a cluster-wide binding by its own keys", () => {
    const wide = binding({}, { namespace: undefined, name: "role-clusterrole", labels: { [CRB_ID_LABEL]: "c1" } });
    const { labels, annotations } = plan({ binding: wide }).metadata;
    expect(labels).toMatchObject({ [CRB_ID_LABEL]: "c1" });
    expect(annotations).toMatchObject({ [CRB_NAME_ANNOTATION]: "role-clusterrole" });
    expect(annotations).not.toHaveProperty([RB_NAME_ANNOTATION]);
  });

  it.each`
    given                        | spec                                                                         | suspended
    ${"no suspension"}           | ${{}}                                                                        | ${undefined}
    ${"an empty suspension"}     | ${{ suspension: {} }}                                                        | ${undefined}
    ${"all clusters"}            | ${{ suspension: { dispatching: true } }}                                     | ${true}
    ${"this cluster by name"}    | ${{ suspension: { dispatchingOnClusters: { clusterNames: ["m0", "m1"] } } }} | ${true}
    ${"another cluster by name"} | ${{ suspension: { dispatchingOnClusters: { clusterNames: ["m2"] } } }}       | ${undefined}
    ${"scheduling only"}         | ${{ suspension: { scheduling: true } }}                                      | ${undefined}
  `("holds back: $given → $suspended", ({ spec, suspended }) => {
    expect(plan({ binding: binding(spec as object) }).spec.suspendDispatching).toBe(suspended);
  });

  it("says what becomes of the copy in its own cluster, and which policy about deletion said so", () => {
    const entry = { name: "m1", cascadeDeletion: "adopted", reason: "CascadeDeletionPolicy", decidedBy: "a rule" };
    const elsewhere = { ...entry, name: "m2", cascadeDeletion: "background" };
    const existing = plan({ binding: binding({ clusterDeletion: [elsewhere, entry] }) });
    expect(existing.spec).toMatchObject({ preserveResourcesOnDeletion: true, cascadeDeletion: "adopted" });
    expect(existing.metadata.annotations?.[DECIDED_BY_ANNOTATION]).toBe("a rule");

    const after = plan({ existing, binding: binding({ preserveResourcesOnDeletion: true }) });
    expect(after.spec).toMatchObject({ preserveResourcesOnDeletion: true, cascadeDeletion: "orphan" });
    expect(after.metadata.annotations).not.toHaveProperty([DECIDED_BY_ANNOTATION]);
  });

  it("lifts the suspension of a Work that is there", () => {
    const existing = plan({ binding: binding({ suspension: { dispatching: true } }) });
    expect(plan({ existing }).spec).not.toHaveProperty("suspendDispatching");
  });

  it.each`
    policy         | own            | answer
    ${undefined}   | ${undefined}   | ${"abort"}
    ${"Abort"}     | ${undefined}   | ${"abort"}
    ${"Overwrite"} | ${undefined}   | ${"overwrite"}
    ${"Overwrite"} | ${"abort"}     | ${"abort"}
    ${"Abort"}     | ${"overwrite"} | ${"overwrite"}
    ${"Overwrite"} | ${"Abort"}     | ${"overwrite"}
    ${"Abort"}     | ${"yes"}       | ${"abort"}
  `("resolves conflicts by $answer when the policy says $policy and the template $own", ({ policy, own, answer }) => {
    const annotations = own ? { [CONFLICT_RESOLUTION_ANNOTATION]: own as string } : undefined;
    const work = plan({
      binding: binding({ conflictResolution: policy }),
      template: { ...template, metadata: { ...template.metadata, annotations } },
    });
    expect(work.metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION]).toBe(answer);
  });

  it("keeps what others put on the Work, and takes away what of ours holds no more", () => {
    const overridden: OverrideResult = {
      manifest,
      applied: {
        policies: [{ policyName: "p", overriders: {} }],
        clusterPolicies: [{ policyName: "c", overriders: {} }],
      },
    };
    const before = plan({ rendered: overridden });
    expect(before.metadata.annotations?.[APPLIED_OVERRIDES_ANNOTATION]).toContain('"policyName":"p"');
    expect(before.metadata.annotations?.[APPLIED_CLUSTER_OVERRIDES_ANNOTATION]).toContain('"policyName":"c"');
    const existing: Work = {
      ...before,
      metadata: {
        ...before.metadata,
        uid: "w1",
        resourceVersion: "5",
        labels: { ...before.metadata.labels, theirs: "x" },
        annotations: { ...before.metadata.annotations, note: "y", [ORDER_ANNOTATION]: "keep" },
        finalizers: ["theirs.example/hold"],
      },
      status: { conditions: [] },
    };

    const { metadata, status } = plan({ existing });
    expect(metadata).toMatchObject({ uid: "w1", resourceVersion: "5", labels: { theirs: "x" } });
    expect(metadata.annotations).toMatchObject({ note: "y" });
    expect(metadata.annotations).not.toHaveProperty([APPLIED_OVERRIDES_ANNOTATION]);
    expect(metadata.annotations).not.toHaveProperty([APPLIED_CLUSTER_OVERRIDES_ANNOTATION]);
    expect(metadata.annotations).not.toHaveProperty([ORDER_ANNOTATION]);
    expect(metadata.finalizers).toEqual(["theirs.example/hold", WORK_FINALIZER]);
    expect(status).toEqual({ conditions: [] });
  });

  it("leaves no word of an order that was taken back", () => {
    const before = plan();
    const source = `${ORDER_ANNOTATION}-source`;
    const annotations = { ...before.metadata.annotations, [ORDER_ANNOTATION]: "keep", [source]: "policy" };
    const after = plan({ existing: { ...before, metadata: { ...before.metadata, annotations } } });
    expect(Object.keys(after.metadata.annotations ?? {}).filter(key => key.startsWith(ORDER_ANNOTATION))).toEqual([]);
  });
});

describe("sameWork", () => {
  it("is true for a plan made again, and when only the generations moved", () => {
    const work = plan();
    expect(sameWork(plan({ existing: work }), work)).toBe(true);
    expect(sameWork(plan({ binding: binding({}, { generation: 8 }), existing: work }), work)).toBe(true);
  });

  it.each`
    what            | request
    ${"preserve"}   | ${{ binding: binding({ preserveResourcesOnDeletion: true }) }}
    ${"suspension"} | ${{ binding: binding({ suspension: { dispatching: true } }) }}
    ${"manifest"}   | ${{ rendered: { ...rendered, manifest: { ...manifest, data: { a: "2" } } } }}
    ${"conflict"}   | ${{ binding: binding({ conflictResolution: "Overwrite" }) }}
  `("is false when $what moved", ({ request }) => {
    const work = plan();
    expect(sameWork(plan({ existing: work, ...(request as Partial<WorkRequest>) }), work)).toBe(false);
  });
});

describe("bindingLabel", () => {
  it("is the label of the binding's own scope", () => {
    expect(bindingLabel(binding())).toEqual({ [RB_ID_LABEL]: "b1" });
    expect(bindingLabel(binding({}, { namespace: undefined, labels: undefined }))).toEqual({ [CRB_ID_LABEL]: "" });
  });
});

describe("withLastWords", () => {
  const work = plan();
  const word = (cascadeDeletion: "orphan" | "background", reason: "PolicyField" | "CascadeDeletionPolicy") => () => ({
    name: "m1",
    cascadeDeletion,
    reason,
    decidedBy: "PropagationPolicy shop/web",
  });

  it("writes another word, and nothing else", () => {
    const [last] = withLastWords([work], word("orphan", "PolicyField"));

    expect(last).toEqual({
      ...work,
      spec: { ...work.spec, preserveResourcesOnDeletion: true, cascadeDeletion: "orphan" },
    });
  });

  it("says whose word it is, where that outlives its policy", () => {
    const [last] = withLastWords([work], word("orphan", "CascadeDeletionPolicy"));

    expect(last?.metadata.annotations?.[DECIDED_BY_ANNOTATION]).toBe("PropagationPolicy shop/web");
  });

  it.each([
    { what: "says so already", works: [work], words: word("background", "PolicyField") },
    { what: "leaves itself", works: [leaving(work)], words: word("orphan", "PolicyField") },
    { what: "has nothing said about it", works: [work], words: () => undefined },
  ])("leaves a Work alone that $what", ({ works, words }) => {
    expect(withLastWords(works, words)).toEqual([]);
  });
});

function leaving(work: Work): Work {
  return { ...work, metadata: { ...work.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
}
