// Is what held a template taken off it, and nothing made again that has copies?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { hold } from "../../lib/domain/hold.js";
import { LET_GO_FINALIZER } from "../../lib/domain/marks.js";
import { planRelease } from "./release-plan.js";

function held(apiVersion: string, kind: string, spec: object, metadata: object = {}): KubeObject {
  const given = { namespace: "shop", name: "web", uid: "u1", resourceVersion: "7", ...metadata };
  return hold({ apiVersion, kind, metadata: given, spec }, undefined);
}

describe("planRelease", () => {
  it.each`
    apiVersion     | kind                       | spec                                        | how         | starts
    ${"apps/v1"}   | ${"Deployment"}            | ${{ replicas: 3 }}                          | ${"edit"}   | ${"3 pod(s)"}
    ${"apps/v1"}   | ${"Deployment"}            | ${{ replicas: 3, paused: true }}            | ${"edit"}   | ${undefined}
    ${"apps/v1"}   | ${"StatefulSet"}           | ${{ replicas: 2 }}                          | ${"edit"}   | ${"2 pod(s)"}
    ${"apps/v1"}   | ${"DaemonSet"}             | ${{}}                                       | ${"edit"}   | ${"a pod on each node"}
    ${"batch/v1"}  | ${"Job"}                   | ${{}}                                       | ${"remake"} | ${"1 pod(s)"}
    ${"batch/v1"}  | ${"Job"}                   | ${{ managedBy: "example.com/queue" }}       | ${"edit"}   | ${"1 pod(s)"}
    ${"batch/v1"}  | ${"CronJob"}               | ${{ schedule: "0 3 * * *" }}                | ${"edit"}   | ${"jobs, at 0 3 * * *"}
    ${"batch/v1"}  | ${"CronJob"}               | ${{ schedule: "0 3 * * *", suspend: true }} | ${"edit"}   | ${undefined}
    ${"v1"}        | ${"Pod"}                   | ${{ containers: [] }}                       | ${"edit"}   | ${"a pod"}
    ${"v1"}        | ${"Pod"}                   | ${{ nodeName: "n1" }}                       | ${"remake"} | ${"a pod"}
    ${"v1"}        | ${"Service"}               | ${{ type: "ClusterIP" }}                    | ${"edit"}   | ${undefined}
    ${"v1"}        | ${"Service"}               | ${{ type: "LoadBalancer" }}                 | ${"remake"} | ${"a load balancer"}
    ${"v1"}        | ${"PersistentVolumeClaim"} | ${{ volumeName: "pv-1" }}                   | ${"remake"} | ${"a volume"}
    ${"policy/v1"} | ${"PodDisruptionBudget"}   | ${{ minAvailable: 1 }}                      | ${"edit"}   | ${undefined}
  `("gives a $kind back by $how, as $spec", ({ apiVersion, kind, spec, how, starts }) => {
    const plan = planRelease(held(apiVersion as string, kind as string, spec as object));
    expect([plan.way.how, plan.starts]).toEqual([how, starts]);
    if (plan.way.how === "stays") return;
    expect(plan.way.object["spec"]).toMatchObject(spec as object);
    expect(JSON.stringify(plan.way.object)).not.toMatch(/holdfast/);
  });

  it("leaves what has copies and would have to be made again as it is", () => {
    const claimed = held("batch/v1", "Job", {}, { finalizers: [LET_GO_FINALIZER] });
    expect(planRelease(claimed)).toMatchObject({ way: { how: "stays" }, starts: undefined });
    expect(planRelease(held("apps/v1", "Deployment", {}, { finalizers: [LET_GO_FINALIZER] })).way.how).toBe("edit");
  });

  it("makes a Job again without what its API server chose", () => {
    const labels = { app: "web", "batch.kubernetes.io/controller-uid": "u", "controller-uid": "u", "job-name": "web" };
    const spec = { selector: { matchLabels: { "controller-uid": "u" } }, template: { metadata: { labels }, spec: {} } };
    const { way } = planRelease(held("batch/v1", "Job", spec));
    expect(way.how === "remake" && way.object).toEqual({
      ...{ apiVersion: "batch/v1", kind: "Job" },
      metadata: { name: "web", namespace: "shop", labels: undefined, annotations: undefined },
      spec: { template: { metadata: { labels: { app: "web" } }, spec: {} } },
    });
  });
});
