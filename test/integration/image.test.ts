// Does the operator's image hold everything that the operator needs, and nothing that it would have to write to?
import { mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { down, guard, stop, up, type ClusterAccess, type Env } from "../../hack/clusters/index.js";
import { end, launch, type ProcessId } from "../../hack/clusters/processes.js";
import { untilReady } from "../../hack/clusters/ready.js";
import { readState } from "../../hack/clusters/state.js";
import { writeImage } from "../../hack/image/operator-image.js";
import { eventually } from "./support/eventually.js";
import { startIn, unpackImage } from "./support/unpacked-image.js";

const dir = mkdtempSync(join(tmpdir(), "holdfast-image-"));
const root = join(dir, "root");
const isRoot = process.getuid?.() === 0;
const running: ProcessId[] = [];
let env: Env;
let callOffGuard: () => Promise<void>;

beforeAll(async () => {
  callOffGuard = guard(dir);
  env = await up({ dir, members: 1, nodes: false, operator: true });
  const archive = join(dir, "holdfast.tar");
  const { digest } = await writeImage(archive, "localhost/holdfast:test", () => undefined);
  expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  const config = unpackImage(archive, root);
  for (const name of ["admission", "watcher"]) {
    const spec = readState(dir)?.processes[name];
    if (!spec) throw new Error(`${name} was never started`);
    await stop(dir, name);
    const log = join(dir, "logs", `image-${name}.log`);
    const id = launch({ ...startIn(root, config, spec), log });
    running.push(id);
    await untilReady({ name, id, probe: spec.probe, log });
  }
});

afterAll(async () => {
  await Promise.all(running.map(id => end(id, 3_000)));
  await down(dir);
  await callOffGuard();
  rmSync(dir, { recursive: true, force: true });
});

function kubectl(cluster: ClusterAccess | undefined, args: readonly string[], input = ""): Promise<string> {
  const argv = ["--kubeconfig", cluster?.kubeconfig ?? "", "--cache-dir", join(dir, "cache"), ...args];
  return new Promise(resolve => {
    const child = execFile(env.kubectl, argv, (_, stdout, stderr) => resolve(`${stdout}${stderr}`));
    child.stdin?.end(input);
  });
}

const resourceSelectors = [{ apiVersion: "v1", kind: "ConfigMap", name: "settings" }];

function policy(name: string, spec: object): string {
  const metadata = { name, namespace: "default" };
  const placement = { clusterAffinity: { clusterNames: ["member1"] } };
  const whole = { resourceSelectors, placement, ...spec };
  return JSON.stringify({ apiVersion: "policy.karmada.io/v1alpha1", kind: "PropagationPolicy", metadata, spec: whole });
}

describe("the operator out of its image", () => {
  it("runs on the Node of the image", () => {
    const programs = running.map(({ pid }) => readlinkSync(`/proc/${pid}/exe`));
    const program = expect.stringMatching(isRoot ? /root\/usr\/local\/bin\/node$/ : /root\/lib.*\/ld-linux/);
    expect(programs).toEqual([program, program]);
  });

  it("refuses a wrong policy, in words", async () => {
    const said = await kubectl(env.host, ["apply", "-f", "-"], policy("wrong", { propagateDeps: true }));
    expect(said).toMatch(/spec\.propagateDeps.*not supported by this version/);
  });

  it("puts a template into a member", async () => {
    await kubectl(env.host, ["create", "configmap", "settings", "--from-literal=a=b"]);
    expect(await kubectl(env.host, ["apply", "-f", "-"], policy("right", {}))).toContain("created");
    await eventually(
      "the copy is there",
      async () =>
        (await kubectl(env.members["member1"], ["get", "configmap", "settings", "-o", "jsonpath={.data.a}"])) === "b",
    );
  });
});
