// Does admission change its certificate, and end, without a request failing?
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { bundleOperator, ROOT } from "../../hack/clusters/bundle.js";
import { readEnv } from "../../hack/clusters/index.js";
import { kubectl } from "../integration/support/case-kubectl.js";
import { onto, policy } from "../integration/support/case-objects.js";
import { eventually } from "../integration/support/eventually.js";
import { admissionEnv, operatorAnew, registerWebhooks, withoutWebhooks } from "./support/operator.js";

const OPENSSL = "openssl";
const dir = (): string => join(inject("clusters"), "operator");

beforeAll(operatorAnew);

/** Who answers on a port, by the serial number of its certificate. */
function serialAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.end();
    });
    socket.on("error", reject);
  });
}

/** A new pair by the same CA, written as a kubelet brings it: in no particular order. */
function renewPair(): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "new.key"];
  const ca = ["-CA", "ca.crt", "-CAkey", "ca.key", "-days", "30", "-subj", "/CN=holdfast"];
  const names = ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-addext", "basicConstraints=CA:FALSE"];
  execFileSync(OPENSSL, ["req", "-x509", ...key, ...ca, ...names, "-out", "new.crt"], { cwd: dir(), stdio: "pipe" });
  for (const part of ["crt", "key"])
    writeFileSync(join(dir(), `tls.${part}`), readFileSync(join(dir(), `new.${part}`)));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** What `helm test` runs, asked as a person; its exit code. */
async function check(): Promise<number | null> {
  const file = await bundleOperator(hash => `operator-${hash}.cjs`);
  const { kubeconfig } = readEnv(inject("clusters")).host;
  const settings = {
    KUBECONFIG: kubeconfig,
    POD_NAMESPACE: "default",
    HOLDFAST_TASK: "check",
    HOLDFAST_TASK_SECONDS: "3",
  };
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...settings }, stdio: "ignore" });
  return new Promise(resolve => child.on("exit", resolve));
}

describe("admission", () => {
  it("is found by the check when it answers, and missed when nobody asks it", async () => {
    expect(await check()).toBe(0);
    await withoutWebhooks();
    onTestFinished(registerWebhooks);
    expect(await check()).toBe(1);
  });

  it("serves a renewed certificate within seconds, and refuses nobody meanwhile", async () => {
    const port = Number(admissionEnv()["PORT"]);
    const before = await serialAt(port);
    const resourceSelectors = [{ apiVersion: "v1", kind: "ConfigMap", name: "a" }];
    const asked = JSON.stringify(policy("default", "asked", { resourceSelectors, placement: onto("member1") }));
    const answers: string[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) answers.push((await kubectl("host", ["create", "--dry-run=server", "-f", "-"], asked)).text);
    })();

    renewPair();
    await eventually("the new certificate", async () => (await serialAt(port)) !== before, 20_000);
    await sleep(3_000);
    isOver = true;
    await asking;

    expect(answers.length).toBeGreaterThan(10);
    expect(answers.filter(text => !text.includes("created (server dry run)"))).toEqual([]);
  });

  it("goes on answering when it is asked to end, and sends each client to another connection", async () => {
    const port = await freePort();
    const file = await bundleOperator(hash => `operator-${hash}.cjs`);
    const settings = { PORT: String(port), HOLDFAST_METRICS_PORT: "0", HOLDFAST_DRAIN_SECONDS: "3" };
    const child = spawn(process.execPath, [file], {
      cwd: ROOT,
      env: { ...process.env, ...admissionEnv(), ...settings },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise<number | null>(resolve => child.on("exit", resolve));
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    const health = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const sent = request({ port, host: "127.0.0.1", path: "/healthz", agent }, response => {
          response.resume().on("end", () => resolve(`${response.statusCode} ${response.headers.connection}`));
        });
        sent.on("error", reject).end();
      });
    await eventually("admission answers", async () => (await health()) === "200 keep-alive");

    child.kill("SIGTERM");
    const answers: string[] = [];
    const until = performance.now() + 2_500;
    while (performance.now() < until) {
      await sleep(100);
      answers.push(await health());
    }

    expect(new Set(answers)).toEqual(new Set(["200 close"]));
    expect(await ended).toBe(0);
  });
});
