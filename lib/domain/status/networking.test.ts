// Are addresses of all members shown once each, and in an order that does not move?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { aggregateStatus, healthOf, reflectStatus } from "./index.js";

function service(type: string, status: unknown = {}): KubeObject {
  return { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { type }, status };
}

function ingress(status: unknown = {}): KubeObject {
  return { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: { name: "i" }, spec: {}, status };
}

function aggregate(template: KubeObject, ...entries: readonly (readonly object[])[]): unknown {
  const items = entries.map((each, index) => ({
    clusterName: `m${index}`,
    status: { loadBalancer: { ingress: each } },
    applied: true,
  }));
  return aggregateStatus({ template, items });
}

describe("aggregateStatus of a Service", () => {
  it("merges, sorts and says each address once, with the mode that the API server would add", () => {
    const first = [{ hostname: "lb.example" }, { ip: "10.0.0.2" }];
    const second = [
      { ip: "10.0.0.2", ipMode: "VIP" },
      { ip: "10.0.0.1", ipMode: "Proxy" },
    ];
    expect(aggregate(service("LoadBalancer"), first, second)).toEqual({
      loadBalancer: {
        ingress: [{ hostname: "lb.example" }, { ip: "10.0.0.1", ipMode: "Proxy" }, { ip: "10.0.0.2", ipMode: "VIP" }],
      },
    });
  });

  it("leaves out what the API server would refuse, so that a sick member blocks no other", () => {
    const entries = [{ ip: "10.0.0.300" }, { hostname: "10.0.0.1" }, { hostname: "No_Name" }, {}, { ip: "fd00::1" }];
    expect(aggregate(service("LoadBalancer"), entries)).toEqual({
      loadBalancer: { ingress: [{ ip: "fd00::1", ipMode: "VIP" }] },
    });
  });

  it("is not made for any other type", () => {
    expect(aggregate(service("ClusterIP"), [{ ip: "10.0.0.1" }])).toBeUndefined();
  });

  it("is cleared when no member has it", () => {
    const template = service("LoadBalancer", { loadBalancer: { ingress: [{ ip: "10.0.0.1", ipMode: "VIP" }] } });
    expect(aggregate(template)).toEqual({ loadBalancer: {} });
  });
});

describe("aggregateStatus of an Ingress", () => {
  it("merges addresses, which have no mode", () => {
    const ports = [{ port: 443, protocol: "TCP", error: "" }];
    expect(aggregate(ingress(), [{ ip: "10.0.0.1", ports }], [{ ip: "10.0.0.1", ports }])).toEqual({
      loadBalancer: { ingress: [{ ip: "10.0.0.1", ports: [{ port: 443, protocol: "TCP" }] }] },
    });
  });
});

describe("reflectStatus of a Service", () => {
  const status = { loadBalancer: { ingress: [{ ip: "10.0.0.1" }] } };
  it("is reported for load balancers only", () => {
    expect(reflectStatus(service("LoadBalancer", status))).toEqual(status);
    expect(reflectStatus(service("ClusterIP", { loadBalancer: {} }))).toBeUndefined();
  });
});

describe("healthOf", () => {
  const addressed = { loadBalancer: { ingress: [{ hostname: "lb.example" }] } };
  it.each`
    object                                        | health
    ${service("ClusterIP", { loadBalancer: {} })} | ${"Healthy"}
    ${service("LoadBalancer", {})}                | ${"Unhealthy"}
    ${service("LoadBalancer", addressed)}         | ${"Healthy"}
    ${ingress({ loadBalancer: {} })}              | ${"Unhealthy"}
    ${ingress(addressed)}                         | ${"Healthy"}
  `("calls $object.spec.type $object.kind with $object.status $health", ({ object, health }) => {
    expect(healthOf(object)).toBe(health);
  });
});
