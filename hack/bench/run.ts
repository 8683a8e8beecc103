// In which order is measured, and what does one phase leave to the next?
import { setTimeout as sleep } from "node:timers/promises";
import { measureDelete, measureKeep } from "./deletion.js";
import type { Figures } from "./figures.js";
import { measureLatency, measureRollback } from "./latency.js";
import { measureBurst, measureFlip, measureUpdate, SECOND_EDITION } from "./many.js";
import type { PhaseName } from "./options.js";
import type { Template } from "./templates.js";
import { setPreserve, type World } from "./world.js";

interface Course {
  /** What is on the host. */
  templates: readonly Template[];
  edition: string;
  /** What the policy says. */
  preserve: boolean;
  /** Ends the watch of the Works; it runs only in the phases that need it. */
  works: AbortController | undefined;
}

/** Runs the phases of the options one after the other. @param tell gets the figures of each as soon as they are there. */
export async function runPhases(world: World, tell: (figures: Figures) => void): Promise<Figures[]> {
  const course: Course = { templates: [], edition: "1", preserve: false, works: undefined };
  const all: Figures[] = [];
  for (const phase of world.options.phases) {
    world.signal.throwIfAborted();
    const figures = await STEPS[phase](world, course);
    tell(figures);
    all.push(figures);
  }
  course.works?.abort();
  return all;
}

type Step = (world: World, course: Course) => Promise<Figures>;

const STEPS: Readonly<Record<PhaseName, Step>> = {
  latency: world => measureLatency(world, "latency", world.options.gapMs),
  "latency-b2b": world => measureLatency(world, "latency-b2b", 0),
  rollback: measureRollback,
  burst: (world, course) => burst(world, course, "burst"),
  burst2: (world, course) => burst(world, course, "burst2"),
  update: async (world, course) => {
    const figures = await measureUpdate(world, course.templates);
    course.edition = SECOND_EDITION;
    return figures;
  },
  idle,
  flip: async (world, course) => {
    await prepare(world, course, false);
    course.preserve = true;
    return measureFlip(world, course.templates);
  },
  "delete-preserve": async (world, course) => {
    await prepare(world, course, true);
    course.preserve = false;
    return measureKeep(world, course);
  },
  delete: async (world, course) => {
    await prepare(world, course, false);
    return measureDelete(world, course.templates);
  },
};

async function burst(world: World, course: Course, phase: PhaseName): Promise<Figures> {
  course.works?.abort();
  course.works = undefined;
  const { figures, templates } = await measureBurst(world, phase);
  Object.assign(course, { templates, edition: "1" });
  return figures;
}

/** Watches the Works, and has the policy say what the phase is about where the one before did not. */
async function prepare(world: World, course: Course, preserve: boolean): Promise<void> {
  if (course.preserve !== preserve) {
    await setPreserve(world, preserve);
    course.preserve = preserve;
    await world.meter.settle();
  }
  await watchWorks(world, course);
}

async function watchWorks({ works, signal }: World, course: Course): Promise<void> {
  if (course.works) return;
  course.works = new AbortController();
  await works.start(AbortSignal.any([signal, course.works.signal]));
}

/** Members are looked at every 10 s: what the phase before changed in their pods is on the host after the next look. */
const NEXT_LOOK_MS = 12_000;

async function idle({ meter, options, signal }: World): Promise<Figures> {
  await meter.settle();
  await sleep(NEXT_LOOK_MS, undefined, { signal });
  const act = async () => {
    await sleep(options.idleSeconds * 1000, undefined, { signal });
    return { ok: true, seconds: options.idleSeconds };
  };
  return meter.measure({ phase: "idle", objects: 0, settle: false, act });
}
