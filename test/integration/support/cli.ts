// How does a test run a whole command line, against a host whose members it can silence?
import { inject, onTestFinished } from "vitest";
import { readEnv } from "../../../hack/clusters/index.js";
import { run } from "../../../cli/program.js";
import type { Work } from "../../../crds/work.js";
import { conditionOf } from "../../../lib/engine/conditions.js";
import type { Dependencies } from "../../../lib/engine/dependencies.js";
import type { ApiResource } from "../../../lib/kube/resource.js";
import { eventually } from "./eventually.js";
import { accessTo } from "./engine.js";
import {
  joinThroughProxy,
  QUICK,
  readyOf,
  startFederation,
  uniqueName,
  untilCluster,
  WHOLE_OPERATOR,
} from "./federation.js";
import type { TcpProxy } from "./proxy.js";
import { Site } from "./site.js";

/** What a command line printed, and its exit code. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program as a script would: no terminal, the host's kubeconfig in its place. */
export async function cli(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Said> {
  const said = { stdout: "", stderr: "" };
  const world = {
    env,
    stdout: { write: (text: string) => (said.stdout += text) },
    stderr: { write: (text: string) => (said.stderr += text) },
  };
  const code = await run([...args, "--kubeconfig", accessTo("host").kubeconfig], world);
  return { code, ...said };
}

/** The cells of a table that a command printed, without its header, by which they are told apart. */
export function cells({ stdout }: Said): string[][] {
  const [header = "", ...lines] = stdout.trimEnd().split("\n");
  const starts = [...header.matchAll(/\S+/g)].map(({ index }) => index);
  return lines.map(line => starts.map((start, i) => line.slice(start, starts[i + 1]).trimEnd()));
}

const SERVICES: ApiResource = { group: "", version: "v1", kind: "Service", plural: "services", namespaced: true };

/** One namespace on a host with a whole operator and two members. */
export interface CliShop {
  readonly deps: Dependencies;
  readonly namespace: string;
  readonly host: Site;
  readonly member1: Site;
  /** The name under which member1 is joined, and the proxy that leads to it. */
  readonly first: { readonly name: string; readonly proxy: TcpProxy };
  readonly second: { readonly name: string; readonly proxy: TcpProxy };
}

/** Everything goes with the test. */
export async function openCliShop(): Promise<CliShop> {
  const deps = await startFederation(QUICK, WHOLE_OPERATOR);
  const [first, second] = [await joinThroughProxy(deps, "member1"), await joinThroughProxy(deps, "member2")];
  for (const { name } of [first, second]) await untilCluster(deps, name, c => readyOf(c) === "True ClusterReady");
  const env = readEnv(inject("clusters"));
  const namespace = uniqueName("look");
  const [host, member1, member2] = [Site.of(env, "host"), Site.of(env, "member1"), Site.of(env, "member2")];
  const sites = [host, member1, member2];
  onTestFinished(async () => {
    for (const { proxy } of [first, second]) proxy.pass();
    for (const kind of ["ConfigMap", "Deployment", "Service", "Secret", "PropagationPolicy"])
      await empty(host, kind, namespace);
    await eventually("no Work is left", async () => !(await deps.host.works.client.list()).items.some(isOfShop)).catch(
      () => {},
    );
    for (const site of sites) await site.delete({ kind: "Namespace", name: namespace }).catch(() => undefined);
    await Promise.all(sites.map(site => site.close()));
  });
  for (const site of sites) site.learn(SERVICES);
  for (const site of [host, member1])
    await site.apply(`{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`);
  return { deps, namespace, host, member1, first, second };

  function isOfShop(work: Work): boolean {
    return (work.spec.workload?.manifests ?? []).some(({ metadata }) => metadata.namespace === namespace);
  }
}

async function empty(host: Site, kind: string, namespace: string): Promise<void> {
  for (const { metadata } of await host.list(kind, namespace)) {
    if (metadata.name !== "kube-root-ca.crt")
      await host.delete({ kind, namespace, name: metadata.name }).catch(() => undefined);
  }
}

/** Waits until these members have applied the object of this name. */
export async function untilApplied({ deps }: CliShop, object: string, ...clusters: readonly string[]): Promise<void> {
  await eventually(`${object} is applied in ${clusters.join(", ")}`, async () => {
    const works = (await deps.host.works.client.list()).items;
    return clusters.every(cluster =>
      works.some(work => {
        const isIts =
          work.metadata.namespace === `karmada-es-${cluster}` && work.metadata.name.startsWith(`${object}-`);
        return isIts && conditionOf(work, "Applied")?.status === "True" && conditionOf(work, "Adopted") !== undefined;
      }),
    );
  });
}

/** YAML of a policy for everything of two kinds in the shop. */
export function policyYaml({ namespace }: CliShop, clusters: readonly string[], conflict = "Abort"): string {
  return `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: all, namespace: ${namespace}}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap}, {apiVersion: apps/v1, kind: Deployment}, {apiVersion: v1, kind: Service}, {apiVersion: v1, kind: Secret}]
  conflictResolution: ${conflict}
  placement: {clusterAffinity: {clusterNames: [${clusters.join(", ")}]}}
`;
}

/** YAML of a ConfigMap in the shop. */
export function configMapYaml({ namespace }: CliShop, name: string, data = "{a: '1'}"): string {
  return `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: ${namespace}, labels: {app: ${name}}}, data: ${data}}`;
}
