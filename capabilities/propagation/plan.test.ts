// Does a binding follow its template and its policy, and nothing else?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { PropagationSpec } from "../../crds/propagation-spec.js";
import type { Claim } from "../../lib/domain/claims.js";
import {
  BINDING_FINALIZER,
  CPP_ID_LABEL,
  CRB_FINALIZER,
  CRB_ID_LABEL,
  PP_ID_LABEL,
  PP_NAME_ANNOTATION,
  PP_NAMESPACE_ANNOTATION,
  RB_ID_LABEL,
  TEMPLATE_HASH_ANNOTATION,
} from "../../lib/domain/marks.js";
import type { PlaceableCluster } from "../../lib/domain/placement.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { claimIdsOf, planBinding, planTargets, sameBinding, stayingTargets } from "./plan.js";

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

function cluster(name: string, deletionTimestamp?: string): PlaceableCluster {
  const apiEnablements = [{ groupVersion: "apps/v1", resources: [{ kind: "Deployment" }] }];
  return { metadata: { name, deletionTimestamp }, spec: {}, status: { apiEnablements } } as PlaceableCluster;
}

describe("planTargets", () => {
  const leaving = "2026-01-01T00:00:00Z";
  const only = (...clusterNames: string[]) => ({ clusterAffinity: { clusterNames } });
  const at = (...names: string[]) => names.map(name => ({ name }));

  it.each`
    given                                    | placement     | clusters                                   | current           | targets
    ${"no placement: all"}                   | ${undefined}  | ${[cluster("m2"), cluster("m1")]}          | ${at()}           | ${["m1", "m2"]}
    ${"a move"}                              | ${only("m2")} | ${[cluster("m1"), cluster("m2")]}          | ${at("m1")}       | ${["m2"]}
    ${"nothing fits: nothing moves"}         | ${only("m9")} | ${[cluster("m1"), cluster("m2")]}          | ${at("m1")}       | ${["m1"]}
    ${"nothing fits, and a cluster leaves"}  | ${only("m9")} | ${[cluster("m1", leaving), cluster("m2")]} | ${at("m1", "m2")} | ${["m2"]}
    ${"nothing fits, and a cluster is gone"} | ${only("m9")} | ${[]}                                      | ${at("m1")}       | ${[]}
    ${"a cluster that leaves"}               | ${undefined}  | ${[cluster("m1", leaving), cluster("m2")]} | ${at("m1", "m2")} | ${["m2"]}
  `("goes where it may: $given", ({ placement, clusters, current, targets }) => {
    const { targets: planned } = planTargets({
      template: template(),
      placement: placement as PropagationSpec["placement"],
      clusters: clusters as PlaceableCluster[],
      current: current as { name: string }[],
    });
    expect(planned).toEqual((targets as string[]).map(name => ({ name, replicas: 2 })));
  });

  it("gives no replicas to a kind that has none, and 0 where 0 is asked for", () => {
    const clusters = [cluster("m1")];
    const zero = planTargets({ template: template({}, { replicas: 0 }), placement: undefined, clusters, current: [] });
    expect(zero.targets).toEqual([{ name: "m1", replicas: 0 }]);
    const role = { ...template(), kind: "DaemonSet" };
    const apiEnablements = [{ groupVersion: "apps/v1", resources: [{ kind: "DaemonSet" }] }];
    const serving = [{ ...cluster("m1"), status: { apiEnablements } } as PlaceableCluster];
    expect(planTargets({ template: role, placement: undefined, clusters: serving, current: [] }).targets).toEqual(
      at("m1"),
    );
  });

  it("keeps the targets that stay in the order they have", () => {
    expect(stayingTargets(at("m3", "m1", "m2"), [cluster("m1"), cluster("m2", leaving), cluster("m3")])).toEqual(
      at("m3", "m1"),
    );
  });
});

const policy = (spec: object = {}): PropagationSpec => ({ resourceSelectors: [], ...spec }) as PropagationSpec;
type Request = Parameters<typeof planBinding>[0];

const bind = (request: Partial<Request> = {}): AnyBinding =>
  planBinding({
    template: template(),
    claim: PP,
    policy: policy(),
    targets: [{ name: "m1", replicas: 2 }],
    clusterDeletion: undefined,
    name: "web-deployment",
    existing: undefined,
    ...request,
  });

