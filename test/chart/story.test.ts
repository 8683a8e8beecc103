// Does a release come, change, go and come back without a workload in a member noticing? (cases.md 75)
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { bundleOperator } from "../../hack/clusters/bundle.js";
import { readEnv, start, stop } from "../../hack/clusters/index.js";
import { applied, kubectl } from "../integration/support/case-kubectl.js";
import { configMap, onto, policy } from "../integration/support/case-objects.js";
import { eventually, stays } from "../integration/support/eventually.js";
import { told } from "../integration/support/round-trip.js";
import { CHART, earlierChart, helm, refusal, UNANSWERED } from "./support/helm.js";
import { operatorAnew, renewToken, withoutWebhooks } from "./support/operator.js";

const RELEASE = ["holdfast", "--namespace", "holdfast-system"];
const OTHER = ["other", "--namespace", "fleet"];
const SPACES = ["shop", "gone"];
const FIELD = "preserveResourcesOnDeletion";

const dir = (): string => inject("clusters");

/** The object in the member: who it is, and whether anybody has written to it. */
const copyIn = (namespace: string): Promise<string> =>
  told("member1", ["get", "cm", "web", "-n", namespace, "-o", "jsonpath={.metadata.uid} {.metadata.resourceVersion}"]);

const finalizersOf = (kind: string, namespace: string): Promise<string> =>
  told("host", ["get", kind, "-n", namespace, "-o", "jsonpath={.items[*].metadata.finalizers}"]);

async function preserved(namespace: string): Promise<string> {
  const text = ["get", "pp", "web", "-n", namespace, "-o", `jsonpath={.spec.${FIELD}}`];
  return told("host", text);
}

