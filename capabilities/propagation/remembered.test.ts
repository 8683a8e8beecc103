// Do Works tell where the copies are, and is keeping what they say when they disagree?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import {
  CONFLICT_RESOLUTION_ANNOTATION,
  RB_ID_LABEL,
  RB_NAME_ANNOTATION,
  TEMPLATE_UID_ANNOTATION,
} from "../../lib/domain/marks.js";
import { bindingName, bindingPermanentId } from "../../lib/domain/names.js";
import { WORKS_BY_BINDING } from "../../lib/kube/host.js";
import { Store } from "../../lib/kube/store.js";
import { bindingNameOf, clustersOf, isOfOtherKind, rememberedSpec, worksOf } from "./remembered.js";

const NAMED = { group: "apps", kind: "Deployment", namespace: "shop", name: "web" };
const template: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", uid: "u1" },
};

interface Words {
  readonly namespace?: string;
  readonly preserve?: boolean;
  readonly conflict?: string;
  readonly uid?: string;
  readonly suffix?: boolean;
}

function work({ namespace = "karmada-es-m1", preserve, conflict = "abort", uid = "u1", suffix }: Words = {}): Work {
  const id = bindingPermanentId("ResourceBinding", "shop", bindingName(NAMED, { suffix }));
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: {
      name: `web-${uid}`,
      namespace,
      resourceVersion: "1",
      labels: { [RB_ID_LABEL]: id },
      annotations: { [TEMPLATE_UID_ANNOTATION]: uid, [CONFLICT_RESOLUTION_ANNOTATION]: conflict },
    },
    spec: { preserveResourcesOnDeletion: preserve },
  };
}

describe("worksOf", () => {
  const byBinding = (w: Work) => Object.values(w.metadata.labels ?? {});

  it("finds the Works of this very object, under both names that its binding can have", () => {
    const works = new Store<Work>({ indexes: { [WORKS_BY_BINDING]: byBinding } });
    const [mine, suffixed] = [work(), work({ namespace: "karmada-es-m2", suffix: true })];
    for (const one of [mine, suffixed, work({ uid: "u2" })]) works.observe(one);
    const host = { works: { store: works } } as unknown as Parameters<typeof worksOf>[0];
    expect(worksOf(host, template, NAMED).map(w => w.metadata.namespace)).toEqual(["karmada-es-m1", "karmada-es-m2"]);
    expect(worksOf(host, template, { ...NAMED, namespace: undefined })).toEqual([]);
  });
});

describe("rememberedSpec", () => {
  it.each`
    given                              | works                                                    | preserve | conflict
    ${"no Work"}                       | ${[]}                                                    | ${false} | ${"Abort"}
    ${"Works that say nothing"}        | ${[work(), work({ namespace: "karmada-es-m2" })]}        | ${false} | ${"Abort"}
    ${"Works of which one keeps"}      | ${[work({ preserve: false }), work({ preserve: true })]} | ${true}  | ${"Abort"}
    ${"Works of which one overwrites"} | ${[work(), work({ conflict: "overwrite" })]}             | ${false} | ${"Overwrite"}
  `("keeps: $preserve and resolves by $conflict for $given", ({ works, preserve, conflict }) => {
    const spec = rememberedSpec(works as Work[]);
    expect(spec).toMatchObject({
      preserveResourcesOnDeletion: preserve as boolean,
      conflictResolution: conflict as string,
    });
  });

  it("names the clusters, and none for a Work that is in no execution namespace", () => {
    const works = [work({ namespace: "karmada-es-m2" }), work({ namespace: "shop" })];
    expect(clustersOf(works)).toEqual([{ name: "m2" }]);
    expect(rememberedSpec(works).clusters).toEqual([{ name: "m2" }]);
  });
});

describe("what Works tell about the name of their binding", () => {
  it("is the name that they were made under, and each cluster counts once", () => {
    const named: Work = { ...work(), metadata: { ...work().metadata, annotations: { [RB_NAME_ANNOTATION]: "web-2" } } };
    expect(bindingNameOf([work(), named])).toBe("web-2");
    expect(bindingNameOf([work()])).toBeUndefined();
    expect(clustersOf([work(), work({ suffix: true })])).toEqual([{ name: "m1" }]);
  });

  it.each`
    apiVersion        | kind            | other
    ${"apps/v1"}      | ${"Deployment"} | ${false}
    ${"x.io/v1"}      | ${"Deployment"} | ${true}
    ${"apps/v1"}      | ${"ReplicaSet"} | ${true}
    ${"apps/v1beta1"} | ${"Deployment"} | ${false}
  `("is another kind's for $apiVersion $kind: $other", ({ apiVersion, kind, other }) => {
    const manifest = { apiVersion: String(apiVersion), kind: String(kind), metadata: { name: "web" } };
    expect(isOfOtherKind({ ...work(), spec: { workload: { manifests: [manifest] } } }, template)).toBe(other);
  });
});
