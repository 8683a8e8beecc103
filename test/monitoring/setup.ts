// Which clusters does a real Prometheus look at? A host with the operator, and two members that it has joined.
import type { TestProject } from "vitest/node";
import { shareClusters } from "../integration/support/shared-clusters.js";

/** @returns what ends the clusters again. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return shareClusters(project, {
    ...{ given: ["HOLDFAST_MONITORED"], prefix: "holdfast-monitored-", members: 2, operator: true },
  });
}
