// How does what was held come to run here?
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "../../crds/object.js";
import { patchBetween } from "../../lib/domain/json-patch.js";
import { isConflict, messageOf } from "../../lib/kube/errors.js";
import type { ResourceClient } from "../../lib/kube/resource.js";
import { createAs, patchAs } from "../access/edit.js";
import { mapLimited } from "../access/limited.js";
import { planRelease, type Released } from "./release-plan.js";

/** One object and the way to its kind. */
export interface Carried {
  readonly template: KubeObject;
  readonly objects: ResourceClient;
}

/** One that could not be given back. */
export interface Failed {
  readonly template: KubeObject;
  readonly why: string;
}

const TRIES = 5;
const POLL_MS = 200;

/** Gives each back, several at a time; what goes on being held is left alone. @returns those that failed */
export async function carryOutRelease(
  plans: readonly (Carried & { readonly plan: Released })[],
  patienceMs: number,
): Promise<readonly Failed[]> {
  const failed: Failed[] = [];
  await mapLimited(plans, async ({ template, objects, plan: { way } }) => {
    try {
      if (way.how === "edit") await edit(objects, template);
      if (way.how === "remake") await remake(objects, template, patienceMs);
    } catch (error) {
      failed.push({ template, why: messageOf(error) });
    }
  });
  return failed;
}

/** Guarded by the version that was read; another write in between is read first. */
async function edit(objects: ResourceClient, template: KubeObject): Promise<void> {
  let current: KubeObject | undefined = template;
  for (let attempt = 1; current; attempt++) {
    const { way } = planRelease(current);
    if (way.how !== "edit") return;
    // As a `replace`, it is refused as a conflict when the object has changed.
    const guard = {
      op: "replace",
      path: "/metadata/resourceVersion",
      value: current.metadata.resourceVersion,
    } as const;
    const steps = patchBetween(current, way.object);
    if (steps.length === 0) return;
    try {
      await patchAs(objects, current, [guard, ...steps]);
      return;
    } catch (error) {
      if (!isConflict(error) || attempt >= TRIES) throw error;
      current = await objects.find(template.metadata);
    }
  }
}

/** Looks once more: what a policy has claimed in the meantime is not deleted. Whatever goes wrong then names the manifest. */
async function remake(objects: ResourceClient, { metadata }: KubeObject, patienceMs: number): Promise<void> {
  const current = await objects.find(metadata);
  const way = current && planRelease(current).way;
  if (!current || current.metadata.uid !== metadata.uid || way?.how !== "remake") {
    throw new Error("it has changed in the meantime and was left alone; run it again");
  }
  const { uid, resourceVersion } = current.metadata;
  await objects.delete(metadata, { uid, resourceVersion });
  try {
    await untilGone(objects, current, patienceMs);
    await createAs(objects, way.object);
  } catch (error) {
    throw new Error(
      `it is deleted, and not made again: ${messageOf(error)}; apply this: ${JSON.stringify(way.object)}`,
      {
        cause: error,
      },
    );
  }
}

async function untilGone(objects: ResourceClient, { metadata }: KubeObject, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while ((await objects.find(metadata))?.metadata.uid === metadata.uid) {
    if (performance.now() > deadline) throw new Error("it does not finish going");
    await sleep(POLL_MS);
  }
}
