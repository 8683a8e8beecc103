// What does a team see that installs Holdfast with helm into the cluster that it has, with real nodes and real Pods? (design 1)
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../hack/clusters/bundle.js";
import { sayToStderr } from "../../hack/clusters/step.js";
import { TEMPLATES_LABEL } from "../../lib/domain/marks.js";
import { accessTo, applied, apply, kubectl, type Side } from "../integration/support/case-kubectl.js";
import { eventually } from "../integration/support/eventually.js";
import { heldObjects, policyFor } from "../integration/ordinary/held-objects.js";
import { everythingIn, helm, IMAGES, killContainer, OPERATOR_IMAGE, runningIn, Witness } from "./support/machine.js";

const run = promisify(execFile);
const MEMBERS = ["member1", "member2"] as const;
const [registry, repository, tag] = OPERATOR_IMAGE.split(/[/:]/);
const RELEASE = ["holdfast", "--namespace", "holdfast-system"];
const INSTALL = [
  ...["install", ...RELEASE, join(ROOT, "charts/holdfast"), "--wait", "--timeout", "90s"],
  ...["--set", `image.registry=${registry},image.repository=${repository},image.tag=${tag}`],
];

let witness: Witness;
let before: string[] = [];

/** @throws Error with kubectl's words. */
async function told(side: Side, ...args: readonly string[]): Promise<string> {
  const said = await kubectl(side, args);
  if (said.code !== 0) throw new Error(said.text);
  return said.text;
}

function deployment(namespace: string, image: string): object {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image }] } };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name: "web" }, spec };
}

function policy(namespace: string, spec: object = {}): object {
  const resourceSelectors = [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }];
  const whole = { resourceSelectors, placement: { clusterAffinity: { clusterNames: MEMBERS } }, ...spec };
  const metadata = { namespace, name: "web" };
  return { apiVersion: "policy.karmada.io/v1alpha1", kind: "PropagationPolicy", metadata, spec: whole };
}

function space(name: string, labels: object = {}): object {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
}

const idsIn = async (namespace: string): Promise<string[]> => (await runningIn(namespace)).map(({ id }) => id);
const rolledOut = (side: Side, namespace: string): Promise<string> =>
  told(side, "-n", namespace, "rollout", "status", "deployment/web", "--timeout=60s");
const readyIn = (side: Side, namespace: string): Promise<string> =>
  told(side, "-n", namespace, "get", "deployment", "web", "-o", "jsonpath={.status.readyReplicas}");
const uidIn = (side: Side, namespace: string): Promise<string> =>
  told(side, "-n", namespace, "get", "deployment", "web", "-o", "jsonpath={.metadata.uid}");

const leader = (): Promise<string> =>
  told("host", "-n", "holdfast-system", "get", "lease", "holdfast-watcher", "-o", "jsonpath={.spec.holderIdentity}");

async function timed(what: string, job: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await job();
  const seconds = (performance.now() - began) / 1000;
  sayToStderr(`e2e: ${what}: ${seconds.toFixed(1)} s`);
  return seconds;
}

async function joinMember(name: Side): Promise<void> {
  const kubeconfigs = ["--kubeconfig", accessTo("host").kubeconfig, "--cluster-kubeconfig", accessTo(name).kubeconfig];
  await run(process.execPath, [join(ROOT, "cli/holdfast.js"), "join", name, ...kubeconfigs]);
}

beforeAll(() => {
  witness = new Witness();
});

afterAll(() => witness.leave());

const OPERATOR_PODS = "app.kubernetes.io/name=holdfast";
const ALLOWED = "jsonpath={range .items[*]}{.status.disruptionsAllowed} {end}";

const operatorPods = async (): Promise<string[]> => {
  const names = await told("host", "-n", "holdfast-system", "get", "pods", "-l", OPERATOR_PODS, "-o", "name");
  return names.trim().split("\n");
};

/** Asks admission without a pause until that is over; each answer must be a good one. How often it asked. */
async function askedUntil(end: Promise<unknown>): Promise<number> {
  let isOver = false;
  void end.finally(() => (isOver = true)).catch(() => undefined);
  let asked = 0;
  while (!isOver) {
    const said = await kubectl("host", ["apply", "--dry-run=server", "-f", "-"], JSON.stringify(policy("free")));
    expect(said.text).toContain("server dry run");
    asked++;
  }
  await end;
  return asked;
}

