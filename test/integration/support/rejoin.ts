// How does a cluster come back that a test has removed? By the command that people use.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Env } from "../../../hack/clusters/state.js";

const COMMAND = join(import.meta.dirname, "../../../cli/holdfast.js");

/** Joins a member again under its name. @throws with the command's words when it does not succeed. */
export async function rejoin(env: Env, member: string): Promise<void> {
  const kubeconfig = env.members[member]?.kubeconfig ?? "";
  const args = [COMMAND, "join", member, "--kubeconfig", env.host.kubeconfig, "--cluster-kubeconfig", kubeconfig];
  await promisify(execFile)(process.execPath, args);
}
