// Does one source that fails, hangs or swells keep nobody else out, and is it named?
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { archiveOf, collect } from "./collect.js";

const saying = (path: string, text: string) => ({ path, read: () => Promise.resolve(text) });

describe("collect", () => {
  it("names what failed, what came too late and what was too large, and keeps the rest", async () => {
    const hanging = (signal: AbortSignal): Promise<string> =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    const collected = await collect(
      [
        { path: "a", read: () => Promise.reject(new Error("forbidden: Bearer abcdefgh12345678")) },
        { path: "b", read: hanging },
        saying("c", "x".repeat(101)),
        saying("d", "token: abcdefgh12345678"),
      ],
      { maxBytes: 100, withinMs: 100 },
    );
    expect(collected).toEqual({
      pieces: [{ path: "d", text: "token: REDACTED" }],
      problems: [
        "a: forbidden: Bearer REDACTED",
        "b: not read within 0.1 s",
        "c: left out, the bundle would be larger than 100 bytes",
      ],
    });
  });

  it("says in the archive itself what is missing", () => {
    const text = gunzipSync(archiveOf({ pieces: [{ path: "d", text: "here" }], problems: ["a: gone"] })).toString();
    expect(text).toContain("holdfast-support/problems.txt");
    expect(text).toContain("a: gone\n");
  });
});
