// Does a report wait for the Works that were sent something, and never for long?
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Work } from "../../crds/work.js";
import type { AnyBinding } from "../../lib/kube/host.js";
import { Expectations } from "./expectations.js";

function work(uid: string, generation: number, observedGeneration?: number): Work {
  const condition = { type: "Applied", status: "True", reason: "R", message: "", lastTransitionTime: "t" } as const;
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name: uid, namespace: "karmada-es-m1", uid, generation },
    spec: {},
    status: observedGeneration === undefined ? {} : { conditions: [{ ...condition, observedGeneration }] },
  };
}

describe("Expectations", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("waits fifteen seconds for a Work that has not reported on what it was sent", () => {
    const expected = new Expectations();
    expected.sent(work("a", 2));
    expect(expected.waitMs([work("a", 2)])).toBe(15_000);
    expect(expected.waitMs([work("a", 2, 1)])).toBe(15_000);
    vi.advanceTimersByTime(14_500);
    expect(expected.waitMs([work("a", 2, 1)])).toBe(500);
    vi.advanceTimersByTime(1_500);
    expect(expected.waitMs([work("a", 2, 1)])).toBe(0);
  });

  it.each`
    given                                 | works
    ${"no Work"}                          | ${[]}
    ${"a Work that was sent nothing"}     | ${[work("b", 5)]}
    ${"a Work that has reported"}         | ${[work("a", 2, 2)]}
    ${"a Work that has reported on more"} | ${[work("a", 3, 3)]}
    ${"another Work of the same name"}    | ${[work("a2", 2)]}
  `("does not wait for $given", ({ works }) => {
    const expected = new Expectations();
    expected.sent(work("a", 2));
    expect(expected.waitMs(works as Work[])).toBe(0);
  });

  it("does not wait again for a Work that has reported once", () => {
    const expected = new Expectations();
    expected.sent(work("a", 2));
    expected.waitMs([work("a", 2, 2)]);
    expect(expected.waitMs([work("a", 2, 1)])).toBe(0);
  });

  it("waits for the slowest, and not for one that is gone", () => {
    const expected = new Expectations();
    expected.sent(work("a", 1));
    vi.advanceTimersByTime(1_000);
    expected.sent(work("b", 1));
    const works = [work("a", 1), work("b", 1)];
    expect(expected.waitMs(works)).toBe(15_000);
    expected.forget(work("b", 1));
    expect(expected.waitMs(works)).toBe(14_000);
  });

  it("waits for the Works of a binding's generation to be written, but not for ever", () => {
    const expected = new Expectations();
    expect(expected.renderMs(binding(1))).toBe(15_000);
    vi.advanceTimersByTime(2_000);
    expect(expected.renderMs(binding(1))).toBe(13_000);
    expect(expected.rendered(binding(1))).toBe(true);
    expect(expected.rendered(binding(1))).toBe(false);
    expect(expected.renderMs(binding(1))).toBe(0);
    expect(expected.renderMs(binding(2))).toBe(15_000);
    vi.advanceTimersByTime(16_000);
    expect(expected.renderMs(binding(2))).toBe(0);
  });
});

function binding(generation: number): AnyBinding {
  return { metadata: { name: "web-deployment", namespace: "shop", uid: "b", generation } } as AnyBinding;
}
