// Does a real API server accept every template status that we make, whatever stood there before?
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { memberItems } from "../../lib/domain/status/arbitraries.js";
import { type StatusItem, aggregateStatus } from "../../lib/domain/status/index.js";
import { type JsonRecord, isRecord, recordsAt, trueCondition } from "../../lib/domain/status/read.js";
import { statusOf } from "../../lib/domain/status/rule.js";
import { type Call, type Kind, KINDS, TTL_SECONDS, connect, jobSpec } from "./status-server.js";

// A namespace that an earlier run deleted may stay for good: a bare API server has nobody to empty it.
const NAMESPACE = `status-validity-${Date.now()}`;
const STEPS = { minLength: 10, maxLength: 10 } as const;

let call: Call;
let closeConnections: () => Promise<void>;

beforeAll(async () => {
  const env: unknown = JSON.parse(readFileSync(join(inject("clusters"), "env.json"), "utf8"));
  const host = isRecord(env) && isRecord(env.host) ? env.host : {};
  ({ call, close: closeConnections } = connect(String(host.kubeconfig)));
  await call("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
  // Nothing on a control-plane host makes the account that the API server asks every Pod for.
  await call("POST", `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "default" },
  });
});

afterAll(async () => {
  await call("DELETE", `/api/v1/namespaces/${NAMESPACE}`);
  await closeConnections();
});

let made = 0;

/** A new template of that kind as the server made it, and where it is. */
async function create({ key, path, spec, version = "v1" }: Kind): Promise<{ url: string; template: KubeObject }> {
  const [group = "", kind = ""] = key.split("/");
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const scope = kind === "PersistentVolume" ? "" : `/namespaces/${NAMESPACE}`;
  const base = `/${group === "" ? "api" : "apis"}/${apiVersion}${scope}/${path}`;
  made += 1;
  const name = `${NAMESPACE}-${made}`;
  const { code, body } = await call("POST", base, { apiVersion, kind, metadata: { name }, spec });
  expect(code, JSON.stringify(body)).toBe(201);
  return { url: `${base}/${name}`, template: body };
}

/** Writes what the members add up to; demands a 200, and that the second look finds nothing more to write. */
async function step(url: string, template: KubeObject, items: readonly StatusItem[]): Promise<KubeObject> {
  const status = aggregateStatus({ template, items });
  if (status === undefined) return template;
  const { code, body } = await call("PUT", `${url}/status`, { ...template, status });
  expect(code, `${JSON.stringify(body)} for ${JSON.stringify(status)} after ${JSON.stringify(template.status)}`).toBe(
    200,
  );
  expect(aggregateStatus({ template: body, items }), `stored as ${JSON.stringify(body.status)}`).toBeUndefined();
  return body;
}

describe.each(KINDS.map((kind, index) => ({ ...kind, title: `${kind.key} ${kind.version ?? "v1"} (${index})` })))(
  "the status of $title",
  kind => {
    it("is accepted at every step of any history, and written once", async () => {
      const histories = fc.sample(fc.array(memberItems(kind.key), STEPS), { numRuns: 12, seed: 7 });
      for (const history of histories) {
        const made = await create(kind);
        let template = made.template;
        for (const items of history) template = await step(made.url, template, items);
        await step(made.url, template, []);
        await call("DELETE", made.url, { gracePeriodSeconds: 0 });
      }
    });
  },
);

const at = (second: number): string => `2025-01-01T00:00:${String(second).padStart(2, "0")}Z`;
const job = (clusterName: string, status: JsonRecord): StatusItem => ({ clusterName, status, applied: true });
const ended = (type: string, second: number): JsonRecord => ({ type, status: "True", lastTransitionTime: at(second) });
const running = (second: number): JsonRecord => ({ active: 1, startTime: at(second) });
const complete: JsonRecord = {
  succeeded: 1,
  startTime: at(1),
  completionTime: at(20),
  conditions: [ended("SuccessCriteriaMet", 20), ended("Complete", 20)],
};
const failed: JsonRecord = {
  failed: 2,
  startTime: at(2),
  conditions: [ended("FailureTarget", 29), ended("Failed", 30)].map(each => ({
    ...each,
    reason: "BackoffLimitExceeded",
  })),
};

function typesOf(template: KubeObject): readonly unknown[] {
  return recordsAt(statusOf(template) ?? {}, "conditions").map(condition => condition.type);
}

async function tell(...history: readonly (readonly StatusItem[])[]): Promise<readonly KubeObject[]> {
  const made = await create({
    key: "batch/Job",
    path: "jobs",
    spec: { ...jobSpec, ttlSecondsAfterFinished: TTL_SECONDS },
  });
  const told: KubeObject[] = [made.template];
  for (const items of history) told.push(await step(made.url, told.at(-1) ?? made.template, items));
  return told.slice(1);
}

describe("a Job on the host", () => {
  it("only announces its failure while a member is still active, and fails when all have finished", async () => {
    const [active, half, whole, later] = await tell(
      [job("m1", running(3)), job("m2", running(2))],
      [job("m1", running(3)), job("m2", failed)],
      [job("m1", complete), job("m2", failed)],
      [job("m1", running(9))],
    );
    expect(active?.status).toMatchObject({ active: 2, startTime: at(2) });
    expect(half?.status).toMatchObject({ active: 1, failed: 2, startTime: at(2) });
    expect(half && typesOf(half)).toEqual(["FailureTarget"]);
    expect(whole && typesOf(whole)).toEqual(["FailureTarget", "Failed"]);
    expect(statusOf(whole ?? { apiVersion: "", kind: "", metadata: { name: "" } })).not.toHaveProperty(
      "completionTime",
    );
    // The TTL controller counts from this time.
    expect(trueCondition(statusOf(whole as KubeObject) ?? {}, "Failed")).toMatchObject({
      reason: "BackoffLimitExceeded",
      message: "failed in m2",
      lastTransitionTime: at(30),
    });
    expect(later?.status).toEqual(whole?.status);
  });

  it("completes when all members have, with the last member's completion time, and stays complete", async () => {
    const [, half, whole, later] = await tell(
      [job("m1", running(5))],
      [job("m1", complete), job("m2", running(4))],
      [job("m1", complete), job("m2", { ...complete, completionTime: at(40) })],
      [],
    );
    expect(half?.status).toMatchObject({ active: 1, succeeded: 1, startTime: at(5) });
    expect(half && typesOf(half)).toEqual([]);
    expect(whole?.status).toMatchObject({ succeeded: 2, startTime: at(5), completionTime: at(40) });
    expect(whole && typesOf(whole)).toEqual(["SuccessCriteriaMet", "Complete"]);
    expect(later?.status).toEqual(whole?.status);
  });

  it("keeps its counts when a member leaves, and fails although the member that failed has left", async () => {
    const [, left, whole] = await tell(
      [job("m1", running(1)), job("m2", failed)],
      [job("m1", running(1))],
      [job("m1", complete)],
    );
    expect(left?.status).toMatchObject({ active: 1, failed: 2 });
    expect(whole && typesOf(whole)).toEqual(["FailureTarget", "Failed"]);
  });
});

describe("a Service on the host", () => {
  it("loses its addresses to the server when it stops being a load balancer, and gets none back", async () => {
    const { url, template } = await create({
      key: "/Service",
      path: "services",
      spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
    });
    const items = [job("m1", { loadBalancer: { ingress: [{ ip: "10.0.0.1", ipMode: "VIP" }] } })];
    const balanced = await step(url, template, items);
    const { code, body } = await call("PUT", url, { ...balanced, spec: { type: "ClusterIP", ports: [{ port: 80 }] } });
    expect(code, JSON.stringify(body)).toBe(200);
    expect((await step(url, body, items)).status).toEqual({ loadBalancer: {} });
    await call("DELETE", url);
  });
});
