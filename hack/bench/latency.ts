// How long does one object take, to be visible in both members and to be let go of there?
import { setTimeout as sleep } from "node:timers/promises";
import { quantiles, type Figures } from "./figures.js";
import type { MemberState } from "./member-state.js";
import type { PhaseName } from "./options.js";
import { pathOf, templatesOf, type Template } from "./templates.js";
import { create, forEach, remove, setPreserve, type World } from "./world.js";

const PATIENCE = { totalMs: 120_000, stillMs: 120_000 };

/** What is done to one template, and since when a member shows the result. */
interface Trial {
  readonly act: (template: Template) => Promise<void>;
  readonly since: (member: MemberState, template: Template) => number | undefined;
}

/** One template after the other, with a pause between them or none; what they leave is removed, unmeasured. */
export async function measureLatency(world: World, phase: PhaseName, gapMs: number): Promise<Figures> {
  const { meter, options } = world;
  const templates = templatesOf(phase === "latency" ? "la" : "lb", options.tries);
  const creation: Trial = { act: template => create(world, template), since: (member, of) => member.since(of) };
  const act = () => tryEach(world, templates, creation, gapMs);
  const figures = await meter.measure({ phase, objects: templates.length, act });
  await forEach(templates, template => remove(world, template));
  await untilInAll(world, templates, since => since === undefined);
  await meter.settle();
  return figures;
}

/** One rollback after the other: from DELETE of the template to the last mark gone in both members. */
export async function measureRollback(world: World): Promise<Figures> {
  const { meter, options, members, host } = world;
  const templates = templatesOf("rb", options.tries);
  await setPreserve(world, true);
  await forEach(templates, template => create(world, template));
  await untilInAll(world, templates, since => since !== undefined);
  await meter.settle();
  const rollback: Trial = { act: template => remove(world, template), since: (member, of) => member.freeSince(of) };
  const act = () => tryEach(world, templates, rollback, 0);
  const figures = await meter.measure({ phase: "rollback", objects: templates.length, act });
  for (const { api } of [{ api: host }, ...members]) {
    for (const { kind, name } of templates) await api.request("DELETE", `${pathOf(kind)}/${name}`, { fine: [404] });
  }
  await setPreserve(world, false);
  await meter.settle();
  return figures;
}

async function tryEach(world: World, templates: readonly Template[], { act, since }: Trial, gapMs: number) {
  const durations: number[] = [];
  for (const template of templates) {
    const duration = await timeUntil(
      world,
      member => since(member, template),
      () => act(template),
    );
    if (duration !== undefined) durations.push(duration);
    if (gapMs > 0) await sleep(gapMs, undefined, { signal: world.signal });
  }
  const missing = templates.length - durations.length;
  return { ok: missing === 0, latency: quantiles(durations), facts: { missing } };
}

async function untilInAll(
  { changes, members }: World,
  templates: readonly Template[],
  isSo: (since: number | undefined) => boolean,
): Promise<void> {
  await changes.until(() => members.every(member => templates.every(template => isSo(member.since(template)))));
}

/** How long it takes after `act` until every member has come to be so; milliseconds. */
async function timeUntil(
  { members, changes }: World,
  since: (member: MemberState) => number | undefined,
  act: () => Promise<void>,
): Promise<number | undefined> {
  const began = performance.now();
  const firstSeen = members.map((): number | undefined => undefined);
  const seen = changes.until(() => {
    // What comes first counts: a status write in the member is a change, too.
    members.forEach((member, index) => (firstSeen[index] ??= since(member)));
    return firstSeen.every(at => at !== undefined);
  }, PATIENCE);
  await act();
  const { ok } = await seen;
  return ok ? Math.max(...firstSeen.map(at => at ?? 0)) - began : undefined;
}
