// Is the state of an object told in the words that people know?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { stateOf } from "./state.js";

const of = (type: string, fields: object, metadata: object = {}): KubeObject => {
  const [apiVersion = "", kind = ""] = type.split(" ");
  return { apiVersion, kind, metadata: { name: "x", ...metadata }, ...fields };
};
const waiting = {
  containerStatuses: [{ ready: true }, { ready: false, state: { waiting: { reason: "ImagePullBackOff" } } }],
};

describe("stateOf", () => {
  it.each`
    given                           | object                                                                                                                                      | ready        | status
    ${"a Deployment that is whole"} | ${of("apps/v1 Deployment", { spec: { replicas: 2 }, status: { replicas: 2, readyReplicas: 2, updatedReplicas: 2, availableReplicas: 2 } })} | ${"2/2"}     | ${"Healthy"}
    ${"one without any pod yet"}    | ${of("apps/v1 Deployment", { spec: {} })}                                                                                                   | ${"0/1"}     | ${undefined}
    ${"a DaemonSet"}                | ${of("apps/v1 DaemonSet", { status: { numberReady: 1, desiredNumberScheduled: 3 } })}                                                       | ${"1/3"}     | ${"Unhealthy"}
    ${"a Job"}                      | ${of("batch/v1 Job", { spec: { completions: 3 }, status: { succeeded: 1 } })}                                                               | ${"1/3"}     | ${"Healthy"}
    ${"a Pod that waits"}           | ${of("v1 Pod", { spec: { containers: [{}, {}] }, status: { phase: "Pending", ...waiting } })}                                               | ${"1/2"}     | ${"ImagePullBackOff"}
    ${"a Namespace"}                | ${of("v1 Namespace", { status: { phase: "Active" } })}                                                                                      | ${undefined} | ${"Active"}
    ${"a ConfigMap"}                | ${of("v1 ConfigMap", { data: {} })}                                                                                                         | ${undefined} | ${undefined}
    ${"what is leaving"}            | ${of("v1 ConfigMap", {}, { deletionTimestamp: "2026-01-01T00:00:00Z" })}                                                                    | ${undefined} | ${"Terminating"}
    ${"a custom resource"}          | ${of("x.test/v1 W", { status: { conditions: [{ type: "Ready", status: "False" }] } })}                                                      | ${undefined} | ${"NotReady"}
    ${"a status that is no object"} | ${of("apps/v1 Deployment", { spec: 3, status: "x" })}                                                                                       | ${"0/1"}     | ${undefined}
  `(
    "of $given is $ready $status",
    ({ object, ready, status }: { object: KubeObject; ready?: string; status?: string }) => {
      expect(stateOf(object)).toEqual({ ...(ready && { ready }), ...(status && { status }) });
    },
  );

  it("counts the pods of all members for a template", () => {
    const template = of("apps/v1 Deployment", { spec: { replicas: 2 }, status: { replicas: 4, readyReplicas: 3 } });
    expect(stateOf(template, { isTemplate: true }).ready).toBe("3/4");
  });
});
