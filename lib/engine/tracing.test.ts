// Is all that one state of a template sets going one trace, and the next state another?
import { describe, expect, it, vi } from "vitest";
import type { Work } from "../../crds/work.js";
import type { AnyBinding } from "../kube/host.js";
import { templateKey } from "../kube/templates.js";
import { traceOf, traceReconciles, type TracedHost } from "./tracing.js";

function host(generation: number): TracedHost {
  const annotations = {
    "resourcebinding.karmada.io/namespace": "shop",
    "resourcebinding.karmada.io/name": "web-deployment",
    "holdfast.dev/binding-generation": String(generation),
  };
  const binding = { metadata: { namespace: "shop", name: "web-deployment", generation } } as AnyBinding;
  const work = { metadata: { name: "web-1", namespace: "karmada-es-m1", annotations } } as unknown as Work;
  return {
    bindingAt: key => (key === "shop/web-deployment" ? binding : undefined),
    works: { get: key => (key === "karmada-es-m1/web-1" ? work : undefined) },
  };
}

const TEMPLATE = templateKey({ apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" });
const STEPS = [
  ["propagation", TEMPLATE],
  ["binding", "shop/web-deployment"],
  ["binding-status", "shop/web-deployment"],
  ["work-m1", "karmada-es-m1/web-1"],
  ["work-status-m1", "karmada-es-m1/web-1"],
] as const;

describe("traceOf", () => {
  it("is the same for template, binding and Work, and another one for the next state", () => {
    const ids = (generation: number) => new Set(STEPS.map(([who, key]) => traceOf(host(generation), who, key)));
    expect([...ids(1)]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(ids(2).size).toBe(1);
    expect(ids(2)).not.toEqual(ids(1));
  });

  it("is one of its own for what belongs to no binding", () => {
    const one = () => traceOf(host(1), "cluster", "m1");
    expect(one()).toMatch(/^[0-9a-f]{32}$/);
    expect(one()).not.toBe(one());
  });
});

describe("traceReconciles", () => {
  it("tells controller, key, time and error", () => {
    const add = vi.fn();
    traceReconciles({ add }, host(1))({ controller: "binding", key: "shop/x", seconds: 2, error: "refused" });
    const [[span]] = add.mock.calls as [[{ startMs: number; endMs: number }]];
    expect(span).toMatchObject({
      name: "reconcile binding",
      attributes: { "holdfast.controller": "binding", "holdfast.key": "shop/x" },
      error: "refused",
    });
    expect(span.endMs - span.startMs).toBe(2_000);
  });
});
