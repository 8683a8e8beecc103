// Is what others need there before them, and no wave larger than it may be?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rankOf, wavesOf } from "./waves.js";

const object = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: "x" } });

describe("rankOf", () => {
  it("orders kinds by what they need", () => {
    const kinds = [
      object("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
      object("v1", "ConfigMap"),
      object("v1", "PersistentVolumeClaim"),
      object("v1", "Service"),
      object("apps/v1", "Deployment"),
      object("autoscaling/v2", "HorizontalPodAutoscaler"),
    ].map(rankOf);
    expect(kinds).toEqual([0, 1, 2, 3, 4, 5]);
    expect(rankOf(object("own.example/v1", "ConfigMap"))).toBe(4);
  });
});

describe("wavesOf", () => {
  it("loses nothing, mixes no ranks and keeps the order", () => {
    const items = fc.array(fc.tuple(fc.nat(5), fc.nat()));
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 7 }), (given, size) => {
        const waves = wavesOf(given, size, ([rank]) => rank);
        expect(waves.flat()).toEqual([...given].sort((a, b) => a[0] - b[0]));
        for (const wave of waves) {
          expect(wave.length).toBeLessThanOrEqual(size);
          expect(new Set(wave.map(([rank]) => rank)).size).toBe(1);
        }
      }),
    );
  });
});
