// How long does one object take, from POST to visible in both members?
import { setTimeout as sleep } from "node:timers/promises";
import { quantiles, type Figures } from "./figures.js";
import type { PhaseName } from "./options.js";
import { templatesOf, type Template } from "./templates.js";
import { create, forEach, remove, type World } from "./world.js";

const PATIENCE = { totalMs: 120_000, stillMs: 120_000 };

/** One template after the other, with a pause between them or none; what they leave is removed, unmeasured. */
export async function measureLatency(world: World, phase: PhaseName, gapMs: number): Promise<Figures> {
  const { meter, options, changes, members } = world;
  const templates = templatesOf(phase === "latency" ? "la" : "lb", options.tries);
  const figures = await meter.measure({ phase, objects: templates.length, act });
  await forEach(templates, template => remove(world, template));
  await changes.until(() => members.every(member => templates.every(each => member.since(each) === undefined)));
  await meter.settle();
  return figures;

  async function act() {
    const durations: number[] = [];
    for (const template of templates) {
      const duration = await timeOf(world, template);
      if (duration !== undefined) durations.push(duration);
      if (gapMs > 0) await sleep(gapMs, undefined, { signal: world.signal });
    }
    const missing = templates.length - durations.length;
    return { ok: missing === 0, latency: quantiles(durations), facts: { missing } };
  }
}

async function timeOf(world: World, template: Template): Promise<number | undefined> {
  const { members, changes } = world;
  const began = performance.now();
  const firstSeen = members.map((): number | undefined => undefined);
  const seen = changes.until(() => {
    // What comes first counts: a status write in the member is a change, too.
    members.forEach((member, index) => (firstSeen[index] ??= member.since(template)));
    return firstSeen.every(at => at !== undefined);
  }, PATIENCE);
  await create(world, template);
  const { ok } = await seen;
  return ok ? Math.max(...firstSeen.map(at => at ?? 0)) - began : undefined;
}
