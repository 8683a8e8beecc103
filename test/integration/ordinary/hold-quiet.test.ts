// Is everything in a namespace of templates held, quietly, and told as what the members make of it? (design 1)
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { TEMPLATES_LABEL } from "../../../lib/domain/marks.js";
import { applied, freshName, kubectl, warningsIn, type Said, type Side } from "../support/case-kubectl.js";
import { eventually } from "../support/eventually.js";
import { told } from "../support/round-trip.js";
import { heldObjects, policyFor, type Held } from "./held-objects.js";

/** Two runs of the host's slowest controller that writes without need: the autoscaler's, which is left out below. */
const WATCHED_MS = 35_000;
/** Members still start Pods one after the other while the first report is in. */
const STILL_MS = 10_000;
const MADE = "pods,replicasets,controllerrevisions,jobs,persistentvolumeclaims";

let namespace = "";
let held: readonly Held[] = [];
let said: Said;

async function read<T>(side: Side, { object: { kind, metadata } }: Held, path: string): Promise<T | undefined> {
  const text = await told(side, ["-n", metadata.namespace, "get", kind, metadata.name, "-o", "json"]);
  const value = path
    .split(".")
    .reduce<unknown>((so, key) => (so as Record<string, unknown> | undefined)?.[key], JSON.parse(text));
  return value as T | undefined;
}

/** What is there and was not applied by us. */
async function startedOn(side: Side): Promise<string[]> {
  const names = await told(side, ["get", MADE, "-n", namespace, "-o", "name"]);
  return names.split("\n").filter(name => name && !/\/a-[a-z]+$/.test(name));
}

/** Writes to the objects and their status that were taken, by kind. */
async function writesOf(kinds: RegExp): Promise<Record<string, number>> {
  const metrics = await told("host", ["get", "--raw", "/metrics"]);
  const lines = metrics.split("\n").filter(line => line.startsWith("apiserver_request_total{"));
  const counts: Record<string, number> = {};
  for (const line of lines) {
    const of = (label: string): string => new RegExp(`[{,]${label}="([^"]*)"`).exec(line)?.[1] ?? "";
    if (!kinds.test(of("resource")) || !/PUT|PATCH|APPLY|POST/.test(of("verb")) || !of("code").startsWith("2"))
      continue;
    const key = `${of("verb")} ${of("resource")}/${of("subresource")}`;
    counts[key] = (counts[key] ?? 0) + Number(line.split(" ").at(-1));
  }
  return counts;
}

beforeAll(async () => {
  namespace = freshName("templates");
  held = heldObjects(namespace);
  await applied("host", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace, labels: { [TEMPLATES_LABEL]: "true" } },
  });
  said = await applied("host", policyFor(namespace, held), ...held.map(({ object }) => object));
  await eventually(
    "all are in both members",
    async () => {
      const bindings = await told("host", [
        "-n",
        namespace,
        "get",
        "rb",
        "-o",
        "jsonpath={range .items[*]}{.status.conditions[?(@.type=='FullyApplied')].status}{'\\n'}{end}",
      ]);
      return (
        bindings
          .trim()
          .split("\n")
          .filter(status => status === "True").length === held.length
      );
    },
    60_000,
  );
  return async () => {
    await kubectl("host", ["-n", namespace, "delete", "pp", "--all", "--wait=false"]);
    await kubectl("host", ["delete", "namespace", namespace, "--wait=false"]);
  };
});

