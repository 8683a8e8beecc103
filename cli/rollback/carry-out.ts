// Rolls back what was planned: sets the word, lets go, waits, and looks whether it is so.
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import { isConflict, isNotFound, messageOf } from "../../lib/kube/errors.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import type { Fleet } from "../access/fleet.js";
import { mapLimited } from "../access/limited.js";
import { objectKey } from "../view/adoption.js";
import type { Progress } from "../output/progress.js";
import { leavePolicies } from "./edit-policies.js";
import { readRemains, stillThere } from "./gone.js";
import { isAllowed, templateOf, type PlannedRollback } from "./plan.js";
import { proofs } from "./proofs.js";
import type { Proof, RollbackOptions } from "./request.js";
import { untilDone } from "./until.js";
import { allSay, setWord, takeWordBack, worksByBinding } from "./word.js";

/** Why one template could not be brought further. */
export type Troubles = Map<PlannedRollback, string>;

/** What the steps share. */
export interface Course {
  readonly fleet: Fleet;
  readonly options: RollbackOptions;
  readonly progress: Progress;
  readonly troubles: Troubles;
}

/**
 * Every step is decided by what the clusters say, so that whoever is killed anywhere can begin anew. One object that fails
 * stops no other. @throws KubeError when the host refuses to be read
 */
export async function carryOut(
  fleet: Fleet,
  planned: readonly PlannedRollback[],
  options: RollbackOptions,
  progress: Progress,
): Promise<readonly Proof[]> {
  const course: Course = { fleet, options, progress, troubles: new Map() };
  const allowed = planned.filter(one => isAllowed(one, options.force === true));
  await options.remember?.(rememberedOf(allowed));
  await overwriteOthers(course, allowed);
  const live = await setWords(
    course,
    allowed.filter(one => templateOf(one) && !course.troubles.has(one)),
  );
  const ready = await untilAllSay(course, live);
  if (options.clusters) await leavePolicies(course, planned, ready);
  else await deleteTemplates(course, ready);
  const leaving = allowed.filter(one => one.state === "leaving");
  const goneNow = await untilGone(
    course,
    [...ready, ...leaving].filter(one => !course.troubles.has(one)),
  );
  if (options.clusters)
    await takeWordsBack(
      course,
      goneNow.filter(one => ready.includes(one)),
    );
  return proofs(course, planned);
}

function rememberedOf(planned: readonly PlannedRollback[]) {
  return planned.flatMap(({ copies, standing }) =>
    copies.flatMap(({ cluster, sighting, work }) => {
      const uid = work && sighting?.live.metadata.uid;
      return uid ? [{ key: objectKey(standing.reference), cluster, uid, pods: sighting?.pods ?? [] }] : [];
    }),
  );
}

/** Runs a step on each; one that fails is out, and says why. */
async function each(
  { troubles }: Course,
  planned: readonly PlannedRollback[],
  work: (one: PlannedRollback) => Promise<string | undefined>,
): Promise<readonly PlannedRollback[]> {
  await mapLimited(planned, async one => {
    const trouble = await work(one).catch(messageOf);
    if (trouble !== undefined) troubles.set(one, trouble);
  });
  return planned.filter(one => !troubles.has(one));
}

/** While the object is still managed: whoever is killed here leaves it managed. */
async function overwriteOthers(course: Course, planned: readonly PlannedRollback[]): Promise<void> {
  if (!course.options.restore) return;
  const changed = planned.filter(({ copies }) => copies.some(({ overwrite }) => overwrite));
  await each(course, changed, async ({ copies }) => {
    for (const { cluster, overwrite, sighting, reference } of copies) {
      const known = course.fleet.all.find(({ metadata }) => metadata.name === cluster);
      if (!overwrite || !sighting || !known) continue;
      const objects = (await course.fleet.member(known)).objects(reference);
      await objects?.jsonPatch(sighting.live.metadata, overwrite).catch((error: unknown) => {
        throw new Error(`${cluster}: what others have changed could not be undone: ${messageOf(error)}`);
      });
    }
    return undefined;
  });
}

