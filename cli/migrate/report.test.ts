// Is a report that somebody sends read as a report, and never as leave to touch other files?
import { describe, expect, it } from "vitest";
import { commandOf, Report } from "./report.js";

const reportWith = (path: string) => ({
  version: 1,
  scope: { cluster: "m1", namespace: "shop" },
  objects: [],
  secrets: [],
  leftOut: [],
  files: { [path]: "hash" },
});

describe("Report", () => {
  it.each(["shop/deployment-web.yaml", "report.md", "_cluster/clusterrole-a..b.yaml"])("takes the file %s", path => {
    expect(Report.safeParse(reportWith(path)).success).toBe(true);
  });

  it.each(["../other/x.yaml", "shop/../../x.yaml", "/etc/x.yaml", "shop\\..\\..\\x.yaml"])(
    "refuses %s, which leads out of its directory",
    path => {
      expect(Report.safeParse(reportWith(path)).success).toBe(false);
    },
  );
});

describe("commandOf", () => {
  it("writes the command that makes the plan again", () => {
    const scope = { cluster: "m1", kinds: ["cm", "deploy"], selector: "app in (a,b)" };
    expect(commandOf(scope)).toBe("holdfast migrate plan --from m1 -A --kinds cm,deploy -l 'app in (a,b)'");
  });
});