beforeAll(async () => {
  await operatorAnew();
  await withoutWebhooks();
  for (const namespace of SPACES) {
    await applied("host", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const resourceSelectors = [{ apiVersion: "v1", kind: "ConfigMap", name: "web" }];
    const template = configMap({ namespace, name: "web" });
    await applied("host", policy(namespace, "web", { resourceSelectors, placement: onto("member1") }), template);
    await eventually(`a copy of ${namespace}/web`, () => copyIn(namespace));
  }
  await stays("the copies", () => Promise.all(SPACES.map(copyIn)), 2_000);
});

afterAll(async () => {
  await refusal("uninstall", ...RELEASE, "--no-hooks");
  await kubectl("host", ["delete", "namespace", ...SPACES, "fleet", "--ignore-not-found", "--wait=false"]);
});

// One story: each part stands on the one before.
describe("a release", () => {
  let copies: readonly string[] = [];
  const untouched = async (): Promise<void> => expect(await Promise.all(SPACES.map(copyIn))).toEqual(copies);

  beforeAll(async () => void (copies = await Promise.all(SPACES.map(copyIn))));

  it("of an earlier chart takes over what was applied by hand", async () => {
    const chart = await earlierChart(FIELD);
    await helm("install", ...RELEASE, chart, "--take-ownership", ...UNANSWERED);

    const old = await told("host", ["get", "crd", "propagationpolicies.policy.karmada.io", "-o", "json"]);
    expect(old).not.toContain(`"${FIELD}"`);
    await untouched();
  });

  it("is upgraded with its CRDs: a field that the earlier one dropped stays", async () => {
    await helm("upgrade", ...RELEASE, CHART, "--take-ownership", ...UNANSWERED);

    await told("host", ["patch", "pp", "web", "-n", "shop", "--type=merge", "-p", `{"spec":{"${FIELD}":true}}`]);
    expect(await preserved("shop")).toBe("true");
    await untouched();
  });

  it("is rolled back, and upgraded again", async () => {
    await helm("rollback", ...RELEASE, "1");
    await untouched();
    await helm("upgrade", ...RELEASE, CHART, "--take-ownership", ...UNANSWERED);
    await untouched();
  });

  it("refuses a second one in the cluster, with a sentence", async () => {
    const why = await refusal("install", ...OTHER, CHART, "--create-namespace");
    expect(why).toContain("Holdfast is installed in this cluster already, as release holdfast-system/holdfast");
  });

  it("lets go of everything before it goes, and of nothing in members", async () => {
    expect(await finalizersOf("cm,pp,rb", "shop")).toContain("holdfast.dev/let-go");

    const [said] = await Promise.all([uninstallTask(), watcherEndsWithItsDeployment()]);

    expect(said).toMatchObject({
      released: {
        "/ConfigMap": 2,
        "policy.karmada.io/PropagationPolicy": 2,
        "work.karmada.io/ResourceBinding": 2,
      },
      problems: 0,
    });
    for (const namespace of SPACES) expect((await finalizersOf("cm,pp,rb", namespace)).trim()).toBe("");
    await untouched();
  });

  it("is uninstalled: CRDs, credentials and the hold stay, webhooks go, namespaces can be deleted", async () => {
    await helm("uninstall", ...RELEASE);
    await stop(dir(), "admission");

    const webhooks = await told("host", [
      "get",
      "validatingwebhookconfigurations,mutatingwebhookconfigurations",
      "-o",
      "name",
    ]);
    expect(webhooks).not.toContain("holdfast");
    const left = await told("host", ["get", "crd,validatingadmissionpolicy,namespace", "-o", "name"]);
    for (const name of ["works.work.karmada.io", "/holdfast-hold\n", "karmada-cluster", "pepr-system"]) {
      expect(left).toContain(name);
    }
    expect(left).not.toContain("holdfast-overwrite");
    await told("host", ["delete", "namespace", "gone", "--timeout=60s"]);
    await untouched();
  });

  it("comes back under another name and in another namespace, with CRDs of its own version, and writes to no member", async () => {
    const chart = await earlierChart(FIELD);
    expect(await refusal("install", ...OTHER, CHART, "--create-namespace")).toContain("invalid ownership metadata");
    await helm("install", ...OTHER, chart, "--create-namespace", "--take-ownership", ...UNANSWERED);
    await helm("uninstall", ...OTHER, "--no-hooks");
    await helm("install", ...RELEASE, CHART, "--take-ownership", ...UNANSWERED);
    const crd = await told("host", ["get", "crd", "propagationpolicies.policy.karmada.io", "-o", "json"]);
    expect(crd).toContain(`"${FIELD}"`);
    await told("host", ["scale", "deployment", "holdfast-watcher", "-n", "holdfast-system", "--replicas=0"]);
    await renewToken();
    await start(dir(), "watcher");

    await eventually("the finalizers are back", async () => {
      const text = await finalizersOf("cm,pp,rb", "shop");
      return ["holdfast.dev/let-go", "binding-controller", "propagation-policy"].every(name => text.includes(name));
    });
    await stays("the copy", () => copyIn("shop"), 3_000);
    await untouched();
  });
});

/** The hook's Job has no container here: its process runs beside the cluster, under the operator's own account. */
async function uninstallTask(): Promise<unknown> {
  const file = await bundleOperator(hash => `operator-${hash}.cjs`);
  const env = {
    ...process.env,
    KUBECONFIG: join(dir(), "operator", "kubeconfig"),
    HOLDFAST_TASK: "uninstall",
    HOLDFAST_TASK_SECONDS: "60",
  };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  const lines = stdout.split("\n").filter(Boolean);
  return JSON.parse(lines.at(-1) ?? "{}");
}

/** As a pod of it would. */
async function watcherEndsWithItsDeployment(): Promise<void> {
  const replicas = ["get", "deploy", "holdfast-watcher", "-n", "holdfast-system", "-o", "jsonpath={.spec.replicas}"];
  await eventually("the watchers are to end", async () => (await told("host", replicas)) === "0");
  await stop(dir(), "watcher");
  expect(readEnv(dir()).pids["watcher"]).toBeUndefined();
}
