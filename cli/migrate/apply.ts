// Takes the objects of a plan over, wave by wave, and stops where something suffers.
import type { KubeObject } from "../../crds/object.js";
import { NAMESPACES } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { mapLimited } from "../access/limited.js";
import { Problem } from "../problem.js";
import { mayHavePods } from "../rollback/pods.js";
import { untilDone } from "../rollback/until.js";
import { objectKey } from "../view/adoption.js";
import { applyOnHost, bring, untilWell, type Course, type Mover, type Trouble } from "./bring.js";
import { readHealth, type Healths } from "./health.js";
import type { Item, Prepared } from "./prepare.js";
import { readBefore, remember, type Before } from "./record.js";
import { rankOf, wavesOf } from "./waves.js";

/** What came of it. */
export interface Applied {
  /** How many were taken over in this run. */
  readonly done: number;
  /** Those that a trouble left for the next run. */
  readonly left: number;
  readonly troubles: readonly Trouble[];
}

/** Where the plan is, and how many objects go at the same time. */
export interface ApplyRequest {
  readonly dir: string;
  readonly wave: number;
}

/** Safe to be killed anywhere, and to be run again. @throws KubeError when a cluster cannot be read */
export async function applyPlan(course: Course, prepared: Prepared, { dir, wave }: ApplyRequest): Promise<Applied> {
  const { fleet, member, progress } = course;
  const { open, namespaces, policies } = prepared;
  await mapLimited(namespaces, namespace => ensureNamespace(course, namespace));
  await mapLimited(policies, policy => applyOnHost(fleet, policy));
  const waves = wavesOf(open, wave, ({ template }) => rankOf(template));
  const before = new Map(readBefore(dir));
  const moved: Mover[] = [];
  let done = 0;
  for (const items of waves) {
    const now = await readHealth(
      member,
      items.map(({ live }) => live),
    );
    const fresh = items.filter(item => !isRemembered(item, before)).map(item => beforeOf(item, now));
    remember(dir, fresh);
    for (const one of fresh) before.set(one.key, one);
    const movers = items.map(item => moverOf(item, before.get(objectKey(item.template))));
    const troubles = await bring(course, movers);
    if (troubles.length > 0) return { done, left: open.length - done, troubles };
    moved.push(...movers);
    done += items.length;
    progress.count(done, open.length, "objects taken over, as well as before");
  }
  // What a wave set off may have come to light later.
  const troubles = await untilWell(course, moved);
  return { done, left: open.length - done, troubles };
}

/** One that was made anew since is another object, and is held to how that was. */
function isRemembered({ template, live }: Item, before: ReadonlyMap<string, Before>): boolean {
  return before.get(objectKey(template))?.uid === live.metadata.uid;
}

function beforeOf({ template, live }: Item, now: Healths): Before {
  const key = objectKey(template);
  const health = mayHavePods(live) ? now.get(key) : undefined;
  return { key, uid: live.metadata.uid ?? "", ...(health && { health: { ...health, pods: [...health.pods] } }) };
}

/** An interrupted run has remembered how it was before anything was done. */
function moverOf({ template, live, planned, verdict }: Item, before: Before | undefined): Mover {
  const state = verdict.state === "changes" ? verdict : planned.verdict;
  const rollsOut = state.state === "changes" && state.rollsOut;
  const health = before?.uid === live.metadata.uid ? before?.health : undefined;
  return { template, uid: live.metadata.uid ?? "", rollsOut, ...(health && { health }) };
}

/** A Namespace that is there is left as it is; one that is going, after a rollback, is waited for. @throws Problem, KubeError */
export async function ensureNamespace({ fleet, progress, stillMs }: Course, namespace: KubeObject): Promise<void> {
  const namespaces = new ResourceClient(fleet.host.client, NAMESPACES);
  const { name } = namespace.metadata;
  let live = await namespaces.find({ name });
  const late = await untilDone(live?.metadata.deletionTimestamp ? [name] : [], {
    open: async pending => {
      live = await namespaces.find({ name });
      return live?.metadata.deletionTimestamp ? pending : [];
    },
    stillMs,
    progress,
    what: "Namespaces of before gone",
    hint: () => `waits for Namespace ${name}, which is being deleted on the host`,
  });
  if (late.length > 0) {
    throw new Problem(
      `Namespace ${name} on the host is being deleted`,
      "see what holds it (kubectl get ns -o yaml), and run this again",
    );
  }
  if (!live) await applyOnHost(fleet, namespace);
}
