// Does the queue do what thirty plain lines would, whatever is done to it and in whatever order?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FakeClock } from "./clock.js";
import { BASE_MS, MAX_MS, Model } from "./queue-reference.js";
import { WorkQueue } from "./queue.js";

/** The queue with what it has handed out so far. */
class Real {
  readonly clock = new FakeClock();
  readonly queue = new WorkQueue({ clock: this.clock, baseDelayMs: BASE_MS, maxDelayMs: MAX_MS, random: () => 1 });
  readonly received: string[] = [];
  readonly working = new Set<string>();
  twiceAtOnce = false;
  ended = 0;
  closing = false;
  closed = false;

  take(): void {
    void this.queue.take().then(key => {
      if (key === undefined) return void this.ended++;
      if (this.working.has(key)) this.twiceAtOnce = true;
      this.working.add(key);
      this.received.push(key);
    });
  }

  done(key: string): void {
    this.working.delete(key);
    this.queue.done(key);
  }

  close(): void {
    this.closing = true;
    void this.queue.close().then(() => (this.closed = true));
  }
}

type Step = (queue: Model | Real["queue"]) => void;

function command(
  name: string,
  run: (model: Model, real: Real) => void,
  check: (model: Readonly<Model>) => boolean = () => true,
) {
  return {
    check,
    toString: () => name,
    async run(model: Model, real: Real) {
      run(model, real);
      await settle();
      expect(real.received).toEqual(model.received);
      expect(real.twiceAtOnce).toBe(false);
      expect(real.queue.stats.depth).toBe(model.ready.length);
      const unfinished = new Set([...model.ready, ...model.processing, ...model.delayed.map(({ key: one }) => one)]);
      expect(new Set(real.queue.unfinished())).toEqual(unfinished);
      expect(real.closed).toBe(real.closing && model.processing.size === 0);
    },
  };
}

const both = (name: string, step: Step) =>
  command(name, (model, real) => {
    step(model);
    step(real.queue);
  });

async function settle(): Promise<void> {
  for (let i = 0; i < 4; i++) await Promise.resolve();
}

const key: fc.Arbitrary<string> = fc.constantFrom("a", "b", "c", "d");
const ms = fc.integer({ min: -5, max: 400 });
const commands = [
  key.map(k => both(`add ${k}`, q => q.add(k))),
  key.map(k => both(`add ${k}`, q => q.add(k))),
  fc.tuple(key, ms).map(([k, t]) => both(`addAfter ${k} ${t}`, q => q.addAfter(k, t))),
  fc.tuple(key, fc.constantFrom(0, 0, 700, 5_000)).map(([k, t]) => both(`retry ${k} ${t}`, q => q.retry(k, t))),
  key.map(k =>
    command(`forget ${k}`, (model, real) => {
      model.failures.delete(k);
      real.queue.forget(k);
    }),
  ),
  fc.constant(
    command("take", (model, real) => {
      model.take();
      real.take();
    }),
  ),
  key.map(k =>
    command(
      `done ${k}`,
      (model, real) => {
        model.done(k);
        real.done(k);
      },
      model => model.processing.has(k),
    ),
  ),
  fc.integer({ min: 0, max: 1_500 }).map(t =>
    command(`advance ${t}`, (model, real) => {
      model.advance(t);
      real.clock.advance(t);
    }),
  ),
];
const closing = fc.constant(
  command("close", (model, real) => {
    model.close();
    real.close();
  }),
);

describe("WorkQueue", () => {
  it("behaves like the reference under any sequence of calls", async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 80, size: "max" }), async cmds => {
        await fc.asyncModelRun(() => ({ model: new Model(), real: new Real() }), cmds);
      }),
      { numRuns: 300 },
    );
  });

  it("behaves like the reference also when it is closed in between", async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands([...commands, closing], { maxCommands: 50, size: "max" }), async cmds => {
        await fc.asyncModelRun(() => ({ model: new Model(), real: new Real() }), cmds);
      }),
      { numRuns: 200 },
    );
  });

  it("works on everything that was wanted, by however many workers and failures", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(key, fc.boolean()), { maxLength: 60 }), async wishes => {
        const real = new Real();
        const wantedAfterLast = new Set<string>();
        const failing = new Map<string, number>(wishes.filter(([, fails]) => fails).map(([k]) => [k, 3]));
        for (const [k] of wishes) {
          real.queue.add(k);
          wantedAfterLast.add(k);
        }
        for (let i = 0; i < 200 && wantedAfterLast.size > 0; i++) {
          real.take();
          await settle();
          for (const k of [...real.working]) {
            const left = failing.get(k) ?? 0;
            if (left > 0) real.queue.retry(k);
            else wantedAfterLast.delete(k);
            failing.set(k, left - 1);
            real.done(k);
          }
          real.clock.advance(100);
        }
        expect([...wantedAfterLast]).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
