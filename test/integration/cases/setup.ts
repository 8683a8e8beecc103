// Which clusters do the cases share? A host with the operator, and two members that it has joined.
import type { TestProject } from "vitest/node";
import { shareClusters } from "../support/shared-clusters.js";

/** @returns what ends the clusters again. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = ["HOLDFAST_OPERATED", "HOLDFAST_CLUSTERS"];
  return shareClusters(project, { given, prefix: "holdfast-operated-", members: 2, operator: true });
}
