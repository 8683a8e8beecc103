// Do differences look like those of diff -u, and go to the program that a person wants?
import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { externalDiff, runExternal } from "./external.js";
import { unifiedLines } from "./text.js";

const change = { name: "m1/v1.ConfigMap.shop.a", before: "a: 1\nb: 2\n", after: "a: 1\nb: 3\n" };

describe("unifiedLines", () => {
  it("names both states and shows the lines that differ", () => {
    expect(unifiedLines(change, pc.createColors(false))).toEqual([
      "diff -u LIVE/m1/v1.ConfigMap.shop.a MERGED/m1/v1.ConfigMap.shop.a",
      "--- LIVE/m1/v1.ConfigMap.shop.a",
      "+++ MERGED/m1/v1.ConfigMap.shop.a",
      "@@ -1,2 +1,2 @@",
      " a: 1",
      "-b: 2",
      "+b: 3",
    ]);
  });

  it("colours what comes and what goes, and no header", () => {
    const lines = unifiedLines(change, pc.createColors(true));
    expect(lines.filter(line => line.includes("\u001b[31m"))).toEqual(["\u001b[31m-b: 2\u001b[39m"]);
    expect(lines.filter(line => line.includes("\u001b[32m"))).toEqual(["\u001b[32m+b: 3\u001b[39m"]);
  });
});

describe("externalDiff", () => {
  it.each`
    value                             | program
    ${undefined}                      | ${undefined}
    ${""}                             | ${undefined}
    ${"colordiff -N -u"}              | ${["colordiff", "-N", "-u"]}
    ${"dyff between --omit-header=1"} | ${["dyff", "between", "--omit-header=1"]}
    ${"diff -u;rm $HOME"}             | ${["diff"]}
  `("takes $value for $program", ({ value, program }: { value?: string; program?: string[] }) => {
    expect(externalDiff({ KUBECTL_EXTERNAL_DIFF: value })).toEqual(program);
  });
});

describe("runExternal", () => {
  it("gives the program both states in plain directories", async () => {
    const text = await runExternal(["diff", "-u", "-N"], [change, { name: "m2/x", before: "", after: "new\n" }]);
    expect(text).toContain("-b: 2\n+b: 3");
    expect(text).toContain("+new");
    expect(text).toContain("m1.v1.ConfigMap.shop.a");
  });

  it("says which program is missing, and when one fails", async () => {
    await expect(runExternal(["no-such-program"], [change])).rejects.toMatchObject({ exitCode: 2 });
    await expect(runExternal(["diff", "--no-such-flag"], [change])).rejects.toThrow("diff ended with 2");
  });
});
