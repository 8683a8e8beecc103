// Where is Flux tried? Beside a host that runs workloads, as most do, with the operator and two members.
import type { TestProject } from "vitest/node";
import { shareClusters } from "../integration/support/shared-clusters.js";

/** @returns what ends the clusters again. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  const what = { members: 2, host: "ordinary", operator: true, flux: true } as const;
  return shareClusters(project, { given: ["HOLDFAST_FLUX"], prefix: "holdfast-flux-", ...what });
}
