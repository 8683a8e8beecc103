// How do clusters come up once for all files of a suite, and go with it?
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { down, guard, readEnv, up } from "../../../hack/clusters/index.js";

declare module "vitest" {
  /** What tests get by `inject(…)`. */
  export interface ProvidedContext {
    /** The directory of the shared clusters, for `readEnv` of hack/clusters. */
    clusters: string;
  }
}

/** Which clusters a suite wants. */
export interface Wanted extends Omit<Parameters<typeof up>[0], "dir"> {
  /** The first of these variables that is set names a directory with an env.json; its clusters are left as they are. */
  readonly given: readonly string[];
  /** What the directory of its own is called. */
  readonly prefix: string;
}

/** @returns what ends the clusters again. */
export async function shareClusters(
  project: TestProject,
  { given, prefix, ...options }: Wanted,
): Promise<() => Promise<void>> {
  const there = given.map(name => process.env[name]).find(dir => dir !== undefined);
  if (there) {
    project.provide("clusters", readEnv(resolve(there)).dir);
    return async () => undefined;
  }
  const dir = mkdtempSync(join(tmpdir(), prefix));
  const callOffGuard = guard(dir);
  const teardown = async (): Promise<void> => {
    await down(dir);
    await callOffGuard();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await up({ dir, ...options });
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("clusters", dir);
  return teardown;
}
