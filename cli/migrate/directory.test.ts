// Is a plan's directory held to its plan?
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readTemplates, writePlan } from "./directory.js";
import type { PlannedObject } from "./report.js";

const planned: PlannedObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  namespace: "shop",
  name: "settings",
  uid: "u1",
  file: "shop/configmap-settings.yaml",
  verdict: { state: "ready" },
  remarks: [],
};

const yaml = (name: string, kind = "ConfigMap", namespace = "shop"): string =>
  `{apiVersion: v1, kind: ${kind}, metadata: {name: ${name}, namespace: ${namespace}}}\n`;

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), "holdfast-plan-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

describe("readTemplates", () => {
  it.each`
    what                   | text
    ${"nothing"}           | ${""}
    ${"one more object"}   | ${`${yaml("settings")}---\n${yaml("more")}`}
    ${"another name"}      | ${yaml("other")}
    ${"another kind"}      | ${yaml("settings", "Secret")}
    ${"another namespace"} | ${yaml("settings", "ConfigMap", "default")}
  `("refuses a file that holds $what", ({ text }: { text: string }) => {
    const dir = directory();
    mkdirSync(join(dir, "shop"));
    writeFileSync(join(dir, "shop/configmap-settings.yaml"), text);
    expect(() => readTemplates(dir, [planned])).toThrow("it must hold ConfigMap shop/settings, and nothing else");
  });

  it("reads what the plan has put there", () => {
    const dir = directory();
    mkdirSync(join(dir, "shop"));
    writeFileSync(join(dir, "shop/configmap-settings.yaml"), yaml("settings"));
    expect(readTemplates(dir, [planned])).toMatchObject([{ kind: "ConfigMap", metadata: { name: "settings" } }]);
  });
});

describe("writePlan", () => {
  it("says so when a file has the name of the directory", () => {
    const path = join(directory(), "plan");
    writeFileSync(path, "");
    const report = { version: 1 as const, scope: { cluster: "m1" }, objects: [], secrets: [], leftOut: [], files: {} };
    expect(() => writePlan(path, new Map(), report, { overwrite: false })).toThrow("this is a file");
  });
});
