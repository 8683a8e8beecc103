// How long do many objects take to come, to change and to be told what becomes of them?
import type { Figures } from "./figures.js";
import type { PhaseName } from "./options.js";
import { patchTo, pathOf, templatesOf, type Template } from "./templates.js";
import { copies, create, forEach, setPreserve, type World } from "./world.js";

/** The edition that `update` makes. */
export const SECOND_EDITION = "2";

/** Makes N templates; until both members have all of them. */
export async function measureBurst(
  world: World,
  phase: PhaseName,
): Promise<{ figures: Figures; templates: Template[] }> {
  const templates = templatesOf(phase === "burst" ? "b1" : "b2", world.options.n);
  const wanted = templates.length * world.members.length;
  const figures = await world.meter.measure({ phase, objects: templates.length, act });
  return { figures, templates };

  async function act() {
    const began = performance.now();
    const done = world.changes.until(() => copies(world) >= wanted);
    await forEach(templates, template => create(world, template));
    const { ok, at } = await done;
    return { ok, seconds: (at - began) / 1000, facts: { missing: wanted - copies(world) } };
  }
}

/** Changes one field in each template; until every copy has it. */
export function measureUpdate(world: World, templates: readonly Template[]): Promise<Figures> {
  const { host, members, changes } = world;
  return world.meter.measure({ phase: "update", objects: templates.length, act });

  async function act() {
    const began = performance.now();
    const done = changes.until(() => members.every(each => each.inEdition(SECOND_EDITION) >= templates.length));
    await forEach(templates, async ({ kind, name }) => {
      const body = patchTo(kind, SECOND_EDITION);
      await host.request("PATCH", `${pathOf(kind)}/${name}`, { body, type: "application/json-patch+json" });
    });
    const { ok, at } = await done;
    return { ok, seconds: (at - began) / 1000 };
  }
}

/** Turns preserve on in the policy; until every Work says so. */
export function measureFlip(world: World, templates: readonly Template[]): Promise<Figures> {
  const wanted = templates.length * world.members.length;
  return world.meter.measure({ phase: "flip", objects: templates.length, act });

  async function act() {
    const began = performance.now();
    const done = world.changes.until(() => world.works.keeping >= wanted);
    await setPreserve(world, true);
    const { ok, at } = await done;
    return { ok, seconds: (at - began) / 1000, facts: { missing: wanted - world.works.keeping } };
  }
}
