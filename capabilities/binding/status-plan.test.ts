// Does a binding tell where its object stands in each cluster, and why it does not?
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { APPLY_RETRIED } from "../../lib/domain/applied.js";
import { ALREADY_EXISTS } from "../../lib/domain/presence.js";
import { LET_GO_FINALIZER, PP_ID_LABEL, PP_NAME_ANNOTATION, PP_NAMESPACE_ANNOTATION } from "../../lib/domain/marks.js";
import { conditionOf } from "../../lib/engine/conditions.js";
import { planBindingStatus, type StatusInput } from "./status-plan.js";

const CLAIM = {
  labels: { [PP_ID_LABEL]: "p1" },
  annotations: { [PP_NAMESPACE_ANNOTATION]: "shop", [PP_NAME_ANNOTATION]: "web-pp" },
};

function binding(spec: object = {}, metadata: object = CLAIM): AnyBinding {
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: { name: "cfg-configmap", namespace: "shop", generation: 3, ...metadata },
    spec: {
      resource: { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "cfg" },
      clusters: [{ name: "m1" }, { name: "m2" }],
      ...spec,
    },
  } as AnyBinding;
}

const template: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "cfg", namespace: "shop", finalizers: [LET_GO_FINALIZER] },
};

function cluster(name: string, kinds: readonly string[] = ["ConfigMap"]): Cluster {
  const resources = kinds.map(kind => ({ kind, name: `${kind.toLowerCase()}s` }));
  return {
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata: { name },
    spec: { syncMode: "Push" },
    status: { apiEnablements: [{ groupVersion: "v1", resources }] },
  } as Cluster;
}

function work(member: string, status: "True" | "False", message = "said", manifestStatus?: object): Work {
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name: "cfg", namespace: `karmada-es-${member}` },
    spec: {},
    status: {
      conditions: [{ type: "Applied", status, reason: "R", message, lastTransitionTime: "2026-01-01T00:00:00Z" }],
      manifestStatuses: manifestStatus ? [manifestStatus as never] : [],
    },
  };
}

/** A Work that is not applied for this reason. */
function saying(member: string, reason: string): Work {
  const { status, ...rest } = work(member, "False");
  const conditions = status?.conditions?.map(condition => ({ ...condition, reason }));
  return { ...rest, status: { ...status, conditions } };
}

/** A Work that may not take over what is there. */
const refusing = (member: string): Work => saying(member, ALREADY_EXISTS);

const plan = (input: Partial<StatusInput> = {}) =>
  planBindingStatus({
    binding: binding(),
    template,
    works: [work("m1", "True"), work("m2", "True")],
    clusters: [cluster("m1"), cluster("m2")],
    failures: new Map(),
    ...input,
  });

const told = (type: string, input?: Partial<StatusInput>) => {
  const { status, reason, message } = conditionOf({ status: plan(input) }, type) ?? {};
  return { status, reason, message };
};

describe("aggregatedStatus", () => {
  it("has one item per target, by name, in the words of each Work", () => {
    const status = { identifier: { ordinal: 0 }, status: { replicas: 2 }, health: "Healthy" };
    const { aggregatedStatus } = plan({
      binding: binding({ clusters: [{ name: "m3" }, { name: "m2" }, { name: "m1" }] }),
      works: [work("m1", "True", "", status), work("m2", "False", "invalid")],
    });
    expect(aggregatedStatus).toEqual([
      { clusterName: "m1", applied: true, status: { replicas: 2 }, health: "Healthy" },
      { clusterName: "m2", applied: false, appliedMessage: "invalid", health: "Unknown" },
      { clusterName: "m3", applied: false, pending: true, health: "Unknown" },
    ]);
  });

  it("tells a failed update of ours apart from what is not ours", () => {
    const works = [refusing("m1"), work("m2", "False", "422", { uid: "u1" })];
    expect(plan({ works }).aggregatedStatus).toMatchObject([{ presence: "Foreign" }, { presence: "Ours" }]);
  });

  it("tells what is tried again apart from what was refused", () => {
    const retried = saying("m1", APPLY_RETRIED);
    const { aggregatedStatus = [] } = plan({ works: [retried, work("m2", "False", "422")] });
    expect(aggregatedStatus.map(({ pending }) => pending)).toEqual([true, undefined]);
    const failures = new Map([["m1", "no such path"]]);
    expect(plan({ works: [retried], failures }).aggregatedStatus?.[0]).not.toHaveProperty("pending");
  });

  it("says why a manifest could not be made, whatever the Work of before says", () => {
    const { aggregatedStatus } = plan({ failures: new Map([["m1", "OverridePolicy shop/o: no such path"]]) });
    expect(aggregatedStatus?.[0]).toEqual({
      clusterName: "m1",
      applied: false,
      appliedMessage: "OverridePolicy shop/o: no such path",
      presence: "Ours",
      health: "Unknown",
    });
  });

  it("counts an object that is applied and has no status as applied", () => {
    expect(plan().aggregatedStatus?.[0]).toEqual({ clusterName: "m1", applied: true, health: "Unknown" });
  });
});

