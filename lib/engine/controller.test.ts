// Does a controller try again, and give up as its reconciler's outcome says?
import { describe, expect, it, vi } from "vitest";
import { KubeError, NotLeaderError } from "../kube/errors.js";
import { FakeClock } from "./clock.js";
import { Controller, TerminalError, type Reconciler } from "./controller.js";
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

describe("outcomes", () => {
  it("done is not done again", async () => {
    const reconcile = vi.fn<Reconciler>(async () => ({}));
    const { controller, clock, metrics } = controllerOf(reconcile);

    controller.queue.add("k");
    await settle();
    clock.advance(1_000_000);
    await settle();

    expect(reconcile).toHaveBeenCalledOnce();
    expect(metrics.reconciled).toHaveBeenCalledWith({
      controller: "test",
      key: "k",
      seconds: expect.any(Number) as unknown,
    });
  });

  it("requeueAfterMs looks again after that time", async () => {
    const reconcile = vi.fn<Reconciler>(async () => ({ requeueAfterMs: 2_000 }));
    const { controller, clock } = controllerOf(reconcile);
    controller.queue.add("k");
    await settle();

    clock.advance(1_999);
    await settle();
    expect(reconcile).toHaveBeenCalledTimes(1);
    clock.advance(1);
    await settle();

    expect(reconcile).toHaveBeenCalledTimes(2);
  });

  it("a throw tries again, later each time, and says so each time", async () => {
    const reconcile = vi.fn<Reconciler>(async () => {
      throw new Error("not yet");
    });
    const { controller, clock, log, metrics } = controllerOf(reconcile);
    controller.queue.add("k");
    await settle();

    for (const pause of [50, 100, 200]) {
      const before = reconcile.mock.calls.length;
      clock.advance(pause - 1);
      await settle();
      expect(reconcile).toHaveBeenCalledTimes(before);
      clock.advance(1);
      await settle();
      expect(reconcile).toHaveBeenCalledTimes(before + 1);
    }

    expect(log.warn).toHaveBeenLastCalledWith("reconcile failed", expect.objectContaining({ key: "k", failures: 4 }));
    expect(metrics.reconciled).toHaveBeenCalledWith(
      expect.objectContaining({ controller: "test", key: "k", error: "not yet" }),
    );
  });

  it.each`
    given                       | error
    ${"the server's answer"}    | ${tooMany()}
    ${"an answer in a wrapper"} | ${new Error("applying", { cause: new Error("again", { cause: tooMany() }) })}
  `("Retry-After is honoured in $given", async ({ error }: { error: Error }) => {
    const reconcile = vi.fn<Reconciler>(async () => {
      throw error;
    });
    const { controller, clock } = controllerOf(reconcile);
    controller.queue.add("k");
    await settle();

    clock.advance(4_999);
    await settle();
    const before = reconcile.mock.calls.length;
    clock.advance(1);
    await settle();

    expect([before, reconcile.mock.calls.length]).toEqual([1, 2]);
  });

  it("a success makes the next failure start from the shortest pause", async () => {
    const outcomes = ["fail", "fail", "done", "fail"];
    const reconcile = vi.fn<Reconciler>(async () => {
      if (outcomes.shift() === "fail") throw new Error("not yet");
      return {};
    });
    const { controller, clock } = controllerOf(reconcile);
    for (const pause of [0, 50, 100]) {
      controller.queue.addAfter("k", pause);
      clock.advance(pause);
      await settle();
    }
    controller.queue.add("k");
    await settle();

    clock.advance(50);
    await settle();

    expect(reconcile).toHaveBeenCalledTimes(5);
  });

  it("a TerminalError is not tried again until the key is added", async () => {
    const reconcile = vi.fn<Reconciler>(async () => {
      throw new TerminalError("BadManifest", "no such field");
    });
    const { controller, clock, log } = controllerOf(reconcile);
    controller.queue.add("k");
    await settle();
    clock.advance(1_000_000);
    await settle();
    expect(reconcile).toHaveBeenCalledOnce();
    expect(log.warn).toHaveBeenCalledWith("stalled", expect.objectContaining({ reason: "BadManifest" }));

    controller.queue.add("k");
    await settle();

    expect(reconcile).toHaveBeenCalledTimes(2);
  });

  it.each`
    given                     | error
    ${"a lost race"}          | ${new KubeError(409, "Conflict", "changed")}
    ${"a lost race, wrapped"} | ${new Error("applying", { cause: new KubeError(409, "Conflict", "changed") })}
    ${"not being the leader"} | ${new NotLeaderError("no")}
  `("$given is not worth a warning", async ({ error }: { error: Error }) => {
    const { controller, log } = controllerOf(async () => {
      throw error;
    });

    controller.queue.add("k");
    await settle();

    expect(log.warn).not.toHaveBeenCalled();
    expect(log.debug).toHaveBeenCalledOnce();
  });
});

function tooMany(): KubeError {
  return new KubeError(429, "TooManyRequests", "slow down", { retryAfterMs: 5_000 });
}
