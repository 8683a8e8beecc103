// Where do the clusters live whose processes the fault tests kill? They come up with the first file that wants them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { down, guard } from "../../../../hack/clusters/index.js";

declare module "vitest" {
  /** What tests get by `inject(…)`. */
  export interface ProvidedContext {
    /** The directory for clusters that may be broken on purpose. */
    breakable: string;
  }
}

/**
 * Names a directory, or the one of `HOLDFAST_BREAKABLE`, whose clusters are left running.
 * @returns what ends the clusters.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["HOLDFAST_BREAKABLE"];
  if (given) {
    project.provide("breakable", resolve(given));
    return async () => undefined;
  }
  const dir = mkdtempSync(join(tmpdir(), "holdfast-breakable-"));
  const callOffGuard = guard(dir);
  project.provide("breakable", dir);
  return async () => {
    await down(dir);
    await callOffGuard();
    rmSync(dir, { recursive: true, force: true });
  };
}
