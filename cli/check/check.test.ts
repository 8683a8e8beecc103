// Do the single looks of `check` tell well from ill, and does every ill one say what to do?
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createColors } from "picocolors";
import { parseAllDocuments } from "yaml";
import type { KubeObject } from "../../crds/object.js";
import type { Served } from "../../lib/kube/discovery.js";
import { crdsBefore, hostFinding, otherProduct } from "./before.js";
import { judge } from "./certificate.js";
import { linesOf, type Finding } from "./finding.js";
import { HOLD_POLICIES, holdFinding, templateNamespaces } from "./hold.js";
import { deploymentFindings, webhooksFinding } from "./operator.js";

const named = (name: string, more: object = {}): KubeObject => ({
  ...{ apiVersion: "v1", kind: "X", metadata: { name, namespace: "holdfast-system" } },
  ...more,
});

function crd(name: string, version?: string) {
  const annotations: Record<string, string> = version === undefined ? {} : { "holdfast.dev/version": version };
  return { name, found: named(name, { metadata: { name, annotations } }) };
}

const serving = (group: string, kind: string): Served => ({
  complete: true,
  resources: [{ group, version: "v1alpha1", kind, plural: "x", namespaced: true, verbs: [], subresources: [] }],
});

const webhook = (name: string, group: string) => named(name, { webhooks: [{ rules: [{ apiGroups: [group] }] }] });
const all = new Set(HOLD_POLICIES);
const labelled = named("shop", { metadata: { name: "shop", labels: { "holdfast.dev/templates": "true" } } });
const END = "Jan 31 00:00:00 2026 GMT";
const on = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const pods = (wanted: number, available: number) =>
  deploymentFindings([named("d", { spec: { replicas: wanted }, status: { availableReplicas: available } })])[0];

const CASES: readonly [string, Finding["outcome"], Finding | undefined][] = [
  ["the oldest host", "ok", hostFinding("v1.30.0-gke.1", undefined)],
  ["a host that is too old", "failed", hostFinding("v1.29.14", undefined)],
  ["a host that says nothing", "failed", hostFinding(undefined, "forbidden")],
  ["a host without CRDs of ours", "ok", crdsBefore([{ name: "a", found: undefined }], "0.1.0")],
  ["CRDs of an earlier release", "ok", crdsBefore([crd("a", "0.0.9")], "0.1.0")],
  ["CRDs of a newer release", "failed", crdsBefore([crd("a", "0.2.0")], "0.1.0")],
  ["CRDs of Karmada", "failed", crdsBefore([crd("a")], "0.1.0")],
  ["nobody else", "ok", otherProduct({ complete: true, resources: [] }, [webhook("holdfast", "policy.karmada.io")])],
  ["a kind that only Karmada has", "failed", otherProduct(serving("autoscaling.karmada.io", "FederatedHPA"), [])],
  ["somebody's webhook on policies", "failed", otherProduct(undefined, [webhook("karmada", "policy.karmada.io")])],
  ["somebody's webhook on other things", "ok", otherProduct(undefined, [webhook("x", "apps")])],
  ["a certificate with 15 days left", "ok", judge(END, on("2026-01-16"))],
  ["a certificate with 13 days left", "failed", judge(END, on("2026-01-18"))],
  ["a certificate that has ended", "failed", judge(END, on("2026-02-02"))],
  ["the whole hold", "ok", holdFinding(all, all)],
  ["a hold with a policy less", "failed", holdFinding(new Set(HOLD_POLICIES.slice(1)), all)],
  ["a hold with a binding less", "failed", holdFinding(all, new Set(HOLD_POLICIES.slice(1)))],
  ["an ordinary host with a template namespace", "ok", templateNamespaces("ordinary", [labelled, named("x")])],
  ["an ordinary host without one", "warning", templateNamespaces("ordinary", [named("x")])],
  ["a control plane without one", "ok", templateNamespaces("controlPlane", [named("x")])],
  ["both pods", "ok", pods(2, 2)],
  ["one pod of two", "failed", pods(2, 1)],
  ["a Deployment that is scaled to nothing", "failed", pods(0, 0)],
  ["both webhooks", "ok", webhooksFinding({ mutating: named("h"), validating: named("h") })],
  ["one webhook of two", "failed", webhooksFinding({ mutating: named("h"), validating: undefined })],
];

describe("check", () => {
  it.each(CASES)("says of %s: %s", (_case, outcome, finding) => {
    expect(finding?.outcome).toBe(outcome);
    expect(finding?.fix === undefined).toBe(outcome === "ok");
  });

  it("knows the admission policies that the chart brings, and their bindings", () => {
    const text = readFileSync(new URL("../../charts/holdfast/files/hold.yaml", import.meta.url), "utf8");
    const objects = parseAllDocuments(text).map(document => document.toJS() as KubeObject);
    for (const kind of ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"]) {
      const names = objects.filter(object => object.kind === kind).map(({ metadata }) => metadata.name);
      expect(names).toEqual(HOLD_POLICIES);
    }
  });

  it("writes one line for each, and below it what to do", () => {
    const lines = linesOf(
      [
        { check: "host", outcome: "ok", message: "fine" },
        { check: "works", outcome: "failed", message: "2\n broken", fix: "mend them" },
      ],
      createColors(false),
    );
    expect(lines).toEqual(["✔ host: fine", "✗ works: 2 broken", "  ► mend them"]);
  });
});