describe("a cluster with a real node", () => {
  it("runs what it runs, before there is any Holdfast", async () => {
    await applied("host", space("before"), deployment("before", IMAGES.before));
    await rolledOut("host", "before");
    before = await idsIn("before");
    expect(before).toHaveLength(2);
  });

  it("gets Holdfast by helm within a minute, under the strictest rules for Pods", async () => {
    await applied("host", space("holdfast-system", { "pod-security.kubernetes.io/enforce": "restricted" }));
    const seconds = await timed("helm install to Ready", () => helm(...INSTALL));
    expect(seconds).toBeLessThan(60);
    expect((await runningIn("holdfast-system")).map(({ image }) => image)).toEqual(Array(4).fill(OPERATOR_IMAGE));
    expect(await idsIn("before")).toEqual(before);
  });

  it("answers `helm test`", async () => {
    expect(await helm("test", ...RELEASE, "--timeout", "60s")).toMatch(/Phase:\s+Succeeded/);
  });

  it("reaches its members from inside", async () => {
    await timed("join of two members to Ready", async () => {
      await Promise.all(MEMBERS.map(joinMember));
      await told("host", "wait", "--for=condition=Ready", "cluster", ...MEMBERS, "--timeout=60s");
    });
  });

  it("answers for policies through the Service: gives defaults, and refuses what is wrong", async () => {
    await applied(
      "host",
      space("shop", { [TEMPLATES_LABEL]: "true" }),
      policy("shop", { preserveResourcesOnDeletion: true }),
      space("free"),
    );
    const finalizers = await told("host", "-n", "shop", "get", "pp", "web", "-o", "jsonpath={.metadata.finalizers}");
    expect(finalizers).toContain("propagation-policy");
    const refused = await apply("host", policy("shop", { propagateDeps: true }));
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.text).toMatch(/spec\.propagateDeps.*not supported by this version/);
  });

  it("sends a template to its members, where it runs, and starts nothing of it", async () => {
    await timed("template to Ready in both members", async () => {
      await applied("host", deployment("shop", IMAGES.web));
      for (const member of MEMBERS) {
        await eventually(`it runs in ${member}`, async () => (await readyIn(member, "shop")) === "2");
      }
    });
    await told("host", "-n", "shop", "wait", "--for=condition=Available", "deployment/web", "--timeout=60s");
    await told("host", "-n", "shop", "rollout", "restart", "deployment/web").catch(() => undefined);
    await told("host", "-n", "shop", "scale", "deployment/web", "--replicas=3");
    for (const member of MEMBERS) {
      await eventually(`it is scaled in ${member}`, async () => (await readyIn(member, "shop")) === "3");
    }
    expect(await told("host", "-n", "shop", "get", "pods", "-o", "name")).toBe("");
    expect(await everythingIn("shop")).toEqual([]);
    expect(witness.made(IMAGES.web)).toBe(0);
  });

  it("sends every kind that starts something, and starts none of it", async () => {
    const held = heldObjects("kinds", IMAGES.web);
    await applied("host", space("kinds", { [TEMPLATES_LABEL]: "true" }), policyFor("kinds", held));
    await applied("host", ...held.map(({ object }) => object));
    await eventually("all are in both members", async () => {
      const applied = "{range .items[*]}{.status.conditions[?(@.type=='FullyApplied')].status} {end}";
      const said = await told("host", "-n", "kinds", "get", "rb", "-o", `jsonpath=${applied}`);
      return said.split(" ").filter(status => status === "True").length === held.length;
    });
    expect(
      await told("host", "-n", "kinds", "rollout", "status", "deployment/a-deployment", "--timeout=60s"),
    ).toContain("successfully");
    expect(await everythingIn("kinds")).toEqual([]);
    expect(witness.made(IMAGES.web)).toBe(0);
  });

  it("tells how it does: `check` finds nothing broken, and the bundle has the log and the metrics of each pod", async () => {
    const { kubeconfig } = accessTo("host");
    const holdfast = (...args: readonly string[]) =>
      run(process.execPath, [join(ROOT, "cli/holdfast.js"), ...args, "--kubeconfig", kubeconfig]);
    expect((await holdfast("check")).stdout).not.toContain("✗");
    const directory = await mkdtemp(join(tmpdir(), "holdfast-e2e-bundle-"));
    const file = join(directory, "bundle.tar.gz");
    await holdfast("support-bundle", "-o", file);
    const text = gunzipSync(await readFile(file)).toString();
    await rm(directory, { recursive: true });
    for (const pod of await operatorPods()) {
      expect(text).toMatch(new RegExp(`holdfast-support/logs/${pod.replace("pod/", "")}\\.[a-z]+\\.log`));
      expect(text).toContain(`holdfast-support/metrics/${pod.replace("pod/", "")}.txt`);
    }
    expect(text).toContain('"msg":"leading"');
  });

  it("is led again within seconds when its leader is killed, and loses nothing", async () => {
    const holder = await leader();
    const process = (await runningIn("holdfast-system")).find(({ pod }) => holder.startsWith(`${pod}_`));
    if (!process) throw new Error(`no container of ${holder}`);
    const scaled = told("host", "-n", "shop", "scale", "deployment/web", "--replicas=2");
    await killContainer(process);
    await timed("a killed leader's work taken over", async () => {
      await timed("another one leads", () => eventually("another one leads", async () => (await leader()) !== holder));
      for (const member of MEMBERS) {
        await eventually(`it is scaled in ${member}`, async () => (await readyIn(member, "shop")) === "2");
      }
    });
    await scaled;
    await told("host", "-n", "shop", "scale", "deployment/web", "--replicas=3");
    for (const member of MEMBERS) {
      await eventually(`it is scaled in ${member}`, async () => (await readyIn(member, "shop")) === "3");
    }
  });

  it("refuses nobody while its pods are replaced one after the other", async () => {
    const deployments = (await told("host", "-n", "holdfast-system", "get", "deploy", "-o", "name")).trim().split("\n");
    await told("host", "-n", "holdfast-system", "rollout", "restart", ...deployments);
    const all = Promise.all(
      deployments.map(name => told("host", "-n", "holdfast-system", "rollout", "status", name, "--timeout=120s")),
    );
    expect(await askedUntil(all)).toBeGreaterThan(5);
  });

  it("refuses nobody while its node is drained", async () => {
    const before = await operatorPods();
    const drained = told(
      "host",
      "drain",
      ...["-l", "kubernetes.io/hostname"],
      ...[`--pod-selector=${OPERATOR_PODS}`, "--delete-emptydir-data", "--timeout=150s"],
    );
    const asked = askedUntil(drained);
    await eventually("the budgets hold the second of each kind back", async () => {
      const budgets = await told("host", "-n", "holdfast-system", "get", "pdb", "-o", ALLOWED);
      return budgets
        .trim()
        .split(" ")
        .every(allowed => allowed === "0");
    });
    // There is no second node to go to: this one comes back, as a new one would come.
    await told("host", "uncordon", "-l", "kubernetes.io/hostname");
    await drained;
    expect(await asked).toBeGreaterThan(5);
    const after = await operatorPods();
    expect(after.filter(pod => before.includes(pod))).toEqual([]);
  });

  it("runs the same Deployment where no templates are, and sends it as well", async () => {
    await applied("host", policy("free"), deployment("free", IMAGES.web));
    await rolledOut("host", "free");
    expect(await idsIn("free")).toHaveLength(2);
    expect(witness.made(IMAGES.web)).toBe(2);
    for (const member of MEMBERS) await eventually(`it is in ${member}`, () => uidIn(member, "free"));
  });

  it("lets go: the template is deleted, and both copies stay as they are, without a mark", async () => {
    const uids = await Promise.all(MEMBERS.map(member => uidIn(member, "shop")));
    await told("host", "-n", "shop", "delete", "deployment", "web", "--timeout=60s");
    for (const [index, member] of MEMBERS.entries()) {
      await eventually(`${member} is released`, async () => {
        const labels = await told(
          member,
          "-n",
          "shop",
          "get",
          "deployment",
          "web",
          "-o",
          "jsonpath={.metadata.labels}",
        );
        return !labels.includes("karmada.io");
      });
      expect(await uidIn(member, "shop")).toBe(uids[index]);
      expect(await readyIn(member, "shop")).toBe("3");
    }
  });

  it("goes by helm, leaves members alone, and still starts no template", async () => {
    await applied("host", deployment("shop", IMAGES.web));
    const uids = await Promise.all(MEMBERS.map(member => uidIn(member, "free")));
    await timed("helm uninstall", () => helm("uninstall", ...RELEASE, "--wait", "--timeout", "120s"));
    expect(await Promise.all(MEMBERS.map(member => uidIn(member, "free")))).toEqual(uids);
    await told("host", "-n", "shop", "scale", "deployment/web", "--replicas=4");
    await applied("host", space("late", { [TEMPLATES_LABEL]: "true" }), deployment("late", IMAGES.web));
    await eventually("the host's own controller was refused", async () =>
      (await told("host", "-n", "late", "get", "deployment", "web", "-o", "jsonpath={.status}")).includes(
        "holds templates",
      ),
    );
    const [pod] = heldObjects("late", IMAGES.web).filter(({ object }) => object.kind === "Pod");
    expect((await apply("host", pod?.object ?? {})).text).toContain("Holdfast did not answer to hold back Pod");
    for (const namespace of ["shop", "kinds", "late"]) expect(await everythingIn(namespace)).toEqual([]);
  });

  it("has not touched what ran before, from the first step to the last", async () => {
    expect(await idsIn("before")).toEqual(before);
    expect(witness.made(IMAGES.before)).toBe(2);
    expect(witness.made(IMAGES.web)).toBe(2);
  });
});