const wordOf = ({ restore }: RollbackOptions): Cascade => (restore ? "restore" : "orphan");

async function setWords(course: Course, planned: readonly PlannedRollback[]): Promise<readonly PlannedRollback[]> {
  let done = 0;
  return each(course, planned, async one => {
    const template = templateOf(one);
    const said = template && (await setWord(course.fleet.host.client, one.standing, template, wordOf(course.options)));
    course.progress.count(++done, planned.length, "templates say what becomes of their copies");
    return said ? undefined : "the template has been deleted meanwhile; run again to see what became of it";
  });
}

async function untilAllSay(course: Course, planned: readonly PlannedRollback[]): Promise<readonly PlannedRollback[]> {
  const { fleet, options, progress, troubles } = course;
  const word = wordOf(options);
  const late = await untilDone(planned, {
    open: async pending => {
      const works = await worksByBinding(
        fleet.host.client,
        pending.map(({ standing }) => standing),
      );
      return pending.filter(({ standing }) => !allSay(works.get(standing.binding?.metadata.uid ?? "") ?? [], word));
    },
    stillMs: options.stillMs,
    progress,
    what: "templates whose Works say so",
    hint: pending => `waits for the operator to write ${word} into the Works of ${pending.length} template(s)`,
  });
  for (const one of late) {
    troubles.set(one, `the operator has not written ${word} into every Work in time; nothing is deleted: ${AGAIN}`);
  }
  return planned.filter(one => !troubles.has(one));
}

const AGAIN = "start it (kubectl -n holdfast-system get pods) and run this again";

async function deleteTemplates(course: Course, planned: readonly PlannedRollback[]): Promise<void> {
  let done = 0;
  await each(course, planned, async one => {
    const { name, template } = one.standing;
    const templates = new ResourceClient(course.fleet.host.client, name.resource);
    await templates.delete(name, { uid: template?.metadata.uid }).catch((error: unknown) => {
      // Another one has its name by now: this one has gone.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    });
    course.progress.count(++done, planned.length, "templates deleted");
    return undefined;
  });
}

async function untilGone(course: Course, planned: readonly PlannedRollback[]): Promise<readonly PlannedRollback[]> {
  const { fleet, options, progress, troubles } = course;
  const away = unreachableIn(planned);
  let words = new Map<PlannedRollback, string>();
  const late = await untilDone(planned, {
    open: async pending => {
      const remains = await readRemains(fleet.host.client, pending);
      words = new Map(
        pending.flatMap(one => {
          const why = stillThere(one, remains, away);
          return why === undefined ? [] : [[one, why] as const];
        }),
      );
      return pending.filter(one => words.has(one));
    },
    stillMs: options.stillMs,
    progress,
    what: "templates let go of",
    hint: pending =>
      `waits for the operator to let go of ${pending.length} template(s): ${[...words.values()][0] ?? ""}`,
  });
  for (const one of late) {
    const why = words.get(one) ?? "it is still there";
    troubles.set(one, `${why}; nothing is lost, the order is given: if the operator is down, ${AGAIN}`);
  }
  return planned.filter(one => !troubles.has(one));
}

function unreachableIn(planned: readonly PlannedRollback[]): ReadonlySet<string> {
  const copies = planned.flatMap(one => one.copies);
  return new Set(copies.flatMap(({ fate, cluster }) => (fate === "unknown" ? [cluster] : [])));
}

/** The copies elsewhere have the word of before again; not as long as a Work still waits for its member. */
async function takeWordsBack(course: Course, planned: readonly PlannedRollback[]): Promise<void> {
  const { client } = course.fleet.host;
  const remains = await readRemains(client, planned);
  const done = planned.filter(one => stillThere(one, remains, new Set()) === undefined);
  await each(course, done, async ({ standing }) => {
    await takeWordBack(client, standing, wordOf(course.options));
    return undefined;
  });
}
