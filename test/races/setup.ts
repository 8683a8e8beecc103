// Where do the clusters of the races live? The test brings them up, and makes new ones when they have seen enough.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { down, guard } from "../../hack/clusters/index.js";

declare module "vitest" {
  /** What tests get by `inject(…)`. */
  export interface ProvidedContext {
    /** The directory of the clusters in which the races are run. */
    races: string;
  }
}

/** @returns what ends the clusters, however the test went. */
export function setup(project: TestProject): () => Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "holdfast-races-"));
  const callOffGuard = guard(dir);
  project.provide("races", dir);
  return async () => {
    await down(dir);
    await callOffGuard();
    rmSync(dir, { recursive: true, force: true });
  };
}
