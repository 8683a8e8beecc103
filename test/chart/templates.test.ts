// Is the chart sound: for helm, for its own tests, and for a real API server?
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { ensureHelmUnittest } from "../../hack/clusters/index.js";
import { freshName, kubectl } from "../integration/support/case-kubectl.js";
import { told } from "../integration/support/round-trip.js";
import { CHART, helm, refusal, UNANSWERED } from "./support/helm.js";
import { withoutWebhooks } from "./support/operator.js";

const run = promisify(execFile);
const EVERYTHING = ["-f", join(CHART, "tests/values/everything.yaml")];
/** Their kinds are not served here. */
const FOREIGN = /^(cert-manager\.io|monitoring\.coreos\.com)\//;
/** Of a Secret's 1 MiB, which is what helm has for a release. */
const ROOM = 0.5 * 2 ** 20;

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const template = (...args: readonly string[]): Promise<string> => helm("template", "hf", CHART, ...args);

function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap(document => (document.toJS() as Manifest | null) ?? []);
}

describe("the chart", () => {
  let unittest = "";

  beforeAll(async () => void (unittest = await ensureHelmUnittest()));

  it("passes helm lint, strictly", async () => {
    expect(await helm("lint", "--strict", CHART)).toContain("0 chart(s) failed");
  });

  it("passes its own tests", async () => {
    const { stdout } = await run(unittest, ["--strict", CHART]).catch((error: { stdout: string }) => error);
    expect(stdout).toMatch(/Tests: +(\d\d+) passed, \1 total/);
  });

  it("names no namespace but the release's and the two that are fixed", async () => {
    const manifests = manifestsIn(await template("-n", "odd"));
    const namespaces = manifests.flatMap(({ metadata }) => metadata.namespace ?? []);
    expect(new Set(namespaces)).toEqual(new Set(["odd", "karmada-cluster", "pepr-system"]));
    expect(await template("-n", "odd")).not.toContain("holdfast-system");
  });

  it.each([
    ["image.tagg=1", "tagg"],
    ["watcher.replicas=many", "watcher"],
    ["certificates.mode=none", "certificates"],
    ["image.digest=latest", "image"],
    ["image.tag=a b", "image/tag"],
    ["certificates.certManager.duration=long", "certManager/duration"],
    ["watcher.priorityClassName=High!", "watcher/priorityClassName"],
    ["watcher.replicas=0", "watcher.replicas: Invalid value: 0"],
    ["admission.replicas=-1", "admission.replicas: Invalid value: -1"],
  ])("refuses %s", async (wrong, name) => {
    expect(await refusal("template", "hf", CHART, "--set", wrong)).toContain(name);
  });

  it("takes every value of a parent chart", async () => {
    expect(await template("--set", "global.team=a")).toContain("kind: Deployment");
  });
});

describe("a real API server", () => {
  const namespace = freshName("odd");

  const made = (object: object): Promise<string> =>
    told("host", ["apply", "--server-side", "--force-conflicts", "-f", "-"], JSON.stringify(object));

  beforeAll(async () => {
    for (const name of [namespace, "karmada-cluster", "pepr-system"]) {
      const labels = name === namespace ? { "pod-security.kubernetes.io/enforce": "restricted" } : {};
      await made({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
    }
    // A dry run makes no account for the Pods after it.
    for (const name of ["holdfast", "holdfast-test"]) {
      await made({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } });
    }
    await withoutWebhooks();
    return async () => void (await kubectl("host", ["delete", "namespace", namespace, "--wait=false"]));
  });

  it.each([
    ["as it is", []],
    ["with everything that can be set", EVERYTHING],
    [
      "with monitoring and a network policy",
      ["--set", "networkPolicy.enabled=true,monitoring.dashboards.enabled=true"],
    ],
    ["with cert-manager", ["--set", "certificates.mode=certManager,monitoring.prometheusRule.enabled=true"]],
  ])("takes all of it %s, without a warning", async (_how, args) => {
    const manifests = manifestsIn(await template("-n", namespace, ...args)).filter(
      ({ apiVersion, kind }) => !FOREIGN.test(apiVersion) && kind !== "PriorityClass",
    );
    const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: manifests });
    const flags = ["apply", "--server-side", "--force-conflicts", "--dry-run=server", "-f", "-"];
    const said = await kubectl("host", flags, list);
    expect(said.text.split("\n").filter(line => !/(serverside-applied|^$)/.test(line))).toEqual([]);
    expect(said.code).toBe(0);
  });

  it("has room for the release in one Secret", async () => {
    await helm("install", "hf", CHART, "-n", namespace, "--take-ownership", ...UNANSWERED);
    const secret = ["get", "secret", "sh.helm.release.v1.hf.v1", "-n", namespace, "-o", "jsonpath={.data.release}"];
    const { length } = await told("host", secret);
    const pods = await told("host", ["get", "pods", "-n", namespace, "-o", "name"]);
    await helm("uninstall", "hf", "-n", namespace, "--no-hooks");
    expect(length).toBeGreaterThan(100_000);
    expect(length).toBeLessThan(ROOM);
    // Admitted where Pods have to be "restricted".
    expect(pods.trim().split("\n")).toHaveLength(4);
  });
});
