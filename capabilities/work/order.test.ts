// Does a Work act on an order alone, and only on absence that is proven?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import {
  CRB_ID_LABEL,
  CRB_NAME_ANNOTATION,
  LET_GO_FINALIZER,
  ORDER_ANNOTATION,
  PP_ID_LABEL,
  PP_NAME_ANNOTATION,
  PP_NAMESPACE_ANNOTATION,
  RB_ID_LABEL,
  RB_NAME_ANNOTATION,
  RB_NAMESPACE_ANNOTATION,
  TEMPLATE_UID_ANNOTATION,
} from "../../lib/domain/marks.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { Store, storeKey } from "../../lib/kube/store.js";
import { isLastWitness, isUnnamed, orderOf } from "./order.js";

const manifest: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "cfg", namespace: "shop" } };

function work(annotations: object = {}, preserve = false, labels: object = { [RB_ID_LABEL]: "b" }): Work {
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: {
      name: "cfg",
      namespace: "karmada-es-m1",
      labels: { ...labels },
      annotations: {
        [TEMPLATE_UID_ANNOTATION]: "u1",
        [RB_NAMESPACE_ANNOTATION]: "shop",
        [RB_NAME_ANNOTATION]: "cfg-configmap",
        ...annotations,
      },
    },
    spec: { workload: { manifests: [manifest] }, preserveResourcesOnDeletion: preserve },
  };
}

const template = (metadata: object = {}): KubeObject => ({
  ...manifest,
  metadata: { ...manifest.metadata, uid: "u1", resourceVersion: "5", ...metadata },
});
const LEAVING = { deletionTimestamp: "2026-01-01T00:00:00Z" };

function binding(uid: string, clusters: readonly string[], metadata: object = {}): AnyBinding {
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: { name: "cfg-configmap", namespace: "shop", ...metadata },
    spec: {
      resource: { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "cfg", uid },
      clusters: clusters.map(name => ({ name })),
    },
  } as AnyBinding;
}

interface World {
  /** What the cache holds. */
  readonly known?: KubeObject;
  /** What the server answers; an Error when it does not. */
  readonly live?: KubeObject | Error;
  readonly deleted?: boolean;
  readonly served?: boolean;
  readonly binding?: AnyBinding;
  /** This process has decided about the template. */
  readonly decided?: boolean;
}

async function order(on: Work, world: World = {}) {
  const { known, live = known, deleted, served = true, binding: held, decided = false } = world;
  const store = new Store();
  if (known) store.observe(known);
  if (deleted) {
    store.observe(template());
    store.remove(template());
  }
  let asked = 0;
  const collection = {
    store,
    whenSynced: () => Promise.resolve(),
    find: (ref: { namespace?: string; name: string }) => store.get(storeKey(ref)),
    client: {
      find() {
        asked += 1;
        return live instanceof Error ? Promise.reject(live) : Promise.resolve(live);
      },
    },
  };
  const bindings = { get: (key: string) => (held && key === storeKey(held.metadata) ? held : undefined) };
  const host = {
    templates: { ensure: () => (served ? collection : undefined) },
    bindings,
    clusterBindings: bindings,
    decided: { has: (uid: string) => decided && uid === "u1" },
  } as unknown as Dependencies["host"];
  return { order: await orderOf(on, { host }, new AbortController().signal), asked };
}

