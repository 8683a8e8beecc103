// Which clusters do the tests of an ordinary host share? A host that runs workloads, the operator, and two members.
import type { TestProject } from "vitest/node";
import { shareClusters } from "../support/shared-clusters.js";

/** @returns what ends the clusters again. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = "holdfast-ordinary-";
  return shareClusters(project, { given: ["HOLDFAST_ORDINARY"], prefix, members: 2, host: "ordinary", operator: true });
}
