// How does a test bring the operator's processes back that run beside the cluster, whatever helm has done to it?
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { ROOT } from "../../../hack/clusters/bundle.js";
import { start, stop } from "../../../hack/clusters/index.js";
import { readState } from "../../../hack/clusters/state.js";
import { parseWebhooks, pointAtEndpoint } from "../../../hack/clusters/webhooks.js";
import { applied } from "../../integration/support/case-kubectl.js";
import { told } from "../../integration/support/round-trip.js";

const FILES = join(ROOT, "charts/holdfast/files");
const WEBHOOKS = "validatingwebhookconfiguration,mutatingwebhookconfiguration";

/** What this gave the API server leads to processes; helm's leads to a Service, and one cannot become the other. */
export function withoutWebhooks(): Promise<string> {
  return told("host", ["delete", WEBHOOKS, "holdfast", "--ignore-not-found"]);
}

/** The settings of the admission process. @throws Error when the clusters have none */
export function admissionEnv(): Readonly<Record<string, string>> {
  const env = readState(inject("clusters"))?.processes["admission"]?.env;
  if (!env) throw new Error(`${inject("clusters")}: no admission here`);
  return env;
}

/** helm makes the account anew, and its old token is nobody's. */
export async function renewToken(): Promise<void> {
  const token = await told("host", ["create", "token", "holdfast", "-n", "holdfast-system", "--duration=24h"]);
  const file = join(inject("clusters"), "operator", "kubeconfig");
  const kubeconfig = (await readFile(file, "utf8")).replace(/"token": "[^"]*"/, `"token": "${token.trim()}"`);
  await writeFile(file, kubeconfig);
}

/** Account, roles, webhooks and both processes, as `clusters up --operator` made them. */
export async function operatorAnew(): Promise<void> {
  const dir = inject("clusters");
  await told("host", ["apply", "--server-side", "--force-conflicts", "-f", join(FILES, "rbac.yaml")]);
  await renewToken();
  for (const name of ["watcher", "admission"]) {
    await stop(dir, name);
    await start(dir, name);
  }
  await registerWebhooks();
}

/** The webhooks lead to the process beside the cluster. */
export async function registerWebhooks(): Promise<void> {
  const dir = inject("clusters");
  await withoutWebhooks();
  const { PORT = "", PEPR_API_PATH: apiPath = "" } = admissionEnv();
  const caBundle = (await readFile(join(dir, "operator", "ca.crt"))).toString("base64");
  const configurations = parseWebhooks(await readFile(join(FILES, "webhooks.yaml"), "utf8"));
  const endpoint = { port: Number(PORT), apiPath, caBundle };
  await applied("host", ...configurations.map(each => pointAtEndpoint(each, endpoint)));
}