describe("a namespace of templates on a host that runs workloads", () => {
  it("holds each kind by its field, and members get what was written", async () => {
    const seen = await Promise.all(
      held.flatMap(each =>
        each.field
          ? [{ each, field: each.field }].map(async ({ field: { name, held: value, written } }) => [
              [each.object.kind, await read("host", each, `spec.${name}`), await read("member1", each, `spec.${name}`)],
              [each.object.kind, value, written],
            ])
          : [],
      ),
    );
    for (const [is, should] of seen) expect(is).toEqual(should);
  });

  it("starts nothing here, and everything in members", async () => {
    await eventually("the members run all of it", async () => {
      const started = (await startedOn("member1")).join(" ");
      return ["a-deployment", "a-statefulset", "a-daemonset", "a-replicaset", "a-job"].every(name =>
        started.includes(`pod/${name}-`),
      );
    });
    expect(await startedOn("host")).toEqual([]);
  });

  it("leaves no word of the hold in a member", async () => {
    const text = await told("member1", [
      "-n",
      namespace,
      "get",
      "-o",
      "yaml",
      held.map(({ object }) => object.kind).join(","),
    ]);
    expect(text).not.toContain("holdfast.dev/held");
  });

  it("warns where it took the place of what was chosen, and only there", () => {
    expect(warningsIn(said)).toEqual([
      "spec.loadBalancerClass: your value goes to the members; here another one keeps it from starting",
    ]);
  });

  it("tells the members' sum, as kubectl shows it", async () => {
    const table = (kind: string, path: string) =>
      eventually(`${kind} says it`, () => read<number>("host", heldOf(kind), path));
    expect(await table("Deployment", "status.readyReplicas")).toBe(4);
    expect(await table("StatefulSet", "status.readyReplicas")).toBe(4);
    expect(await table("ReplicaSet", "status.readyReplicas")).toBe(4);
    expect(await table("DaemonSet", "status.numberReady")).toBe(2);
    expect(await table("Job", "status.succeeded")).toBe(2);
    expect(await read("host", heldOf("Pod"), "status.phase")).toBe("Running");
    expect(
      await told("host", ["-n", namespace, "rollout", "status", "deploy/a-deployment", "--timeout=20s"]),
    ).toContain("successfully");
  });

  it("is fought over by nobody: nothing is written while nothing changes", async () => {
    const kinds =
      /^(deployments|statefulsets|daemonsets|jobs|pods|services|persistentvolumeclaims|poddisruptionbudgets)$/;
    // A CronJob's status moves with each run in a member. A ReplicaSet's controller reports each refused attempt, in ever longer intervals; no answer changes anything.
    const versions = () =>
      told("host", [
        "-n",
        namespace,
        "get",
        "deploy,sts,ds,rs,job,pod,svc,pvc,pdb",
        "-o",
        "jsonpath={.items[*].metadata.resourceVersion}",
      ]);
    await eventually(
      "the members' reports are in",
      async () => {
        const before = await versions();
        await sleep(STILL_MS);
        return (await versions()) === before;
      },
      90_000,
    );
    const [before, writes] = [await versions(), await writesOf(kinds)];
    await sleep(WATCHED_MS);
    expect(await versions()).toBe(before);
    expect(await writesOf(kinds)).toEqual(writes);
  }, 180_000);

  it("lets a person scale and set an image, follows them, and says why it cannot restart", async () => {
    const deployment = ["-n", namespace];
    await told("host", [...deployment, "scale", "deploy/a-deployment", "--replicas=3"]);
    await told("host", [...deployment, "set", "image", "deploy/a-deployment", "web=registry.example/web:2"]);
    expect(await told("host", [...deployment, "rollout", "status", "deploy/a-deployment", "--timeout=60s"])).toContain(
      "successfully",
    );
    const member = heldOf("Deployment");
    expect(await read("member2", member, "spec.replicas")).toBe(3);
    expect(JSON.stringify(await read("member2", member, "spec.template"))).toContain("web:2");
    expect((await kubectl("host", [...deployment, "rollout", "restart", "deploy/a-deployment"])).text).toContain(
      "paused",
    );
    const resumed = await kubectl("host", [...deployment, "rollout", "resume", "deploy/a-deployment"]);
    expect(resumed.code).toBe(0);
    const advice = `members go without it; to run it here: holdfast templates release ${namespace} --run`;
    expect(warningsIn(resumed)).toEqual([`spec.paused: put back, ${advice}`]);
    expect(await read("host", member, "spec.paused")).toBe(true);
    expect(await startedOn("host")).toEqual([]);
  });

  it("takes a server-side apply, a replace and a dry run as well", async () => {
    const { object } = heldOf("Deployment");
    const again = { ...object, metadata: { ...object.metadata, name: "b-deployment" } };
    const ways = [["apply", "--server-side"], ["apply", "--server-side"], ["replace"], ["apply", "--dry-run=server"]];
    for (const [verb = "", ...flags] of ways) {
      // A replace reads first, and a member's report may come in between.
      await eventually(`${verb} is taken`, async () => {
        const taken = await kubectl("host", [verb, ...flags, "-f", "-"], JSON.stringify(again));
        expect(taken.text).not.toContain("put back");
        return taken.code === 0;
      });
      const live = JSON.parse(await told("host", ["-n", namespace, "get", "deploy", "b-deployment", "-o", "json"])) as {
        readonly spec: { readonly paused?: boolean };
        readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
      };
      expect([verb, live.spec.paused, live.metadata.annotations["holdfast.dev/held"]]).toEqual([
        verb,
        true,
        '{"paused":null}',
      ]);
    }
  });

  it("takes a Job's word to go on to members, and says when a CronJob's hold is put back", async () => {
    const patch = (kind: string, spec: object) =>
      kubectl("host", ["-n", namespace, "patch", kind, `a-${kind}`, "--type=merge", "-p", JSON.stringify({ spec })]);
    expect(warningsIn(await patch("cronjob", { suspend: true }))).toEqual([]);
    expect(warningsIn(await patch("cronjob", { suspend: false }))).toEqual([]);
    expect(await read("host", heldOf("CronJob"), "spec.suspend")).toBe(false);
    expect(warningsIn(await patch("cronjob", { startingDeadlineSeconds: null }))).toEqual([
      expect.stringMatching(/^spec\.startingDeadlineSeconds: put back, members go without it; to run it here: /),
    ]);
    expect(await read("host", heldOf("CronJob"), "spec.startingDeadlineSeconds")).toBe(0);
  });

  function heldOf(kind: string): Held {
    const found = held.find(({ object }) => object.kind === kind);
    if (!found) throw new Error(`no ${kind} here`);
    return found;
  }
});

