// Are the shared clusters what they promise: a host that runs nothing, and members in which pods turn Ready?
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, describe, expect, inject, it } from "vitest";
import { kill, readEnv, start, type ClusterAccess } from "../../hack/clusters/index.js";

const dir = inject("clusters");
const env = readEnv(dir);
const run = promisify(execFile);

async function kubectl(cluster: ClusterAccess | undefined, ...args: string[]): Promise<string> {
  const kubeconfig = ["--kubeconfig", cluster?.kubeconfig ?? ""];
  const { stdout } = await run(env.kubectl, [...kubeconfig, "--namespace", "clusters-test", ...args]);
  return stdout;
}

const { member1 } = env.members;
const deployment = ["create", "deployment", "web", "--image=example.test/web:1", "--replicas=2"];

afterAll(async () => {
  for (const cluster of [env.host, member1]) {
    await kubectl(cluster, "delete", "namespace", "clusters-test", "--ignore-not-found", "--wait=false");
  }
});

describe("the clusters of tests, demo and benches", () => {
  it("have a process with a pid for each part", () => {
    const parts = (member: string): string[] =>
      ["apiserver", "controller-manager", "scheduler", "kwok"].map(part => `${member}-${part}`);
    const host = ["etcd", "host-apiserver", "host-controller-manager"];
    const expected = [...host, ...parts("member1"), ...parts("member2")];
    expect(Object.keys(env.pids)).toEqual(expect.arrayContaining(expected));
  });

  it("run pods in a member", async () => {
    await kubectl(member1, "create", "namespace", "clusters-test");
    await kubectl(member1, ...deployment);
    await kubectl(member1, "rollout", "status", "deployment/web", "--timeout=60s");
    expect(await kubectl(member1, "get", "deployment", "web", "-o", "jsonpath={.status.readyReplicas}")).toBe("2");
  });

  it("leave a Deployment on the host as a person wrote it", async () => {
    await kubectl(env.host, "create", "namespace", "clusters-test");
    await kubectl(env.host, ...deployment);
    await sleep(2_000);
    expect(await kubectl(env.host, "get", "replicasets,pods", "-o", "name")).toBe("");
    expect(await kubectl(env.host, "get", "deployment", "web", "-o", "jsonpath={.status}")).toBe("{}");
  });

  it("remember everything when an API server crashes and starts again on its port", async () => {
    const { pids } = await kill(dir, "member1-apiserver");
    expect(pids).not.toHaveProperty("member1-apiserver");
    await expect(kubectl(member1, "get", "namespaces")).rejects.toThrow("refused");
    const after = await start(dir, "member1-apiserver");
    expect(after.members["member1"]).toEqual(member1);
    await kubectl(member1, "scale", "deployment/web", "--replicas=3");
    await kubectl(member1, "rollout", "status", "deployment/web", "--timeout=60s");
  });
});
