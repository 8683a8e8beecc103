// Does a cluster that has left take its queues with it?
import { describe, expect, it, onTestFinished } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { Work } from "../../crds/work.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { silentLog } from "../../lib/engine/log.js";
import { WORKS_BY_ID, WORKS_BY_NAMESPACE } from "../../lib/kube/host.js";
import type { MemberListener, Member } from "../../lib/kube/member.js";
import { Store } from "../../lib/kube/store.js";
import { workControllers } from "./controller.js";

const cluster = { kind: "Cluster", metadata: { name: "east", uid: "c", resourceVersion: "1" } } as Cluster;
const work = {
  kind: "Work",
  metadata: { name: "w", namespace: "karmada-es-east", uid: "w", resourceVersion: "2" },
  spec: { suspendDispatching: true },
} as Work;

function started() {
  const works = new Store<Work>({
    indexes: { [WORKS_BY_ID]: () => [], [WORKS_BY_NAMESPACE]: one => [one.metadata.namespace ?? ""] },
  });
  const clusters = new Store<Cluster>();
  const queues = new Set<string>();
  const listeners: MemberListener[] = [];
  const collectionOf = (store: Store<Work> | Store<Cluster>) => ({
    store,
    get: store.get.bind(store),
    subscribe: store.subscribe.bind(store),
  });
  const deps = {
    host: {
      works: collectionOf(works),
      clusters: collectionOf(clusters),
      templates: { subscribe() {} },
      bindings: { subscribe() {} },
      clusterBindings: { subscribe() {} },
      policies: { subscribe() {} },
      clusterPolicies: { subscribe() {} },
    },
    members: { get: () => undefined, subscribe: (listener: MemberListener) => listeners.push(listener) },
    metrics: {
      watchQueue: (name: string) => queues.add(name),
      forgetQueue: (name: string) => queues.delete(name),
      reconciled() {},
    },
    log: silentLog,
  } as unknown as Dependencies;
  const controllers = workControllers(deps);
  onTestFinished(() => controllers.stop());
  void controllers.start();
  const lose = () => listeners.forEach(listener => listener.onReadiness?.({ name: "east", ready: false } as Member));
  return { works, clusters, queues, lose };
}

describe("the queues of a cluster", () => {
  it("are there once it has a Work", () => {
    const { works, clusters, queues } = started();
    clusters.observe(cluster);
    expect([...queues]).toEqual([]);

    works.observe(work);

    expect([...queues]).toEqual(["work-east", "work-status-east"]);
  });

  it("go with its Cluster, and do not come back when its connection is closed after that", () => {
    const { works, clusters, queues, lose } = started();
    clusters.observe(cluster);
    works.observe(work);
    works.remove(work, "3");
    expect(queues.size).toBe(2);

    clusters.remove(cluster, "4");
    lose();

    expect([...queues]).toEqual([]);
  });

  it("go with its last Work when the Cluster went first", () => {
    const { works, clusters, queues } = started();
    clusters.observe(cluster);
    works.observe(work);
    clusters.remove(cluster, "3");
    expect(queues.size).toBe(2);

    works.remove(work, "4");

    expect([...queues]).toEqual([]);
  });
});