describe("planBinding", () => {
  it("makes a binding with claim, finalizer, owner and hash, and no label of the template", () => {
    const { metadata, spec, kind } = bind({ template: template({ labels: { app: "web" } }) });
    expect(kind).toBe("ResourceBinding");
    expect(metadata.labels).toEqual({ ...MARKS.labels, [RB_ID_LABEL]: expect.any(String) as string });
    expect(metadata.annotations).toEqual({
      ...MARKS.annotations,
      [TEMPLATE_HASH_ANNOTATION]: expect.any(String) as string,
    });
    expect(metadata.finalizers).toEqual([BINDING_FINALIZER]);
    expect(metadata.ownerReferences).toEqual([
      { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "u1", controller: true, blockOwnerDeletion: true },
    ]);
    expect(spec).toMatchObject({ replicas: 2, clusters: [{ name: "m1", replicas: 2 }], conflictResolution: "Abort" });
    expect(spec).not.toHaveProperty("preserveResourcesOnDeletion");
    expect(spec).not.toHaveProperty("suspension");
  });

  it("makes a cluster-wide one for a template without namespace", () => {
    const { kind, metadata, spec } = bind({ template: template({ namespace: undefined }), claim: CPP });
    expect(kind).toBe("ClusterResourceBinding");
    expect(metadata.labels).toHaveProperty([CRB_ID_LABEL]);
    expect(metadata.finalizers).toEqual([CRB_FINALIZER]);
    expect(spec.resource).not.toHaveProperty("namespace");
  });

  it.each`
    field                            | on                                           | off
    ${"preserveResourcesOnDeletion"} | ${{ preserveResourcesOnDeletion: true }}     | ${{}}
    ${"suspension"}                  | ${{ suspension: { dispatching: true } }}     | ${{}}
    ${"placement"}                   | ${{ placement: { clusterTolerations: [] } }} | ${{}}
    ${"propagateDeps"}               | ${{ propagateDeps: false }}                  | ${{}}
  `("takes $field from the policy, and takes it away with it", ({ field, on, off }) => {
    const first = bind({ policy: policy(on as object) });
    expect(first.spec).toMatchObject(on as object);
    expect(bind({ policy: policy(off as object), existing: first }).spec).not.toHaveProperty(field as string);
  });

  it("reads schedulerName: default as the default scheduler", () => {
    expect(bind({ policy: policy({ schedulerName: "default" }) }).spec.schedulerName).toBe("default-scheduler");
  });

  it("is the same again when only the template's status moved", () => {
    const first = bind();
    const moved = bind({ template: template({ resourceVersion: "8" }), existing: first });
    expect(sameBinding(moved, first)).toBe(true);
    const edited = bind({ template: template({ resourceVersion: "8" }, { replicas: 3 }), existing: first });
    expect(edited.spec.resource.resourceVersion).toBe("8");
    expect(edited.spec.replicas).toBe(3);
    expect(sameBinding(edited, first)).toBe(false);
  });

  it("follows a template that was made again under its name", () => {
    const again = bind({ template: template({ uid: "u2", resourceVersion: "1" }), existing: bind() });
    expect(again.spec.resource).toMatchObject({ uid: "u2", resourceVersion: "1" });
    expect(again.metadata.ownerReferences?.map(o => o.uid)).toEqual(["u2"]);
  });

  it("freezes everything but the targets when no policy is left", () => {
    const first = bind({ policy: policy({ preserveResourcesOnDeletion: true }) });
    const frozen = bind({
      template: template({}, { replicas: 9 }),
      claim: undefined,
      policy: undefined,
      targets: [],
      existing: first,
    });
    expect(frozen.spec).toEqual({ ...first.spec, clusters: [] });
    expect(claimIdsOf(frozen)).toEqual([]);
    expect(frozen.metadata.annotations).toEqual({
      [TEMPLATE_HASH_ANNOTATION]: first.metadata.annotations?.[TEMPLATE_HASH_ANNOTATION],
    });
  });

  it("leaves the clusters alone while something else holds back scheduling", () => {
    const held = { ...bind(), spec: { ...bind().spec, suspension: { scheduling: true } } } as AnyBinding;
    const planned = bind({ existing: held, targets: [{ name: "m2" }] });
    expect(planned.spec.clusters).toEqual([{ name: "m1", replicas: 2 }]);
    expect(planned.spec.suspension).toEqual({ scheduling: true });
  });

  it("keeps labels, annotations, finalizers and status that others put there", () => {
    const first = bind();
    const existing = {
      ...first,
      metadata: { ...first.metadata, labels: { ...first.metadata.labels, a: "1" }, finalizers: ["theirs"], uid: "b" },
      status: { observedGeneration: 1 },
    } as AnyBinding;
    const planned = bind({ existing });
    expect(planned.metadata).toMatchObject({ uid: "b", labels: { a: "1" }, finalizers: ["theirs", BINDING_FINALIZER] });
    expect(planned.status).toEqual({ observedGeneration: 1 });
  });
});

describe("claimIdsOf", () => {
  it.each`
    given                | object                                                               | ids
    ${"nothing"}         | ${undefined}                                                         | ${[]}
    ${"no labels"}       | ${template()}                                                        | ${[]}
    ${"one claim"}       | ${template({ labels: { [PP_ID_LABEL]: "p1" } })}                     | ${["p1"]}
    ${"a claim of each"} | ${template({ labels: { [CPP_ID_LABEL]: "c", [PP_ID_LABEL]: "p" } })} | ${["p", "c"]}
  `("is $ids for $given", ({ object, ids }) => {
    expect(claimIdsOf(object as KubeObject | undefined)).toEqual(ids);
  });
});
