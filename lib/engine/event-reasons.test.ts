// Does the table say enough, and does the recorder take nothing that is not in it?
import { describe, expect, it } from "vitest";
import type { EventRecorder } from "./events.js";
import { EVENT_REASONS } from "./event-reasons.js";

type Warn = Parameters<EventRecorder["warning"]>[1];
type Tell = Parameters<EventRecorder["normal"]>[1];

describe("EVENT_REASONS", () => {
  it("does not compile with a reason that is not there, or one of the other type", () => {
    // @ts-expect-error a misspelt reason
    const unknown: Warn = "SyncFaild";
    // @ts-expect-error a warning told as if all were well
    const mild: Tell = "SyncFailed";
    const fine: Warn = "SyncFailed";
    expect(Object.keys(EVENT_REASONS)).toContain(fine);
    expect([unknown, mild]).toHaveLength(2);
  });

  it.each(Object.entries(EVENT_REASONS))("says of %s when it is written, and what to do", (_reason, meaning) => {
    expect(meaning.when).toMatch(/\.$/);
    expect(meaning.act).toMatch(/\.$/);
    expect(meaning.on.length).toBeGreaterThan(0);
  });
});