describe("orderOf", () => {
  it.each`
    given                                                | on                                                | world                                                                  | answer
    ${"a Work that no binding made"}                     | ${work({}, false, {})}                            | ${{ known: template() }}                                               | ${"delete"}
    ${"a Work that no binding made, and that keeps"}     | ${work({}, true, {})}                             | ${{ known: template() }}                                               | ${"keep"}
    ${"a written order"}                                 | ${work({ [ORDER_ANNOTATION]: "keep" })}           | ${{ known: template() }}                                               | ${"keep"}
    ${"a written order against the field"}               | ${work({ [ORDER_ANNOTATION]: "delete" }, true)}   | ${{ known: template() }}                                               | ${"delete"}
    ${"a written order by origin"}                       | ${work({ [ORDER_ANNOTATION]: "adopted" })}        | ${{ known: template() }}                                               | ${"adopted"}
    ${"a template that lives"}                           | ${work()}                                         | ${{ known: template() }}                                               | ${"unordered"}
    ${"a template that lives and is not cached yet"}     | ${work()}                                         | ${{ live: template() }}                                                | ${"unordered"}
    ${"a leaving template whose decision is on its way"} | ${work()}                                         | ${{ known: template({ ...LEAVING, finalizers: [LET_GO_FINALIZER] }) }} | ${"wait"}
    ${"a leaving template that we do not hold"}          | ${work()}                                         | ${{ known: template({ ...LEAVING, finalizers: ["x"] }) }}              | ${"delete"}
    ${"a leaving template that we do not hold, keeping"} | ${work({}, true)}                                 | ${{ known: template(LEAVING) }}                                        | ${"keep"}
    ${"a template that was seen to go"}                  | ${work()}                                         | ${{ deleted: true, live: new Error("not asked") }}                     | ${"delete"}
    ${"a template that the server does not have"}        | ${work()}                                         | ${{ live: undefined }}                                                 | ${"delete"}
    ${"another template under the name"}                 | ${work()}                                         | ${{ known: template({ uid: "u2" }), live: template({ uid: "u2" }) }}   | ${"delete"}
    ${"a kind that the host does not serve"}             | ${work()}                                         | ${{ served: false }}                                                   | ${"wait"}
    ${"a Work that does not know its template"}          | ${work({ [TEMPLATE_UID_ANNOTATION]: undefined })} | ${{ live: undefined }}                                                 | ${"unordered"}
    ${"a Work without a manifest"}                       | ${{ ...work(), spec: {} }}                        | ${{ live: undefined }}                                                 | ${"unordered"}
  `("is $answer for $given", async ({ on, world, answer }) => {
    expect((await order(on as Work, world as World)).order).toBe(answer);
  });

  describe("when the template lost our finalizer by somebody's hand, or went while nobody was there", () => {
    const unheld = { known: template(LEAVING) };
    const own = binding("u1", ["m1"], LEAVING);
    it.each`
      given                                                     | world                                                                          | answer
      ${"and nobody has decided about it"}                      | ${{ ...unheld, binding: own }}                                                 | ${"wait"}
      ${"and is gone"}                                          | ${{ live: undefined, binding: own }}                                           | ${"wait"}
      ${"and this process has decided"}                         | ${{ ...unheld, binding: own, decided: true }}                                  | ${"delete"}
      ${"and its binding is gone, which goes last"}             | ${{ live: undefined }}                                                         | ${"delete"}
      ${"and the next one of its name takes a leaving binding"} | ${{ known: template({ uid: "u2" }), binding: binding("u2", ["m1"], LEAVING) }} | ${"unordered"}
      ${"and the next one of its name is not meant for there"}  | ${{ known: template({ uid: "u2" }), binding: binding("u2", ["m2"], LEAVING) }} | ${"delete"}
    `("answers $answer $given", async ({ world, answer }) => {
      expect((await order(work(), world as World)).order).toBe(answer);
    });
  });

  it("decides nothing while the host cannot be read", async () => {
    await expect(order(work(), { live: new Error("away") })).rejects.toThrow("away");
  });

  it("asks nobody when the cache proves it", async () => {
    expect((await order(work(), { deleted: true })).asked).toBe(0);
    expect((await order(work(), { known: template() })).asked).toBe(0);
  });

  describe("when the template was made again under its name", () => {
    const again = { known: template({ uid: "u2" }) };
    it.each`
      given                                       | held                              | answer
      ${"and goes to the same place"}             | ${binding("u2", ["m1", "m2"])}    | ${"unordered"}
      ${"and goes elsewhere"}                     | ${binding("u2", ["m2"])}          | ${"keep"}
      ${"and its binding leaves as well"}         | ${binding("u2", ["m1"], LEAVING)} | ${"keep"}
      ${"and the binding is still the old one's"} | ${binding("u1", ["m1"])}          | ${"keep"}
      ${"and has no binding yet"}                 | ${undefined}                      | ${"keep"}
    `("answers $answer $given", async ({ held, answer }) => {
      const on = work({ [ORDER_ANNOTATION]: "keep" });
      expect((await order(on, { ...again, binding: held as AnyBinding | undefined })).order).toBe(answer);
    });

    it("looks at the cluster-wide binding of a cluster-wide Work", async () => {
      const labels = { [CRB_ID_LABEL]: "c" };
      const on = work({ [CRB_NAME_ANNOTATION]: "cfg-configmap", [ORDER_ANNOTATION]: "delete" }, false, labels);
      const wide = binding("u2", ["m1"], { namespace: undefined });
      expect((await order(on, { ...again, binding: wide })).order).toBe("unordered");
    });
  });
});

