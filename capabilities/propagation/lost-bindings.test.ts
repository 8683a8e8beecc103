// Is a binding remembered that is gone, and forgotten as soon as there is another?
import { describe, expect, it } from "vitest";
import type { AnyBinding } from "../../lib/kube/host.js";
import { Store } from "../../lib/kube/store.js";
import { lostBindings } from "./lost-bindings.js";

const binding = (templateUid: string, name = "web-deployment", clusters = ["m1"]): AnyBinding =>
  ({
    metadata: { namespace: "shop", name, uid: `of-${templateUid}`, resourceVersion: "1" },
    spec: { resource: { uid: templateUid }, clusters: clusters.map(cluster => ({ name: cluster })) },
  }) as unknown as AnyBinding;

function host() {
  const [bindings, clusterBindings] = [new Store<AnyBinding>(), new Store<AnyBinding>()];
  const source = { bindings, clusterBindings } as unknown as Parameters<typeof lostBindings>[0];
  return { bindings, clusterBindings, lost: lostBindings(source) };
}

describe("lostBindings", () => {
  it("knows what the binding of a template said, once it is gone and not before", () => {
    const { bindings, lost } = host();
    bindings.observe(binding("t", "web-deployment", ["m1", "m2"]));
    expect(lost("t")).toBeUndefined();

    bindings.remove(binding("t"));

    expect(lost("t")?.spec.clusters).toEqual([{ name: "m1" }, { name: "m2" }]);
    expect([lost("u"), lost(undefined)]).toEqual([undefined, undefined]);
  });

  it("forgets it when there is another one", () => {
    const { clusterBindings, lost } = host();
    clusterBindings.observe(binding("t"));
    clusterBindings.remove(binding("t"));
    clusterBindings.observe({
      ...binding("t"),
      metadata: { ...binding("t").metadata, uid: "new", resourceVersion: "9" },
    });

    expect(lost("t")).toBeUndefined();
  });

  it("forgets the oldest of very many", () => {
    const { bindings, lost } = host();
    const uids = Array.from({ length: 1_001 }, (_, n) => `t${n}`);
    for (const uid of uids) bindings.observe(binding(uid, uid));
    for (const uid of uids) bindings.remove(binding(uid, uid));

    expect([lost("t0"), lost("t1")?.spec.resource.uid]).toEqual([undefined, "t1"]);
  });
});
