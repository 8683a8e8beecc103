// How does a case act on the clusters as a person would?
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { readEnv, type ClusterAccess, type Env } from "../../../hack/clusters/index.js";

/** One of the clusters that the cases share. */
export type Side = "host" | "member1" | "member2";

/** What kubectl answered. */
export interface Said {
  readonly code: number;
  /** Both streams: warnings and refusals are on the second. */
  readonly text: string;
}

/** The way into one of the shared clusters. */
export function accessTo(side: Side, env: Env = readEnv(inject("clusters"))): ClusterAccess {
  const access = side === "host" ? env.host : env.members[side];
  if (!access) throw new Error(`${env.dir}: no cluster ${side}`);
  return access;
}

/** An API server's metrics are some megabytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A person's kubectl; never throws. */
export function kubectl(side: Side, args: readonly string[], input?: string): Promise<Said> {
  const env = readEnv(inject("clusters"));
  const common = ["--kubeconfig", accessTo(side, env).kubeconfig, "--cache-dir", join(env.dir, "kubectl-cache", side)];
  return new Promise(resolve => {
    const child = execFile(env.kubectl, [...common, ...args], { maxBuffer: MAX_BYTES }, (error, stdout, stderr) => {
      resolve({ code: error ? 1 : 0, text: `${stdout}${stderr}` });
    });
    child.stdin?.end(input ?? "");
  });
}

/** `kubectl apply -f -` of some manifests, objects or text. */
export function apply(side: Side, ...manifests: readonly (object | string)[]): Promise<Said> {
  // JSON is YAML in which every string is one, whatever it says.
  const text = manifests.map(one => (typeof one === "string" ? one : JSON.stringify(one))).join("\n---\n");
  return kubectl(side, ["apply", "-f", "-"], text);
}

/** As `apply`, for what must be taken. @throws Error with kubectl's words. */
export async function applied(side: Side, ...manifests: readonly (object | string)[]): Promise<Said> {
  const said = await apply(side, ...manifests);
  if (said.code !== 0) throw new Error(said.text);
  return said;
}

/** `kubectl delete KIND NAME`, without waiting for the end. */
export function remove(side: Side, kind: string, name: string, namespace?: string): Promise<Said> {
  const where = namespace ? ["-n", namespace] : [];
  return kubectl(side, ["delete", kind, name, ...where, "--wait=false", "--ignore-not-found"]);
}

/** The lines of an answer that warn, without the word itself. */
export function warningsIn({ text }: Said): string[] {
  const lines = text.split("\n").filter(line => line.startsWith("Warning: "));
  return lines.map(line => line.slice("Warning: ".length));
}

/** Applies as the operator itself, whose writes no webhook looks at: what would be if the webhook were away. */
export function applyUnseen(object: object): Promise<Said> {
  const operator = "system:serviceaccount:holdfast-system:holdfast";
  const disguise = ["--as", operator, "--as-group", "system:masters"];
  return kubectl("host", ["apply", ...disguise, "-f", "-"], JSON.stringify(object));
}

/** A fresh name, for what is not in a namespace of its own. */
export function freshName(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 6)}`;
}

/** A namespace on the host for one test; it goes with the test, and its copies with it. */
export async function freshNamespace(labels: Readonly<Record<string, string>> = {}): Promise<string> {
  const name = freshName("case");
  onTestFinished(async () => {
    await kubectl("host", ["-n", name, "delete", "pp,op", "--all", "--wait=false"]);
    await kubectl("host", ["delete", "namespace", name, "--wait=false"]);
  });
  await applied("host", { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  return name;
}
