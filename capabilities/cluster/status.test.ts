// Does a Cluster tell what is known about it, and nothing twice?
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { Taint } from "../../crds/taint.js";
import type { ServedResource } from "../../lib/kube/discovery.js";
import { enablementsOf, type Facts } from "./facts.js";
import { mergePatchOf } from "./merge-patch.js";
import { clusterWith } from "./samples.js";
import { NOT_READY_TAINT, UNREACHABLE_TAINT } from "../../lib/domain/cluster-taints.js";
import { statusFor, taintsFor } from "./status.js";
import { notReady, READY, type Verdict } from "./verdict.js";

const NOW = () => new Date("2026-01-02T03:04:05.678Z");
const facts: Facts = {
  kubernetesVersion: "v1.34.1",
  apiEnablements: [{ groupVersion: "v1", resources: [{ name: "configmaps", kind: "ConfigMap" }] }],
  complete: true,
  nodeSummary: { totalNum: 1, readyNum: 1 },
  resourceSummary: { allocatable: { cpu: "4" }, allocating: {}, allocated: { cpu: "1" } },
};
const lost = notReady("ClusterNotReachable", "connection refused");

describe("statusFor", () => {
  it("tells everything about a ready cluster", () => {
    const status = statusFor(clusterWith(), { verdict: READY, facts }, NOW);

    expect(status).toMatchObject({ kubernetesVersion: "v1.34.1", observedGeneration: 3, nodeSummary: { totalNum: 1 } });
    expect(status.conditions?.map(c => [c.type, c.status, c.reason, c.lastTransitionTime])).toEqual([
      ["Ready", "True", "ClusterReady", "2026-01-02T03:04:05Z"],
      ["CompleteAPIEnablements", "True", "Complete", "2026-01-02T03:04:05Z"],
    ]);
  });

  it("keeps what it knew when a cluster is lost before anything was collected anew", () => {
    const before = clusterWith({}, { status: statusFor(clusterWith(), { verdict: READY, facts }, NOW) });
    const status = statusFor(before, { verdict: lost }, NOW);

    expect(status.kubernetesVersion).toBe("v1.34.1");
    expect(status.conditions?.[0]).toMatchObject({ status: "False", reason: "ClusterNotReachable" });
  });

  it("says nothing before the first look", () => {
    expect(statusFor(clusterWith(), { facts }, NOW)).toEqual({});
  });

  it("gives nothing to write when nothing is different, whatever the time", () => {
    const before = clusterWith({}, { status: statusFor(clusterWith(), { verdict: READY, facts }, NOW) });

    expect(mergePatchOf(before.status, statusFor(before, { verdict: READY, facts }))).toBeUndefined();
  });
});

describe("taintsFor", () => {
  const mine: Taint = { key: "team", value: "a", effect: "NoExecute" };
  const notReadyTaint: Taint = { key: NOT_READY_TAINT, effect: "NoSchedule" };
  const unreachable: Taint = { key: UNREACHABLE_TAINT, effect: "NoSchedule" };
  const byHand: Taint = { key: NOT_READY_TAINT, effect: "NoExecute" };

  it.each`
    taints                   | ready        | result             | sentence
    ${undefined}             | ${"True"}    | ${undefined}       | ${"writes nothing for a ready cluster without taints"}
    ${[]}                    | ${"False"}   | ${[notReadyTaint]} | ${"adds not-ready where there is none"}
    ${[mine]}                | ${"False"}   | ${undefined}       | ${"leaves a list to those who keep it"}
    ${[mine, notReadyTaint]} | ${"Unknown"} | ${[mine]}          | ${"gives a list back to those who keep it"}
    ${[mine, notReadyTaint]} | ${"False"}   | ${undefined}       | ${"writes nothing when it is there"}
    ${[notReadyTaint, mine]} | ${"True"}    | ${[mine]}          | ${"takes away its own only"}
    ${[notReadyTaint]}       | ${"Unknown"} | ${[unreachable]}   | ${"changes not-ready to unreachable"}
    ${[byHand]}              | ${"True"}    | ${undefined}       | ${"leaves the same key with another effect to whom set it"}
    ${[byHand]}              | ${"False"}   | ${undefined}       | ${"leaves a list with the same key and another effect as well"}
    ${[notReadyTaint]}       | ${undefined} | ${undefined}       | ${"changes nothing before the first look"}
  `("$sentence", ({ taints, ready, result }: { taints?: Taint[]; ready?: Verdict["status"]; result?: Taint[] }) => {
    expect(taintsFor(clusterWith({ taints }) as Cluster, ready)).toEqual(result);
  });
});

describe("enablementsOf", () => {
  const kind = (group: string, name: string, verbs = ["list", "watch", "delete"]): ServedResource => ({
    ...{
      group,
      version: "v1",
      kind: name,
      plural: `${name.toLowerCase()}s`,
      namespaced: true,
      subresources: [],
      verbs,
    },
  });

  it("names what can be watched and deleted, sorted", () => {
    const resources = [
      kind("apps", "Deployment"),
      kind("", "Pod"),
      kind("", "ConfigMap"),
      kind("", "Binding", ["create"]),
    ];

    expect(enablementsOf({ resources, complete: true })).toEqual([
      { groupVersion: "apps/v1", resources: [{ name: "deployments", kind: "Deployment" }] },
      {
        groupVersion: "v1",
        resources: [
          { name: "configmaps", kind: "ConfigMap" },
          { name: "pods", kind: "Pod" },
        ],
      },
    ]);
  });

  it("keeps a group that is out of sight, until the answer is complete", () => {
    const before = [{ groupVersion: "metrics.k8s.io/v1beta1", resources: [] }];
    const resources = [kind("", "Pod")];

    expect(enablementsOf({ resources, complete: false }, before)).toHaveLength(2);
    expect(enablementsOf({ resources, complete: true }, before)).toHaveLength(1);
  });
});
