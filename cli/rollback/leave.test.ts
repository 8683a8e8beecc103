// Does a template leave only those members that are meant, and only where that changes nothing else?
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import type { Placement } from "../../crds/placement.js";
import { PP_ID_LABEL, PP_NAME_ANNOTATION, PP_NAMESPACE_ANNOTATION } from "../../lib/domain/marks.js";
import type { AnyBinding, AnyPolicy } from "../../lib/kube/host.js";
import { PROPAGATION_POLICIES } from "../../lib/kube/kinds.js";
import { SERVED } from "../target/samples.js";
import { planOne } from "./leave.js";

const template: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "web",
    namespace: "shop",
    uid: "t1",
    labels: { [PP_ID_LABEL]: "p1" },
    annotations: { [PP_NAMESPACE_ANNOTATION]: "shop", [PP_NAME_ANNOTATION]: "web" },
  },
  spec: { replicas: 2 },
};
const cluster = (name: string): Cluster =>
  ({
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata: { name, labels: { tier: "a" } },
    spec: { syncMode: "Push" },
    status: {
      conditions: [{ type: "Ready", status: "True", reason: "ClusterReady", message: "", lastTransitionTime: "" }],
      apiEnablements: [{ groupVersion: "apps/v1", resources: [{ name: "deployments", kind: "Deployment" }] }],
    },
  }) as unknown as Cluster;
const [served] = SERVED.filter(({ kind }) => kind === "Deployment");

interface Given {
  readonly placement?: Placement;
  readonly leaving?: readonly string[];
  readonly shared?: boolean;
  readonly gone?: boolean;
  readonly deleted?: boolean;
}

function plan({ placement, leaving = ["m1"], shared = false, gone = false, deleted = false }: Given) {
  const policy = {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: {
      name: "web",
      namespace: "shop",
      uid: "pp",
      ...(deleted && { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    },
    spec: { resourceSelectors: [], placement },
  } as unknown as AnyPolicy;
  const binding = {
    metadata: { name: "web-deployment", namespace: "shop", uid: "b1" },
    spec: { clusters: [{ name: "m1" }, { name: "m2" }] },
  } as unknown as AnyBinding;
  if (!served) throw new Error("no Deployments among the samples");
  const name = { resource: served, namespace: "shop", name: "web" };
  const standing = { name, reference: template, template, binding, works: [] };
  const other = { metadata: { name: "api-deployment", uid: "b2" } };
  return planOne({
    standing,
    standings: [standing],
    known: gone ? undefined : { resource: PROPAGATION_POLICIES, policy },
    held: new Map([["p1", [binding, ...(shared ? [other] : [])]]]),
    clusters: leaving,
    all: ["m1", "m2", "m3"].map(cluster),
  });
}

const named = (...clusterNames: string[]): Placement => ({ clusterAffinity: { clusterNames } });
const labelled = (exclude: string[]): Placement => ({
  clusterAffinity: { labelSelector: { matchLabels: { tier: "a" } }, exclude },
});

describe("planOne", () => {
  it.each`
    what                                | placement            | after
    ${"a name from the list of names"}  | ${named("m1", "m2")} | ${named("m2")}
    ${"by exclusion where labels rule"} | ${labelled(["m3"])}  | ${labelled(["m1", "m3"])}
  `("takes a cluster out: $what", ({ placement, after }: { placement: Placement; after: Placement }) => {
    expect(plan({ placement }).edit?.placement).toEqual(after);
  });

  it.each`
    what                                 | given                                                                                               | why
    ${"all of its clusters"}             | ${{ placement: named("m1", "m2"), leaving: ["m1", "m2"] }}                                          | ${"leave --clusters out"}
    ${"a policy that others need"}       | ${{ placement: named("m1", "m2"), shared: true }}                                                   | ${"also places api-deployment"}
    ${"no policy any more"}              | ${{ gone: true }}                                                                                   | ${"no policy is left"}
    ${"a policy that is being deleted"}  | ${{ placement: named("m1", "m2"), deleted: true }}                                                  | ${"is being deleted"}
    ${"groups of clusters"}              | ${{ placement: { clusterAffinities: [{ affinityName: "a", clusterNames: ["m1"] }] } }}              | ${"has clusterAffinities"}
    ${"the only name"}                   | ${{ placement: named("m1") }}                                                                       | ${"names no other cluster"}
    ${"a place that would come instead"} | ${{ placement: labelled([]) }}                                                                      | ${"would change the copies elsewhere"}
    ${"replicas that would move"}        | ${{ placement: { ...named("m1", "m2"), replicaScheduling: { replicaSchedulingType: "Divided" } } }} | ${"would change the copies elsewhere"}
  `("refuses $what", ({ given, why }: { given: Given; why: string }) => {
    expect(plan(given).edit).toBeUndefined();
    expect(plan(given).why).toContain(why);
  });

  it("has nothing to do in a cluster where it is not", () => {
    expect(plan({ placement: named("m1", "m2"), leaving: ["m3"] })).toEqual({});
  });
});
