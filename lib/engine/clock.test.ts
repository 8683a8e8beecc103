// Do both clocks run what falls due, in order, and nothing else?
import { describe, expect, it, vi } from "vitest";
import { FakeClock, systemClock } from "./clock.js";

describe("FakeClock", () => {
  it("runs timers in the order of their times, those set meanwhile too", () => {
    const clock = new FakeClock();
    const ran: string[] = [];
    const note = (name: string) => (): void => void ran.push(`${name}@${clock.now()}`);
    clock.after(30, note("late"));
    clock.after(10, () => {
      note("early")();
      clock.after(5, note("nested"));
    });
    clock.after(20, note("called off")).cancel();

    clock.advance(40);

    expect(ran).toEqual(["early@10", "nested@15", "late@30"]);
    expect(clock.now()).toBe(40);
  });
});

describe("systemClock", () => {
  it("does not run a timer of years at once", async () => {
    const run = vi.fn();

    const timer = systemClock.after(1e12, run);
    await new Promise(resolve => setTimeout(resolve, 30));
    timer.cancel();

    expect(run).not.toHaveBeenCalled();
  });

  it("runs a timer when it is due, and not when it was called off", async () => {
    const run = vi.fn();
    systemClock.after(5, () => run("kept"));
    systemClock.after(5, () => run("called off")).cancel();

    await vi.waitFor(() => expect(run).toHaveBeenCalled());
    await new Promise(resolve => setTimeout(resolve, 20));

    expect(run.mock.calls).toEqual([["kept"]]);
  });
});
