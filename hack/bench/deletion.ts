// How long does it take to let go of many objects, and is every copy kept, or gone, as it was ordered?
import type { Figures } from "./figures.js";
import { KINDS, pathOf, type Template } from "./templates.js";
import { copies, forEach, remove, setPreserve, type World } from "./world.js";

/** What has to be true of the copies that stay. */
export interface Kept {
  readonly templates: readonly Template[];
  /** The edition in which they must stay. */
  readonly edition: string;
}

/** Deletes all templates with preserve; until no Work is left and no copy has a mark. The copies go afterwards, unmeasured. */
export async function measureKeep(world: World, { templates, edition }: Kept): Promise<Figures> {
  const { members, works, changes, meter } = world;
  const figures = await meter.measure({ phase: "delete-preserve", objects: templates.length, act });
  for (const { api } of members) {
    for (const kind of KINDS) {
      await api.request("DELETE", `${pathOf(kind)}?labelSelector=bench%3Dyes`, { verb: "DELETECOLLECTION" });
    }
  }
  await changes.until(() => copies(world) === 0);
  await setPreserve(world, false);
  await meter.settle();
  return figures;

  async function act() {
    const deletedBefore = sum(members.map(({ deleted }) => deleted));
    const began = performance.now();
    const done = changes.until(() => works.size === 0 && members.every(({ marked }) => marked === 0));
    await forEach(templates, template => remove(world, template));
    const { ok, at } = await done;
    const lost = sum(members.map(({ deleted }) => deleted)) - deletedBefore;
    const changed = templates.length * members.length - sum(members.map(each => each.inEdition(edition)));
    const facts = { lost, changed, marked: sum(members.map(({ marked }) => marked)), works: works.size };
    return { ok: ok && lost === 0 && changed === 0, seconds: (at - began) / 1000, facts };
  }
}

/** Deletes all templates without preserve; until all copies are gone (`seconds`), and all Works. */
export function measureDelete(world: World, templates: readonly Template[]): Promise<Figures> {
  const { works, changes } = world;
  return world.meter.measure({ phase: "delete", objects: templates.length, act });

  async function act() {
    const began = performance.now();
    const gone = changes.until(() => copies(world) === 0);
    const worksGone = changes.until(() => works.size === 0);
    await forEach(templates, template => remove(world, template));
    const [{ ok, at }, { ok: worksOk }] = await Promise.all([gone, worksGone]);
    return { ok: ok && worksOk, seconds: (at - began) / 1000, facts: { copies: copies(world), works: works.size } };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
