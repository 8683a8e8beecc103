// Do the entry's own decisions hold: what is installed, which Node will do, how many tests failed?
import { describe, expect, it } from "vitest";
import { needsInstall, tooOld } from "./npm.mjs";
import { tally } from "./tally.mjs";

const root = { version: "0.1.0" };
const wanted = {
  packages: {
    "": root,
    "node_modules/a": { version: "1.0.0" },
    "node_modules/b": { version: "2.0.0", optional: true },
  },
};

describe("needsInstall", () => {
  it.each([
    ["nothing is installed", undefined, true],
    [
      "every package is there",
      { packages: { "node_modules/a": { version: "1.0.0" }, "node_modules/b": { version: "2.0.0" } } },
      false,
    ],
    ["only an optional package is missing", { packages: { "node_modules/a": { version: "1.0.0" } } }, false],
    ["a package is missing", { packages: { "node_modules/b": { version: "2.0.0" } } }, true],
    ["a package has another version", { packages: { "node_modules/a": { version: "1.0.1" } } }, true],
    [
      "an optional package has another version",
      { packages: { "node_modules/a": { version: "1.0.0" }, "node_modules/b": { version: "2.1.0" } } },
      true,
    ],
  ])("when %s", (_what, installed, expected) => {
    expect(needsInstall(wanted, installed)).toBe(expected);
  });
});

describe("tooOld", () => {
  it.each([
    ["20.19.0", ">=20.19.0", false],
    ["20.100.0", ">=20.19.0", false],
    ["22.0.0", ">=20.19.0", false],
    ["20.18.9", ">=20.19.0", true],
    ["18.99.99", ">=20.19.0", true],
    ["20.0.0", ">=20", false],
  ])("%s for %s is %s", (version, range, expected) => {
    expect(tooOld(version, range)).toBe(expected);
  });
});

describe("tally", () => {
  const passing = { status: "passed", assertionResults: [{ status: "passed" }] };
  const failing = { status: "failed", assertionResults: [{ status: "failed" }, { status: "passed" }] };
  const broken = { status: "failed", assertionResults: [] };
  it.each`
    what                                              | files                 | ok   | bad  | exitCode | expected
    ${"a run where all is well"}                      | ${[passing]}          | ${1} | ${0} | ${0}     | ${{ passed: 1, failed: 0 }}
    ${"a failing test"}                               | ${[passing, failing]} | ${2} | ${1} | ${1}     | ${{ passed: 2, failed: 1 }}
    ${"a file that does not load"}                    | ${[passing, broken]}  | ${1} | ${0} | ${1}     | ${{ passed: 1, failed: 1 }}
    ${"a failing test and a file that does not load"} | ${[failing, broken]}  | ${1} | ${1} | ${1}     | ${{ passed: 1, failed: 2 }}
    ${"a run that fails without saying where"}        | ${[passing]}          | ${1} | ${0} | ${1}     | ${{ passed: 1, failed: 1 }}
  `("counts $what", ({ files, ok, bad, exitCode, expected }) => {
    const report = { testResults: files, numPassedTests: ok, numFailedTests: bad };
    expect(tally(report, exitCode)).toEqual(expected);
  });

  it("counts a run without a report as one failure", () => {
    expect(tally(undefined, 1)).toEqual({ passed: 0, failed: 1 });
  });
});
