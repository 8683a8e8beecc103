// Is everything that a leaving cluster holds of ours known before it goes?
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { Work } from "../../crds/work.js";
import { namespaceWorkId } from "../../lib/kube/member-namespace.js";
import { Inventories } from "./inventory.js";

const cluster: Cluster = {
  apiVersion: "cluster.karmada.io/v1alpha1",
  kind: "Cluster",
  metadata: { name: "m", uid: "1" },
  spec: { syncMode: "Push" },
};

function work(name: string, more: { in?: string; held?: boolean; applied?: boolean } = {}): Work {
  const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "shop" } };
  const applied = { type: "Applied", status: "True" as const, reason: "x", message: "", lastTransitionTime: "" };
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name, namespace: more.in ?? "karmada-es-m" },
    spec: { workload: { manifests: [manifest] }, suspendDispatching: more.held },
    ...(more.applied && { status: { conditions: [applied] } }),
  };
}

function inventories(...works: Work[]) {
  const deps = { host: { works: { store: { byIndex: () => works } } }, members: { get: () => undefined } };
  return new Inventories(deps as unknown as ConstructorParameters<typeof Inventories>[0]);
}

const doubtfulIn = ({ items }: ReturnType<Inventories["begin"]>) => [...items.values()].map(i => i.doubtful === true);

describe("Inventories", () => {
  it("begins with the Works that are there, and takes in what comes", () => {
    const all = inventories(work("a"));
    const inventory = all.begin(cluster);
    all.noteNamespace("m", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: {
        name: "shop",
        labels: { "karmada.io/managed": "true", "work.karmada.io/permanent-id": namespaceWorkId("m", "shop") },
      },
    });
    all.noteWork(work("b", { in: "karmada-es-other" }));

    expect([...inventory.items.keys()]).toEqual(["|ConfigMap|shop|settings", "|Namespace||shop"]);
    expect(inventory.sent.size).toBe(1);
  });

  it("goes on with the one that it has, and begins anew for a Cluster that was made again", () => {
    const all = inventories(work("a"));
    const first = all.begin(cluster);

    expect(all.begin(cluster)).toBe(first);
    expect(all.begin({ ...cluster, metadata: { name: "m", uid: "2" } })).not.toBe(first);
  });

  it.each`
    works                                         | doubtful | sentence
    ${[work("a")]}                                | ${false} | ${"what a Work sends was there"}
    ${[work("a", { held: true, applied: true })]} | ${false} | ${"what a Work has sent before it was held back was there"}
    ${[work("a", { held: true })]}                | ${true}  | ${"what a Work only names may never have been there"}
    ${[work("a"), work("b", { held: true })]}     | ${false} | ${"one that sends is enough"}
  `("knows that $sentence", ({ works, doubtful }: { works: Work[]; doubtful: boolean }) => {
    expect(doubtfulIn(inventories(...works).begin(cluster))).toEqual([doubtful]);
  });
});
