// Do two bindings that would name their Work alike get two names?
import { describe, expect, it } from "vitest";
import type { Work } from "../../crds/work.js";
import { CRB_ID_LABEL, RB_ID_LABEL } from "../../lib/domain/marks.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { storeKey } from "../../lib/kube/store.js";
import { workNameFor } from "./naming.js";

function binding(apiVersion: string, id: string, namespace?: string): AnyBinding {
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind: namespace ? "ResourceBinding" : "ClusterResourceBinding",
    metadata: { name: "front-ingress", namespace, labels: { [namespace ? RB_ID_LABEL : CRB_ID_LABEL]: id } },
    spec: { resource: { apiVersion, kind: "Ingress", namespace, name: "front" } },
  } as AnyBinding;
}

function hostWith(...works: readonly Work[]): Parameters<typeof workNameFor>[0] {
  const held = new Map(works.map(work => [storeKey(work.metadata), work]));
  // Naming only looks up Works by key.
  return { works: { get: (key: string) => held.get(key) } } as unknown as Parameters<typeof workNameFor>[0];
}

function workOf(name: string, cluster: string, labels: Record<string, string>): Work {
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name, namespace: `karmada-es-${cluster}`, labels },
    spec: {},
  };
}

describe("workNameFor", () => {
  const one = binding("networking.k8s.io/v1", "one", "shop");
  const plain = workNameFor(hostWith(), one, "m1");

  it("is the plain name where that is free or its own", () => {
    expect(workNameFor(hostWith(workOf(plain, "m1", { [RB_ID_LABEL]: "one" })), one, "m1")).toBe(plain);
    expect(workNameFor(hostWith(workOf(plain, "m2", { [RB_ID_LABEL]: "two" })), one, "m1")).toBe(plain);
  });

  it("has a suffix where another binding's Work has the plain name", () => {
    const taken = hostWith(workOf(plain, "m1", { [RB_ID_LABEL]: "one" }));
    const other = binding("extensions.example/v1", "two", "shop");
    const suffixed = workNameFor(taken, other, "m1");
    expect(suffixed).not.toBe(plain);
    expect(suffixed.startsWith(plain)).toBe(true);
    expect(workNameFor(taken, other, "m1")).toBe(suffixed);
  });

  it("has a suffix where a Work that no binding made has the plain name", () => {
    expect(workNameFor(hostWith(workOf(plain, "m1", {})), one, "m1")).not.toBe(plain);
  });

  it("does not take a namespaced binding's Work for that of a cluster-wide one", () => {
    const wide = binding("example.com/v1", "one");
    const free = workNameFor(hostWith(), wide, "m1");
    expect(workNameFor(hostWith(workOf(free, "m1", { [RB_ID_LABEL]: "one" })), wide, "m1")).not.toBe(free);
    expect(workNameFor(hostWith(workOf(free, "m1", { [CRB_ID_LABEL]: "one" })), wide, "m1")).toBe(free);
  });
});
