// Does the debouncer wait for stillness, but not for ever?
import { describe, expect, it, vi } from "vitest";
import { FakeClock } from "./clock.js";
import { Debouncer } from "./debounce.js";

function debouncerOf() {
  const clock = new FakeClock();
  const run = vi.fn<(key: string) => void>();
  return { clock, run, debouncer: new Debouncer(run, { stillMs: 200, maxMs: 1_000, clock }) };
}

describe("Debouncer", () => {
  it("runs once, when the key has been still for long enough", () => {
    const { clock, run, debouncer } = debouncerOf();
    debouncer.poke("k");
    clock.advance(150);
    debouncer.poke("k");
    clock.advance(199);
    expect(run).not.toHaveBeenCalled();

    clock.advance(1);
    clock.advance(10_000);

    expect(run.mock.calls).toEqual([["k"]]);
  });

  it("runs at the latest after maxMs, however busy the key is", () => {
    const { clock, run, debouncer } = debouncerOf();
    const at: number[] = [];
    run.mockImplementation(() => at.push(clock.now()));

    for (let t = 0; t < 2_500; t += 100) {
      debouncer.poke("k");
      clock.advance(100);
    }
    clock.advance(1_000);

    // Pokes at 0, 100, …: the second series starts with the poke at 1,000, the third at 2,000 and ends 200 after 2,400.
    expect(at).toEqual([1_000, 2_000, 2_600]);
  });

  it("keeps keys apart", () => {
    const { clock, run, debouncer } = debouncerOf();
    debouncer.poke("a");
    clock.advance(100);
    debouncer.poke("b");

    clock.advance(100);
    const first = [...run.mock.calls];
    clock.advance(100);

    expect([first, run.mock.calls]).toEqual([[["a"]], [["a"], ["b"]]]);
  });

  it("forgets what is pending when it is told to", () => {
    const { clock, run, debouncer } = debouncerOf();
    debouncer.poke("a");

    debouncer.cancelAll();
    clock.advance(10_000);

    expect(run).not.toHaveBeenCalled();
  });
});
