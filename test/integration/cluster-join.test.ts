// Does the command line join clusters as people expect, and speak to them clearly?
import { execFile } from "node:child_process";
import { join as joinPath } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { join } from "../../cli/join.js";
import { accountName, IMPERSONATOR, roleName } from "../../cli/names.js";
import { CLUSTER_ROLES, SERVICE_ACCOUNTS } from "../../cli/member-objects.js";
import { CLUSTERS, SECRETS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { bothSides, problemOf } from "./support/both-sides.js";
import { accessTo, clientFor } from "./support/engine.js";
import { joinThroughProxy, readyOf, startFederation, uniqueName, untilCluster } from "./support/federation.js";

const NAMESPACE = "karmada-cluster";

describe("join", () => {
  it("makes what Karmada makes, under Karmada's names", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const member = await clientFor("member1");

    const accounts = new ResourceClient(member, SERVICE_ACCOUNTS);
    for (const account of [IMPERSONATOR, accountName(name)]) {
      const live = await accounts.find({ namespace: NAMESPACE, name: account });
      expect(live?.metadata.labels?.["karmada.io/system"]).toBe("true");
    }
    const role = await new ResourceClient(member, CLUSTER_ROLES).find({ name: roleName(name) });
    expect(role?.["rules"]).toContainEqual({ apiGroups: ["*"], resources: ["*"], verbs: ["*"] });
    const cluster = await untilCluster(deps, name, c => c !== undefined);
    expect(cluster?.spec.impersonatorSecretRef).toEqual({ namespace: NAMESPACE, name: `${name}-impersonator` });
  });

  it("gives the host a token and the trust, in Secrets that go with the Cluster", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const cluster = await untilCluster(deps, name, c => c !== undefined);

    const secret = await new ResourceClient(deps.host.client, SECRETS).find({ namespace: NAMESPACE, name });

    expect(Object.keys(secret?.["data"] as object).sort()).toEqual(["caBundle", "token"]);
    expect(secret?.metadata.ownerReferences?.[0]?.uid).toBe(cluster?.metadata.uid);
  });

  it("can be repeated, and keeps the Cluster", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const before = await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");
    const { host, member, output } = await bothSides();

    await join({ cluster: name, namespace: NAMESPACE, region: "eu" }, { host, member, output });

    const after = await untilCluster(deps, name, c => c?.spec.region === "eu" && readyOf(c) === "True ClusterReady");
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
  });

  it("refuses a cluster that is joined already, and says under which name", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const { host, member, output } = await bothSides();

    const problem = await problemOf(join({ cluster: "alias", namespace: NAMESPACE }, { host, member, output }));

    expect(problem.message).toBe(`this cluster is joined already, under the name ${name}`);
  });

  it("refuses a name that belongs to another cluster", async () => {
    const deps = await startFederation();
    const { name } = await joinThroughProxy(deps, "member1");
    const { host, member, output } = await bothSides("member2");

    const problem = await problemOf(join({ cluster: name, namespace: NAMESPACE }, { host, member, output }));

    expect(problem.message).toContain(`the name ${name} belongs to another cluster`);
  });

  it("writes nothing in a dry run", async () => {
    await startFederation();
    const { host, client, member, output } = await bothSides();
    const name = uniqueName("dry");

    await join({ cluster: name, namespace: NAMESPACE, dryRun: true }, { host, member, output });

    expect(output.lines).toContain(`host: Cluster ${name} (dry run)`);
    expect(await new ResourceClient(host, CLUSTERS).find({ name })).toBeUndefined();
    const accounts = new ResourceClient(client, SERVICE_ACCOUNTS);
    expect(await accounts.find({ namespace: NAMESPACE, name: accountName(name) })).toBeUndefined();
  });
});

describe("the program", () => {
  const program = joinPath(import.meta.dirname, "../../cli/holdfast.js");
  const hostFile = () => accessTo("host").kubeconfig;

  async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = { ...process.env, NO_COLOR: "1" };
    return promisify(execFile)(program, args, { env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  }

  it("joins and removes a cluster from a kubeconfig, with data and notes apart", async () => {
    await startFederation();
    const name = uniqueName("cli");
    const flags = ["--kubeconfig", hostFile(), "--cluster-kubeconfig", accessTo("member2").kubeconfig];

    const joined = await run("join", name, ...flags, "--cluster-zones", "a,b");
    expect(joined).toMatchObject({ code: 0, stdout: `cluster.cluster.karmada.io/${name} joined\n` });

    const removed = await run("unjoin", name, ...flags);
    // What became of everything in the cluster is data too, also where that is nothing.
    const lines = [
      `cluster.cluster.karmada.io/${name} removed`,
      "kept 0, deleted 0, left behind 0",
      `member ${name} cleaned`,
    ];
    expect(removed).toMatchObject({ code: 0, stdout: `${lines.join("\n")}\n` });
  });

  it.each`
    args                                                     | code | says                           | sentence
    ${["join", "Bad_Name", "--cluster-kubeconfig", "x"]}     | ${2} | ${'"Bad_Name" is not a valid'} | ${"refuses a name that is not valid"}
    ${["join", "m".repeat(49), "--cluster-kubeconfig", "x"]} | ${2} | ${"has 49 characters"}         | ${"refuses a name that is too long"}
    ${["join", "m1"]}                                        | ${2} | ${"--cluster-kubeconfig"}      | ${"asks for what is missing"}
    ${["unjoin", "m1", "--kubeconfig", "/nowhere"]}          | ${2} | ${"there is no such file"}     | ${"names a kubeconfig that is not there"}
    ${["unjoin", "m1", "--wait", "soon"]}                    | ${2} | ${"write a duration"}          | ${"explains a flag's form"}
  `(
    "$sentence, without a stack trace",
    async ({ args, code, says }: { args: string[]; code: number; says: string }) => {
      const { stderr, stdout, ...rest } = await run(...args);

      expect(rest.code).toBe(code);
      expect(stdout).toBe("");
      expect(stderr).toContain(says);
      expect(stderr).not.toContain("    at ");
    },
  );
});
