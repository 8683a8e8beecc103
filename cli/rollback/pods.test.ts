// Are Pods counted to the workload that they belong to?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { mayHavePods, podsByWorkload } from "./pods.js";
import type { Bare } from "./read.js";

const bare = (uid: string, owner?: string, controller = true): Bare => ({
  metadata: {
    name: uid,
    uid,
    ...(owner && { ownerReferences: [{ apiVersion: "v1", kind: "X", name: owner, uid: owner, controller }] }),
  },
});

describe("podsByWorkload", () => {
  it("follows the chain of controllers, and counts nobody else's", () => {
    const between = [bare("rs1", "web"), bare("job1", "cron"), bare("loop", "loop"), bare("free")];
    const pods = [
      bare("p1", "rs1"),
      bare("p2", "rs1"),
      bare("p3", "job1"),
      bare("p4", "db"),
      bare("p5"),
      bare("p6", "loop"),
      bare("p7", "rs1", false),
      bare("p8", "free"),
    ];

    const found = podsByWorkload(new Set(["web", "cron", "db"]), pods, between);

    expect(Object.fromEntries(found)).toEqual({ web: ["p1", "p2"], cron: ["p3"], db: ["p4"] });
  });
});

describe("mayHavePods", () => {
  it.each`
    apiVersion                | spec                   | may
    ${"apps/v1"}              | ${{ template: {} }}    | ${true}
    ${"batch/v1"}             | ${{ jobTemplate: {} }} | ${true}
    ${"argoproj.io/v1alpha1"} | ${{}}                  | ${true}
    ${"v1"}                   | ${undefined}           | ${false}
    ${"networking.k8s.io/v1"} | ${{ rules: [] }}       | ${false}
  `(
    "of $apiVersion with $spec says $may",
    ({ apiVersion, spec, may }: { apiVersion: string; spec: unknown; may: boolean }) => {
      const object: KubeObject = {
        apiVersion,
        kind: "X",
        metadata: { name: "x" },
        ...(spec !== undefined && { spec }),
      };
      expect(mayHavePods(object)).toBe(may);
    },
  );
});
