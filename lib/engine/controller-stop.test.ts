// Do workers share keys without sharing one, and does stopping drain them?
import { describe, expect, it, vi } from "vitest";
import { FakeClock } from "./clock.js";
import { Controller, type Reconciler } from "./controller.js";
import { silentLog } from "./log.js";

function controllerOf(reconcile: Reconciler, workers = 2) {
  const clock = new FakeClock();
  const log = { ...silentLog, warn: vi.fn(), debug: vi.fn() };
  const metrics = { reconciled: vi.fn(), watchQueue: vi.fn(), forgetQueue: vi.fn() };
  const queue = { clock, random: () => 1 };
  const controller = new Controller({ name: "test", reconcile, workers, log, metrics, queue });
  controller.start();
  return { controller, clock, log, metrics };
}

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const never = (): Promise<never> => new Promise(() => {});

describe("workers", () => {
  it("share the keys, and never one key", async () => {
    const running = new Map<string, number>();
    let most = 0;
    const { controller } = controllerOf(async key => {
      const now = (running.get(key) ?? 0) + 1;
      expect(now).toBe(1);
      running.set(key, now);
      most = Math.max(most, [...running.values()].filter(n => n > 0).length);
      await settle();
      running.set(key, 0);
      return {};
    }, 3);

    for (let i = 0; i < 100; i++) controller.queue.add(`k${i % 7}`);
    for (let i = 0; i < 60; i++) {
      controller.queue.add(`k${i % 7}`);
      await settle();
    }

    expect(most).toBe(3);
    expect([...running.keys()]).toHaveLength(7);
    await controller.stop();
  });
});

describe("stop", () => {
  it("lets a running reconcile finish, without aborting it", async () => {
    let aborted: boolean | undefined;
    const { controller } = controllerOf(async (_key, signal) => {
      await new Promise(resolve => setTimeout(resolve, 50));
      aborted = signal.aborted;
      return {};
    });
    controller.queue.add("k");
    await settle();

    await controller.stop(5_000);

    expect(aborted).toBe(false);
  });

  it("aborts what is still running after the grace, and does not count that as a failure", async () => {
    const { controller, log } = controllerOf(async (_key, signal) => {
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
      return {};
    });
    controller.queue.add("k");
    await settle();

    await controller.stop(20);

    expect(log.warn).not.toHaveBeenCalled();
  });

  it("does not wait for ever for a reconcile that heeds nothing", async () => {
    const { controller, log, metrics } = controllerOf(never);
    controller.queue.add("k");
    await settle();

    await controller.stop(20);

    expect(log.warn).toHaveBeenCalledWith("reconcile did not stop", { controller: "test" });
    expect(metrics.forgetQueue).toHaveBeenCalledWith("test");
  });

  it("starts nothing that waits", async () => {
    const reconcile = vi.fn<Reconciler>(never);
    const { controller } = controllerOf(reconcile, 1);
    controller.queue.add("running");
    controller.queue.add("waiting");
    await settle();

    await controller.stop(10);

    expect(reconcile).toHaveBeenCalledOnce();
  });
});
