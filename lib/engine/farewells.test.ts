// Does the oldest deletion of each member count, and nothing that stays?
import { describe, expect, it } from "vitest";
import type { Work } from "../../crds/work.js";
import { oldestFarewells } from "./farewells.js";

const NOW = Date.parse("2026-03-01T12:00:00Z");

function work(cluster: string, deletionTimestamp?: string): Work {
  const metadata = { namespace: `karmada-es-${cluster}`, name: "w", deletionTimestamp };
  return { apiVersion: "work.karmada.io/v1alpha1", kind: "Work", metadata, spec: { workload: { manifests: [] } } };
}

describe("oldestFarewells", () => {
  it("counts the oldest of each member, and none that is not being deleted", () => {
    const works = [
      work("one", "2026-03-01T11:59:00Z"),
      work("one", "2026-03-01T11:50:00Z"),
      work("two", "2026-03-01T12:00:05Z"),
      work("three"),
    ];
    expect(oldestFarewells(works, NOW)).toEqual(
      new Map([
        ["one", 600],
        ["two", 0],
      ]),
    );
  });
});
