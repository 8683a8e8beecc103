// Where do the clusters of the races live? The test brings them up, and makes new ones when they have seen enough.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { down, guard } from "../../hack/clusters/index.js";

declare module "vitest" {
  /** What tests get by `inject(…)`. */
  export interface ProvidedContext {
    /** The directories of the clusters in which the races are run, side by side. */
    races: readonly string[];
  }
}

/** Mostly they wait, for what is broken to be mended: two sets of clusters share two cores well. */
const FLEETS = Number(process.env["HOLDFAST_RACES_FLEETS"]) || 2;

/** @returns what ends the clusters, however the test went. */
export function setup(project: TestProject): () => Promise<void> {
  const places = Array.from({ length: FLEETS }, () => {
    const dir = mkdtempSync(join(tmpdir(), "holdfast-races-"));
    return { dir, callOffGuard: guard(dir) };
  });
  project.provide(
    "races",
    places.map(({ dir }) => dir),
  );
  return async () => {
    for (const { dir, callOffGuard } of places) {
      await down(dir);
      await callOffGuard();
      rmSync(dir, { recursive: true, force: true });
    }
  };
}
