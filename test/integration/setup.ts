// Which clusters do the integration tests share?
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { down, guard, readEnv, up } from "../../hack/clusters/index.js";

declare module "vitest" {
  /** What tests get by `inject(…)`. */
  export interface ProvidedContext {
    /** The directory of the shared clusters, for `readEnv` of hack/clusters. */
    clusters: string;
  }
}

const MEMBERS = 2;

/**
 * Brings up a host and two members once for all files, or uses those of `HOLDFAST_CLUSTERS` (a directory with an
 * env.json), which are left as they are.
 * @returns what ends the clusters again.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["HOLDFAST_CLUSTERS"];
  if (given) {
    const { dir } = readEnv(resolve(given));
    project.provide("clusters", dir);
    return async () => undefined;
  }
  const dir = mkdtempSync(join(tmpdir(), "holdfast-clusters-"));
  const callOffGuard = guard(dir);
  const teardown = async (): Promise<void> => {
    await down(dir);
    await callOffGuard();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await up({ dir, members: MEMBERS });
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("clusters", dir);
  return teardown;
}
