// Does a template hold what people asked for, and nothing that the member chose?
import { describe, expect, it } from "vitest";
import type { KubeObject, ManagedFieldsEntry } from "../../crds/object.js";
import { scaledBy, scaleKey, templateFrom } from "./template.js";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

const PORTS = { "f:ports": { ".": {}, 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:port": {}, "f:nodePort": {} } } };

function service(entry: Partial<ManagedFieldsEntry>, note?: unknown): KubeObject {
  const annotations = note === undefined ? undefined : { [LAST_APPLIED]: JSON.stringify(note) };
  const owned = { apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { "f:spec": { "f:clusterIP": {}, ...PORTS } } };
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace: "shop", annotations, managedFields: [{ manager: "tool", ...owned, ...entry }] },
    spec: { clusterIP: "10.0.0.7", ports: [{ port: 80, protocol: "TCP", nodePort: 31_000 }] },
  };
}

describe("templateFrom", () => {
  it.each`
    given                                                   | live                                                                                       | port
    ${"a node port that nobody is known to have asked for"} | ${service({ operation: "Update" })}                                                        | ${undefined}
    ${"one that was applied by server-side apply"}          | ${service({ operation: "Apply" })}                                                         | ${31_000}
    ${"one in kubectl's note"}                              | ${service({ operation: "Update" }, { spec: { ports: [{ port: 80, nodePort: 31_000 }] } })} | ${31_000}
    ${"another port in kubectl's note"}                     | ${service({ operation: "Update" }, { spec: { ports: [{ port: 81, nodePort: 31_001 }] } })} | ${undefined}
    ${"a note that is none"}                                | ${service({ operation: "Update" }, "{")}                                                   | ${undefined}
  `(
    "keeps $port of $given, and never the address",
    ({ live, port }: { live: KubeObject; port: number | undefined }) => {
      const template = templateFrom(live);

      expect(template["spec"]).toEqual({
        ports: [{ port: 80, protocol: "TCP", ...(port !== undefined && { nodePort: port }) }],
      });
      expect(template.metadata).toEqual({ name: "web", namespace: "shop" });
    },
  );

  it("leaves the replica count to the member where an autoscaler sets it", () => {
    const live = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", labels: { a: "b" } },
      spec: { replicas: 5, paused: true },
    };

    expect(templateFrom(live, { isScaled: true })).toMatchObject({
      metadata: { labels: { a: "b", "resourcetemplate.karmada.io/retain-replicas": "true" } },
      spec: { paused: true },
    });
    expect(templateFrom(live, { isScaled: true })["spec"]).not.toHaveProperty("replicas");
    expect(templateFrom(live)["spec"]).toHaveProperty("replicas", 5);
  });

  it("takes what an earlier control plane wrote for the word of people", () => {
    const wrote = (manager: string, field: string): ManagedFieldsEntry => ({
      manager,
      operation: "Update",
      apiVersion: "v1",
      fieldsV1: { "f:data": { [`f:${field}`]: {} } },
    });
    const managedFields = [wrote("karmada-controller-manager", "a"), wrote("kubectl-edit", "b")];
    const live = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "web", managedFields },
      data: { a: "1", b: "2" },
    };

    expect(templateFrom(live)["data"]).toEqual({ a: "1", b: "2" });
  });
});

describe("scaledBy", () => {
  it("names what autoscalers point at, in their own namespace", () => {
    const spec = { scaleTargetRef: { apiVersion: "apps/v1", kind: "StatefulSet", name: "db" } };
    const scaler = {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "x", namespace: "shop" },
      spec,
    };

    expect([...scaledBy([scaler])]).toEqual([scaleKey("apps", "StatefulSet", "shop", "db")]);
  });
});
