// Does a report name what matters, within its bounds, and come back as it was written?
import { describe, expect, it } from "vitest";
import {
  farewellOf,
  FAREWELL_ANNOTATION,
  reportOf,
  summaryOf,
  totalOf,
  type FarewellEntry,
} from "./farewell-report.js";

const of = { cluster: "uid", sent: 1 };
const web = (outcome: FarewellEntry["outcome"], name = "web", why?: string): FarewellEntry => ({
  outcome,
  apiVersion: "apps/v1",
  kind: "Deployment",
  namespace: "shop",
  name,
  ...(why ? { why } : {}),
});

describe("reportOf", () => {
  it("counts all and names what is left first", () => {
    const report = reportOf(of, [web("deleted", "a"), web("kept", "b"), web("left", "c", "no answer")]);

    expect(report).toMatchObject({ kept: 1, deleted: 1, left: 1 });
    expect(report.objects.map(({ name }) => name)).toEqual(["c", "b", "a"]);
    expect(totalOf(report)).toBe(3);
  });

  it("stays far below what annotations may hold, however long names and reasons are", () => {
    const long = "n".repeat(253);
    const entries = Array.from({ length: 2_000 }, (_, i) =>
      web("left", `${i}-${long}`.slice(0, 253), "w".repeat(9_000)),
    );
    const report = reportOf(of, entries);

    expect(report.left).toBe(2_000);
    expect(JSON.stringify(report).length).toBeLessThan(200_000);
  });
});

describe("farewellOf", () => {
  const carrying = (text: string | undefined) => ({
    uid: "uid",
    ...(text !== undefined && { annotations: { [FAREWELL_ANNOTATION]: text } }),
  });

  it("reads what was written", () => {
    const report = reportOf(of, [web("left", "c", "no answer")]);

    expect(farewellOf(carrying(JSON.stringify(report)))).toEqual(report);
  });

  it.each`
    text                                                         | sentence
    ${undefined}                                                 | ${"nothing"}
    ${"not json"}                                                | ${"what is not JSON"}
    ${'{"kept":"1"}'}                                            | ${"what has another shape"}
    ${JSON.stringify(reportOf({ ...of, cluster: "other" }, []))} | ${"what is about another Cluster"}
  `("answers undefined for $sentence", ({ text }: { text: string | undefined }) => {
    expect(farewellOf(carrying(text))).toBeUndefined();
  });
});

describe("summaryOf", () => {
  it("says what is left first, and that there is more", () => {
    const many = Array.from({ length: 20 }, (_, i) => web("kept", `k${i}`));

    expect(summaryOf(reportOf(of, [...many, web("left", "c")]))).toBe(
      "left behind 1 (Deployment shop/c); kept 20 (Deployment shop/k0, Deployment shop/k1, Deployment shop/k10, Deployment shop/k11, …); deleted 0",
    );
  });
});