describe("isLastWitness", () => {
  /** Clusters m1 and m2 have joined; the policy of every binding names these. */
  function hostOf(held: AnyBinding | undefined, clusterNames: readonly string[] | undefined) {
    const apiEnablements = [{ groupVersion: "v1", resources: [{ name: "configmaps", kind: "ConfigMap" }] }];
    const joined = ["m1", "m2"].map(name => ({ metadata: { name }, spec: {}, status: { apiEnablements } }));
    const policy = clusterNames && { spec: { placement: { clusterAffinity: { clusterNames } } } };
    return {
      bindings: { get: () => held },
      clusters: {
        get: (name: string) => joined.find(one => one.metadata.name === name),
        store: new Map(joined.entries()),
      },
      readPolicy: async () => policy,
    } as unknown as Dependencies["host"];
  }
  const told = (held: AnyBinding): AnyBinding =>
    ({ ...held, spec: { ...held.spec, suspension: { scheduling: true } } }) as AnyBinding;
  const claimed = {
    labels: { [PP_ID_LABEL]: "id" },
    annotations: { [PP_NAMESPACE_ANNOTATION]: "shop", [PP_NAME_ANNOTATION]: "pp" },
  };

  it.each`
    given                                        | held                                                 | names           | last
    ${"its binding names its place"}             | ${binding("u1", ["m1"], claimed)}                    | ${["m1"]}       | ${false}
    ${"its policy moves on, its binding soon"}   | ${binding("u1", ["m1"], claimed)}                    | ${["m2"]}       | ${true}
    ${"its binding may not follow its policy"}   | ${told(binding("u1", ["m1"], claimed))}              | ${["m2"]}       | ${false}
    ${"its binding is gone"}                     | ${undefined}                                         | ${["m1"]}       | ${true}
    ${"its binding is leaving"}                  | ${binding("u1", ["m1"], { ...claimed, ...LEAVING })} | ${["m1"]}       | ${true}
    ${"its binding has left its place"}          | ${binding("u1", ["m2"], claimed)}                    | ${["m2"]}       | ${true}
    ${"it left, and no cluster fits any more"}   | ${binding("u1", ["m2"], claimed)}                    | ${["m3"]}       | ${true}
    ${"no cluster fits, and it has not left"}    | ${binding("u1", ["m1"], claimed)}                    | ${["m3"]}       | ${false}
    ${"only the binding was edited by somebody"} | ${binding("u1", ["m2"], claimed)}                    | ${["m1", "m2"]} | ${true}
    ${"no policy is left to move anything"}      | ${binding("u1", ["m1"], claimed)}                    | ${undefined}    | ${false}
    ${"no policy is left, and it was edited"}    | ${binding("u1", ["m2"], claimed)}                    | ${undefined}    | ${true}
  `("is $last when $given", async ({ held, names, last }) => {
    const host = hostOf(held as AnyBinding | undefined, names as string[] | undefined);
    expect(await isLastWitness(work(), { host }, AbortSignal.timeout(1_000))).toBe(last);
  });

  it.each`
    given                   | held                                     | unnamed
    ${"names its place"}    | ${binding("u1", ["m1"])}                 | ${false}
    ${"has left its place"} | ${binding("u1", ["m2"])}                 | ${true}
    ${"is leaving"}         | ${binding("u1", ["m2"], { ...LEAVING })} | ${false}
    ${"is gone"}            | ${undefined}                             | ${false}
  `("waits for more than a binding: $unnamed where that $given", ({ held, unnamed }) => {
    expect(isUnnamed(work(), { host: hostOf(held as AnyBinding | undefined, undefined) })).toBe(unnamed);
  });

  it("is false for a Work that no binding made", async () => {
    const on = work({ [RB_NAME_ANNOTATION]: undefined }, false, {});
    expect(await isLastWitness(on, { host: hostOf(undefined, ["m1"]) }, AbortSignal.timeout(1_000))).toBe(false);
  });
});
