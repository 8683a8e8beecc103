// On which cluster do the stories play? An ordinary host with a real node, two members, and the operator's image on the node.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { down, guard, readEnv, up } from "../../hack/clusters/index.js";
import { ensurePause } from "../../hack/clusters/binaries.js";
import { sayToStderr } from "../../hack/clusters/step.js";
import { writeImage } from "../../hack/image/operator-image.js";
import { importImage, machineOf } from "../../hack/node/containers.js";
import { ensurePrograms } from "../../hack/node/programs.js";
import { writePauseImage } from "../../hack/node/pause-image.js";
import { traces } from "../../hack/node/traces.js";
import { IMAGES, OPERATOR_IMAGE } from "./support/machine.js";

/**
 * Brings it up, or uses that of `HOLDFAST_E2E` (a directory of `npm run clusters -- up --real-node`), which is left as it is.
 * @returns what ends it again, and fails when anything of it is left on this machine.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["HOLDFAST_E2E"];
  if (given) {
    const { dir } = readEnv(resolve(given));
    await provideImages(dir);
    project.provide("clusters", dir);
    return async () => undefined;
  }
  await ensurePrograms(sayToStderr);
  const before = new Set(await traces());
  const dir = mkdtempSync(join(tmpdir(), "holdfast-e2e-"));
  const callOffGuard = guard(dir);
  const teardown = async (): Promise<void> => {
    await down(dir);
    await callOffGuard();
    rmSync(dir, { recursive: true, force: true });
    const left = (await traces()).filter(line => !before.has(line));
    if (left.length === 0) return;
    // vitest prints what a teardown throws, and calls the run a success all the same.
    process.exitCode = 1;
    throw new Error(`left behind on this machine:\n${left.join("\n")}`);
  };
  try {
    await told("cluster", () => up({ dir, members: 2, realNode: true }));
    await told("images", () => provideImages(dir));
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("clusters", dir);
  return () => told("down", teardown);
}

async function provideImages(dir: string): Promise<void> {
  const machine = machineOf(dir);
  const file = join(dir, "holdfast.tar");
  await writeImage(file, OPERATOR_IMAGE, sayToStderr);
  await importImage(machine, file);
  for (const image of Object.values(IMAGES)) {
    await writePauseImage(await ensurePause(), file, image);
    await importImage(machine, file);
  }
}

async function told<T>(what: string, job: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const answer = await job();
  sayToStderr(`e2e: ${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return answer;
}
