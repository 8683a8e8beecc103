// Where is the chart tried? On a host with workload controllers, with the operator's processes beside it and one member.
import type { TestProject } from "vitest/node";
import { shareClusters } from "../integration/support/shared-clusters.js";

/** @returns what ends the clusters again. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = ["HOLDFAST_CHART_CLUSTERS"];
  return shareClusters(project, { given, prefix: "holdfast-chart-", members: 1, operator: true, host: "ordinary" });
}
