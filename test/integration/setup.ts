// Which clusters do the integration tests share? A host and two members.
import type { TestProject } from "vitest/node";
import { shareClusters } from "./support/shared-clusters.js";

/** @returns what ends the clusters again. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return shareClusters(project, { given: ["HOLDFAST_CLUSTERS"], prefix: "holdfast-clusters-", members: 2 });
}
