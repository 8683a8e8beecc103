// Which clusters do the cases share? A host with the operator, and two members that it has joined.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { down, guard, readEnv, up } from "../../../hack/clusters/index.js";

/**
 * Brings them up once for all files, or uses those of `HOLDFAST_OPERATED` or `HOLDFAST_CLUSTERS` (a directory with an
 * env.json, and the operator), which are left as they are.
 * @returns what ends the clusters again.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["HOLDFAST_OPERATED"] ?? process.env["HOLDFAST_CLUSTERS"];
  if (given) {
    project.provide("clusters", readEnv(resolve(given)).dir);
    return async () => undefined;
  }
  const dir = mkdtempSync(join(tmpdir(), "holdfast-operated-"));
  const callOffGuard = guard(dir);
  const teardown = async (): Promise<void> => {
    await down(dir);
    await callOffGuard();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await up({ dir, members: 2, operator: true });
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("clusters", dir);
  return teardown;
}
