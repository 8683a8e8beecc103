// Is every broken promise found, and none invented?
import { describe, expect, it } from "vitest";
import { perObject, perSecond, quantiles, type Figures } from "./figures.js";
import { brokenLimits } from "./limits.js";
import type { Requests } from "./request-counts.js";
import { requestsOf, tableOf } from "./table.js";

function requests(total: number, work = total): Requests {
  return { total, work, writes: work, lists: 0, watches: 0, by: { "POST works.work.karmada.io": work }, refused: {} };
}

function figures(change: Partial<Figures>): Figures {
  return {
    phase: "burst",
    objects: 100,
    ok: true,
    seconds: 4,
    settleSeconds: 1,
    host: requests(900),
    members: { member1: requests(500) },
    cpuSeconds: 2,
    peakMiB: 300,
    openConnections: 60,
    newConnections: 20,
    ...change,
  };
}

const many = requests(1010, 1001);

describe("brokenLimits", () => {
  it.each`
    given                                    | change                                                 | words
    ${"a burst that keeps all of them"}      | ${{}}                                                  | ${[]}
    ${"exactly as many as are allowed"}      | ${{ host: requests(1000) }}                            | ${[]}
    ${"leases beyond what is allowed"}       | ${{ host: requests(1200, 1000) }}                      | ${[]}
    ${"one request too many"}                | ${{ host: many }}                                      | ${["10.01 host requests per object"]}
    ${"an update that costs as a burst may"} | ${{ phase: "update" }}                                 | ${["9 host requests per object"]}
    ${"a request while nothing changes"}     | ${{ phase: "idle", objects: 0, host: requests(9, 1) }} | ${["1 requests while nothing changes"]}
    ${"leases while nothing changes"}        | ${{ phase: "idle", objects: 0, host: requests(9, 0) }} | ${[]}
    ${"too much memory"}                     | ${{ peakMiB: 430 }}                                    | ${["430 MiB"]}
    ${"too many connections"}                | ${{ openConnections: 90 }}                             | ${["90 open connections"]}
    ${"a connection for every request"}      | ${{ newConnections: 1400 }}                            | ${["1 connections made per request"]}
    ${"a lost copy"}                         | ${{ ok: false, facts: { lost: 1 } }}                   | ${["lost 1"]}
  `("finds $words for $given", ({ change, words }) => {
    const found = brokenLimits([figures(change)]);
    expect(found).toHaveLength(words.length);
    words.forEach((word: string, index: number) => expect(found[index]).toContain(word));
  });
});

describe("tableOf", () => {
  it("shows a phase beside Karmada's figures for it", () => {
    const [titles = "", row = ""] = tableOf([figures({})]).split("\n");
    expect(titles.trim().split(/\s{2,}/)).toHaveLength(20);
    expect(row).toMatch(/^burst .* 25\.0 .* 9\.00 .* 2\.3 +26\.0 +×10\.9 +×2\.9 +ok$/);
  });

  it("says what a phase is made of, per template", () => {
    expect(requestsOf(figures({}))).toBe("burst: POST works.work.karmada.io 9");
  });
});

describe("figures", () => {
  it("are per template, and nothing where there is none", () => {
    expect(perObject(figures({ host: many }))).toEqual({ total: 10.1, work: 10.01 });
    expect(perObject(figures({ objects: 0 }))).toEqual({ total: 0, work: 0 });
    expect(perSecond(figures({}))).toBe(25);
    expect(perSecond(figures({ objects: 0 }))).toBeUndefined();
  });

  it("know the nearest rank", () => {
    expect(quantiles([5, 1, 4, 2, 3])).toEqual({ p50: 3, p95: 5 });
    expect(quantiles([])).toEqual({ p50: 0, p95: 0 });
  });
});