describe("Scheduled", () => {
  it.each`
    given                           | input                                                                                                 | status     | reason            | message
    ${"all targets"}                | ${{}}                                                                                                 | ${"True"}  | ${"Success"}      | ${/^goes to 2 cluster\(s\)$/}
    ${"a cluster without the kind"} | ${{ binding: binding({ clusters: [{ name: "m1" }] }), clusters: [cluster("m1"), cluster("m2", [])] }} | ${"True"}  | ${"Success"}      | ${/goes to 1 cluster\(s\); left out: m2: it does not serve v1 ConfigMap/}
    ${"no policy any more"}         | ${{ binding: binding({}, {}) }}                                                                       | ${"True"}  | ${"Success"}      | ${/no policy claims the template any more/}
    ${"no cluster at all"}          | ${{ binding: binding({ clusters: [] }), clusters: [], works: [] }}                                    | ${"False"} | ${"NoClusterFit"} | ${/no cluster has joined/}
    ${"no cluster fits any more"}   | ${{ binding: binding({ placement: { clusterAffinity: { clusterNames: ["m9"] } } }) }}                 | ${"False"} | ${"NoClusterFit"} | ${/m9: there is no cluster of this name.*the copies in m1, m2 stay/}
  `("is $status with $reason for $given", ({ input, status, reason, message }) => {
    const condition = told("Scheduled", input as Partial<StatusInput>);
    expect(condition).toMatchObject({ status, reason });
    expect(condition.message).toMatch(message as RegExp);
  });

  it("names eight of many clusters that are left out, and counts the others", () => {
    const others = Array.from({ length: 20 }, (_, i) => cluster(`x${String(i).padStart(2, "0")}`, []));
    const { message = "" } = told("Scheduled", { clusters: [cluster("m1"), cluster("m2"), ...others] });
    expect(message.match(/it does not serve/g)).toHaveLength(8);
    expect(message).toContain("and 12 more");
  });
});

describe("FullyApplied and Ready", () => {
  it.each`
    given                 | input                                                                  | status     | message
    ${"all applied"}      | ${{}}                                                                  | ${"True"}  | ${/all clusters/}
    ${"one refused"}      | ${{ works: [work("m1", "True"), work("m2", "False", "m2: 422 bad")] }} | ${"False"} | ${/^m2: m2: 422 bad$/}
    ${"one not made yet"} | ${{ works: [work("m1", "True")] }}                                     | ${"False"} | ${/^m2: not applied yet$/}
    ${"no target"}        | ${{ binding: binding({ clusters: [] }) }}                              | ${"False"} | ${/no cluster to apply to/}
  `("are $status for $given", ({ input, status, message }) => {
    const applied = told("FullyApplied", input as Partial<StatusInput>);
    expect(applied.status).toBe(status);
    expect(applied.message).toMatch(message as RegExp);
    expect(told("Ready", input as Partial<StatusInput>).status).toBe(status);
  });

  it("has Ready say the first thing that is wrong", () => {
    const nowhere = { clusters: [], placement: { clusterAffinity: { clusterNames: ["m9"] } } };
    const ready = told("Ready", { binding: binding(nowhere), works: [] });
    expect(ready).toEqual(told("Scheduled", { binding: binding(nowhere), works: [] }));
  });
});

