// Where is the chart tried? On a host with workload controllers, with the operator's processes beside it and one member.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { down, guard, readEnv, up } from "../../hack/clusters/index.js";

/**
 * Brings them up once for all files, or uses those of `HOLDFAST_CHART_CLUSTERS` (a directory with an env.json).
 * @returns what ends the clusters again.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["HOLDFAST_CHART_CLUSTERS"];
  if (given) {
    project.provide("clusters", readEnv(resolve(given)).dir);
    return async () => undefined;
  }
  const dir = mkdtempSync(join(tmpdir(), "holdfast-chart-"));
  const callOffGuard = guard(dir);
  const teardown = async (): Promise<void> => {
    await down(dir);
    await callOffGuard();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await up({ dir, members: 1, operator: true, host: "ordinary" });
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("clusters", dir);
  return teardown;
}
