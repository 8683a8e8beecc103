// Does the level follow the word that is given, and fall back when that has ended or means nothing?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { spokenLevel } from "./log-level.js";

const NOW = Date.parse("2026-01-31T12:00:00Z");
const map = (data: Record<string, string> | undefined): KubeObject => ({
  ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "holdfast-log-level" } },
  data,
});

describe("spokenLevel", () => {
  it.each`
    case                          | data                                                 | level      | forMs
    ${"a word without an end"}    | ${{ level: "debug" }}                                | ${"debug"} | ${undefined}
    ${"a word for a while"}       | ${{ level: "debug", until: "2026-01-31T12:15:00Z" }} | ${"debug"} | ${900_000}
    ${"a word whose time is up"}  | ${{ level: "debug", until: "2026-01-31T11:59:59Z" }} | ${"warn"}  | ${undefined}
    ${"a level that is none"}     | ${{ level: "verbose" }}                              | ${"warn"}  | ${undefined}
    ${"an end that is none"}      | ${{ level: "debug", until: "soon" }}                 | ${"warn"}  | ${undefined}
    ${"a ConfigMap without data"} | ${undefined}                                         | ${"warn"}  | ${undefined}
  `(
    "takes $level for $case",
    ({ data, level, forMs }: { data: Record<string, string>; level: string; forMs: number }) => {
      expect(spokenLevel(map(data), "warn", NOW)).toMatchObject({ level });
      expect(spokenLevel(map(data), "warn", NOW).forMs).toBe(forMs);
    },
  );

  it("keeps to what is configured where nobody has said anything", () => {
    expect(spokenLevel(undefined, "info", NOW)).toEqual({ level: "info" });
  });

  it.each([
    ["verbose", "2026-01-31T12:15:00Z"],
    ["debug", "soon"],
  ])("says what is not understood in %s %s", (level, until) => {
    expect(spokenLevel(map({ level, until }), "info", NOW).problem).toMatch(/^data\.\w+: write /);
  });
});