describe("the label of a namespace of templates", () => {
  it("can be taken off and given only where nothing would start, or seem to be held", async () => {
    const label = (name: string, word: string) =>
      kubectl("host", ["label", "namespace", name, `${TEMPLATES_LABEL}${word}`]);
    const refused = await label(namespace, "-");
    expect(refused.text).toContain(`metadata.labels[${TEMPLATES_LABEL}]: Forbidden: it has Deployment`);
    expect(refused.text).toContain(
      `that would start here. holdfast templates release ${namespace} --run or --delete says first what happens`,
    );

    const other = freshName("running");
    await applied("host", { apiVersion: "v1", kind: "Namespace", metadata: { name: other } });
    expect((await label(other, "=true")).code).toBe(0);
    expect((await label(other, "-")).code).toBe(0);
    await applied("host", { ...heldOf(), metadata: { namespace: other, name: "web" } });
    const late = await label(other, "=true");
    expect(late.text).toContain(`what runs in ${other} already cannot be held: label a new namespace`);
    await kubectl("host", ["delete", "namespace", other, "--wait=false"]);
  });

  function heldOf(): object {
    return held[0]?.object ?? {};
  }
});

describe("what cannot be held", () => {
  it("is warned about, once", async () => {
    const spec = { defaultBackend: { service: { name: "a-service", port: { number: 80 } } } };
    const ingress = { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: { namespace, name: "web" }, spec };
    const warning = `Ingress is not held back: if this cluster has a controller for it, it acts here, too (${TEMPLATES_LABEL})`;
    expect(warningsIn(await applied("host", ingress))).toEqual([warning]);
    expect(
      warningsIn(await applied("host", { ...ingress, metadata: { ...ingress.metadata, labels: { a: "b" } } })),
    ).toEqual([]);
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "cfg" }, data: {} };
    expect(warningsIn(await applied("host", map))).toEqual([]);
  });
});
