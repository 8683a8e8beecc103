// Does a report read well, and does it say what is not proven?
import { describe, expect, it } from "vitest";
import type { Work } from "../crds/work.js";
import { reportOf } from "../lib/domain/farewell-report.js";
import { printEnding, printPlanned, unproven, type Ending } from "./unjoin-report.js";

const of = { cluster: "uid", sent: 2 };
const shop = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop" };
const report = reportOf(of, [
  { ...shop, name: "web", outcome: "kept" },
  { ...shop, name: "worker", outcome: "left", why: "is there and still carries our marks" },
]);

function lines(write: (output: { print(line: string): void; note(): void; warn(): void }) => void): string[] {
  const printed: string[] = [];
  write({ print: line => void printed.push(line), note: () => {}, warn: () => {} });
  return printed;
}

describe("unproven", () => {
  it.each`
    expected | found               | count | sentence
    ${0}     | ${undefined}        | ${0}  | ${"nothing where nothing was sent"}
    ${2}     | ${undefined}        | ${1}  | ${"everything when the operator told nothing"}
    ${2}     | ${report}           | ${1}  | ${"what was left behind"}
    ${3}     | ${reportOf(of, [])} | ${1}  | ${"what went before it was counted"}
    ${0}     | ${reportOf(of, [])} | ${0}  | ${"nothing where all is known"}
  `("names $sentence", ({ expected, found, count }: { expected: number; found: Ending["report"]; count: number }) => {
    expect(unproven({ cluster: "m", expected, report: found })).toHaveLength(count);
  });
});

describe("printEnding", () => {
  it("writes a table with what is left first, and counts", () => {
    expect(lines(output => printEnding({ cluster: "m", expected: 2, report }, "table", output))).toEqual([
      "OUTCOME  OBJECT                  REMARK",
      "left     Deployment shop/worker  is there and still carries our marks",
      "kept     Deployment shop/web",
      "kept 1, deleted 0, left behind 1",
    ]);
  });

  it("writes one JSON document for scripts", () => {
    const [text = "", ...more] = lines(output => printEnding({ cluster: "m", expected: 2, report }, "json", output));

    expect(more).toEqual([]);
    expect(JSON.parse(text)).toMatchObject({ cluster: "m", proven: false, kept: 1, left: 1, objects: [{}, {}] });
  });
});

describe("printPlanned", () => {
  const work = (name: string, spec: object, annotations = {}): Work => ({
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name, namespace: "karmada-es-m", annotations },
    spec: { workload: { manifests: [{ ...shop, metadata: { name, namespace: "shop" } }] }, ...spec },
  });

  it("says for each object what its Work says", () => {
    const works = [
      work("a", { preserveResourcesOnDeletion: true }),
      work("b", {}),
      work("c", { preserveResourcesOnDeletion: true, cascadeDeletion: "adopted" }),
      work("d", {}, { "holdfast.dev/order": "keep" }),
    ];

    expect(lines(output => printPlanned(works, "table", output)).slice(1)).toEqual([
      "keep                         Deployment shop/a (dry run)",
      "delete                       Deployment shop/b (dry run)",
      "keep if it was there before  Deployment shop/c (dry run)",
      "keep                         Deployment shop/d (dry run)",
    ]);
  });
});