describe("DeletionProtected", () => {
  const entry = (name: string) => ({
    ...{ name, cascadeDeletion: "orphan", reason: "TemplateAnnotation", decidedBy: "its own word" },
  });
  const gone = { name: "m2", cascadeDeletion: "background", reason: "CascadeDeletionPolicy", decidedBy: "a rule" };
  const past = { ...gone, name: "m1", cascadeDeletion: "adopted" };
  const own = { ...template, metadata: { ...template.metadata, finalizers: ["team.example/hold"] } };
  it.each`
    given                                | input                                                                                        | status     | reason                     | message
    ${"a policy that keeps"}             | ${{ binding: binding({ preserveResourcesOnDeletion: true }) }}                               | ${"True"}  | ${"PolicyField"}           | ${/kept in m1, m2 .PropagationPolicy shop.web-pp/}
    ${"a policy that says delete"}       | ${{ binding: binding({ preserveResourcesOnDeletion: false }) }}                              | ${"False"} | ${"PolicyField"}           | ${/deleted in m1, m2 .PropagationPolicy shop.web-pp/}
    ${"a policy that says nothing"}      | ${{}}                                                                                        | ${"False"} | ${"Default"}               | ${/deleted in m1, m2 .by default: PropagationPolicy shop.web-pp does not set preserveResourcesOnDeletion/}
    ${"a copy that was never taken"}     | ${{ works: [work("m1", "False"), work("m2", "True")] }}                                      | ${"False"} | ${"Default"}               | ${/deleted in m1 .not applied: what is not ours stays., m2 .by/}
    ${"an update of ours that fails"}    | ${{ works: [work("m1", "False", "422", { uid: "u1" }), work("m2", "True")] }}                | ${"False"} | ${"Default"}               | ${/deleted in m1, m2 .by/}
    ${"what is there and not ours"}      | ${{ works: [refusing("m1"), work("m2", "True")] }}                                           | ${"False"} | ${"Default"}               | ${/deleted in m1 .what is there is not ours: it stays., m2 .by/}
    ${"one that is kept in any case"}    | ${{ works: [work("m1", "False")], binding: binding({ preserveResourcesOnDeletion: true }) }} | ${"True"}  | ${"PolicyField"}           | ${/kept in m1, m2 .Prop/}
    ${"the last word of a gone policy"}  | ${{ binding: binding({ preserveResourcesOnDeletion: true }, {}) }}                           | ${"True"}  | ${"PolicyField"}           | ${/the last policy of the template/}
    ${"a template that we cannot hold"}  | ${{ template: own }}                                                                         | ${"False"} | ${"NoFinalizer"}           | ${/ours is not on it/}
    ${"an annotation that keeps"}        | ${{ binding: binding({ clusterDeletion: [entry("m1"), entry("m2")] }) }}                     | ${"True"}  | ${"TemplateAnnotation"}    | ${/kept in m1, m2 .its own word/}
    ${"rules that differ by cluster"}    | ${{ binding: binding({ clusterDeletion: [entry("m1"), gone] }) }}                            | ${"False"} | ${"TemplateAnnotation"}    | ${/kept in m1 .its own word.; deleted in m2 .a rule/}
    ${"a rule that looks back"}          | ${{ binding: binding({ clusterDeletion: [past, gone] }) }}                                   | ${"False"} | ${"CascadeDeletionPolicy"} | ${/kept where it was before it was taken over, else deleted in m1/}
    ${"a template that is not seen yet"} | ${{ template: undefined }}                                                                   | ${"False"} | ${"Default"}               | ${/deleted in m1, m2/}
  `("is $status with $reason for $given", ({ input, status, reason, message }) => {
    const condition = told("DeletionProtected", input as Partial<StatusInput>);
    expect(condition).toMatchObject({ status, reason });
    expect(condition.message).toMatch(message as RegExp);
  });
});

describe("planBindingStatus", () => {
  it("says the same again when nothing is new, so that nothing is written", () => {
    const once = plan();
    expect(plan({ binding: { ...binding(), status: once } as AnyBinding })).toEqual(once);
  });

  it("speaks of the generation that it looked at, and keeps what others wrote", () => {
    const status = { lastScheduledTime: "2026-01-01T00:00:00Z", observedGeneration: 1 };
    const planned = plan({ binding: { ...binding(), status } as AnyBinding });
    expect(planned).toMatchObject({
      observedGeneration: 3,
      schedulerObservedGeneration: 3,
      ...{ lastScheduledTime: status.lastScheduledTime },
    });
    expect(planned.conditions?.map(c => c.observedGeneration)).toEqual([3, 3, 3, 3]);
  });
});
