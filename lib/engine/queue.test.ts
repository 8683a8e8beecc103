// How long does the queue make a failed key wait, and what does closing it mean?
import { describe, expect, it } from "vitest";
import { FakeClock } from "./clock.js";
import { WorkQueue } from "./queue.js";

const BASE_MS = 50;
const MAX_MS = 1_000;

describe("back-off", () => {
  function pausesOf(random: () => number, count: number): number[] {
    const clock = new FakeClock();
    const queue = new WorkQueue({ clock, baseDelayMs: BASE_MS, maxDelayMs: MAX_MS, random });
    return Array.from({ length: count }, () => {
      const from = clock.now();
      queue.retry("k");
      while (queue.stats.depth === 0) clock.advance(1);
      void queue.take();
      queue.done("k");
      return clock.now() - from;
    });
  }

  it("doubles until it reaches its ceiling", () => {
    expect(pausesOf(() => 1, 8)).toEqual([50, 100, 200, 400, 800, 1_000, 1_000, 1_000]);
  });

  it("is spread by up to a quarter, so that what failed together does not come back together", () => {
    expect(pausesOf(() => 0, 6)).toEqual([38, 75, 150, 300, 600, 750]);
  });

  it("starts anew after a success", () => {
    const clock = new FakeClock();
    const queue = new WorkQueue({ clock, baseDelayMs: BASE_MS, random: () => 1 });
    for (let i = 0; i < 5; i++) queue.retry("k");
    queue.add("k");
    queue.forget("k");
    void queue.take();
    queue.done("k");

    queue.retry("k");
    clock.advance(BASE_MS);

    expect(queue.failuresOf("k")).toBe(1);
    expect(queue.stats.depth).toBe(1);
  });

  it("never grows past what a timer can count, however often a key fails", () => {
    const clock = new FakeClock();
    const queue = new WorkQueue({ clock, maxDelayMs: MAX_MS, random: () => 1 });
    for (let i = 0; i < 5_000; i++) queue.retry("k");

    clock.advance(MAX_MS);

    expect(queue.stats).toEqual({ depth: 1, adds: 1, retries: 5_000 });
  });

  it("waits as long as the server asked for", () => {
    const clock = new FakeClock();
    const queue = new WorkQueue({ clock, random: () => 1 });
    queue.retry("k", 7_000);

    clock.advance(6_999);
    const before = queue.stats.depth;
    clock.advance(1);

    expect([before, queue.stats.depth]).toEqual([0, 1]);
  });
});

describe("close", () => {
  it("ends waiting workers, waits for running ones, and takes nothing more", async () => {
    const queue = new WorkQueue();
    queue.add("running");
    const running = await queue.take();
    const waiting = queue.take();
    queue.addAfter("later", 1);
    let closed = false;
    const closing = queue.close().then(() => (closed = true));
    queue.add("running");

    expect(await waiting).toBeUndefined();
    expect(closed).toBe(false);
    queue.done(running ?? "");
    await closing;
    queue.add("late");
    expect(await queue.take()).toBeUndefined();
  });
});
