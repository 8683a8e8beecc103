// How does the operator come up beside its host, under its own RBAC, and how do members join?
import { randomBytes } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, type Answer } from "./api.js";
import { bundleOperator, ROOT } from "./bundle.js";
import type { Fleet, Launch } from "./fleet.js";
import { renderKubeconfig } from "./kubeconfig.js";
import { isReady } from "./node.js";
import { asYaml, OPERATOR_ACCOUNT, OPERATOR_NAMESPACE, operatorObjects } from "./operator-objects.js";
import { base64File, WEBHOOK_CERTIFICATES, writeCertificates } from "./pki.js";
import { until } from "./ready.js";
import { runStep, type Say } from "./step.js";
import { parseWebhooks, pointAtEndpoint } from "./webhooks.js";

const CRDS = join(ROOT, "crds");
const FILES = join(ROOT, "charts", "holdfast", "files");
const GENERATE = "Run npm run generate: it writes the CRDs, the RBAC and the webhook configurations.";

/** What the operator waits for and gets. */
export interface OperatorOptions {
  readonly say: Say;
  /** Settled when the members can be joined. */
  readonly members: Promise<unknown>;
  /** Whether the members are joined. */
  readonly join: boolean;
  /** What its processes get beyond their own settings. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Short-lived objects of a reconcile fit into less than V8 keeps ready for them; source maps stay in memory whole. */
export const SMALL_HEAP = ["--max-semi-space-size=4", "--heap-growing-percent=20"];

/** What one start of the operator is made of. */
interface Setup {
  readonly dir: string;
  readonly bundle: string;
  readonly apiPath: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Brings the operator into a fleet that has a host: CRDs, RBAC, admission and watcher as processes of their own, the
 * webhooks once both answer, and, if asked to, every member joined and Ready.
 * @throws Error that says which command writes a generated file that is missing.
 */
export async function bringOperator(fleet: Fleet, options: OperatorOptions): Promise<void> {
  const { say, members, env = {} } = options;
  const dir = join(fleet.state.dir, "operator");
  const [bundle] = await Promise.all([
    bundleOperator(hash => `operator-${hash}.cjs`),
    writeCertificates(dir, "holdfast-webhook-ca", WEBHOOK_CERTIFICATES),
    applyObjects(fleet),
  ]);
  await writeOperatorKubeconfig(fleet, dir);
  say("operator: starting admission and watcher");
  const setup: Setup = { dir, bundle, apiPath: randomBytes(16).toString("hex"), env };
  const [port] = await Promise.all([bringProcess(fleet, setup, "admission"), bringProcess(fleet, setup, "watcher")]);
  await registerWebhooks(fleet, { port, apiPath: setup.apiPath, caBundle: await base64File(dir, "ca.crt") });
  await members;
  if (options.join) await joinMembers(fleet, say);
}

async function applyObjects(fleet: Fleet): Promise<void> {
  const files = await readdir(CRDS);
  if (!files.some(file => file.endsWith(".yaml"))) throw new Error(`${CRDS}: there are no CRDs. ${GENERATE}`);
  await kubectl(fleet, ["apply", "--server-side", "-f", "-"], asYaml(operatorObjects()));
  await kubectl(fleet, ["apply", "--server-side", "-f", CRDS]);
  for (const file of ["rbac.yaml", "hold.yaml"]) {
    await kubectl(fleet, ["apply", "--server-side", "-f", "-"], await generated(file));
  }
  await kubectl(fleet, ["wait", "--for=condition=Established", "crd", "--all", "--timeout=30s"]);
}

async function writeOperatorKubeconfig(fleet: Fleet, dir: string): Promise<void> {
  const ask = ["create", "token", OPERATOR_ACCOUNT, "--namespace", OPERATOR_NAMESPACE, "--duration", "24h"];
  const token = (await kubectl(fleet, ask)).trim();
  const caData = await base64File(join(fleet.state.dir, "host"), "ca.crt");
  const { server } = host(fleet);
  const credentials = { kind: "token" as const, token };
  const text = renderKubeconfig({ cluster: "host", server, caData, user: OPERATOR_ACCOUNT, credentials });
  await writeFile(join(dir, "kubeconfig"), text, { mode: 0o600 });
}

async function bringProcess(fleet: Fleet, setup: Setup, name: "admission" | "watcher"): Promise<number> {
  const { dir, bundle, apiPath, env } = setup;
  const launchOn = ([port, metrics]: readonly number[]): Launch => ({
    argv: [process.execPath, ...SMALL_HEAP, "--require", join(ROOT, "hack/clusters/no-jitter.cjs"), bundle],
    cwd: ROOT,
    probe: { url: `https://127.0.0.1:${port}/healthz`, ca: join(dir, "ca.crt") },
    env: {
      KUBECONFIG: join(dir, "kubeconfig"),
      LOG_LEVEL: "info",
      PORT: String(port),
      HOLDFAST_METRICS_PORT: String(metrics),
      POD_NAMESPACE: OPERATOR_NAMESPACE,
      PEPR_API_PATH: apiPath,
      PEPR_WATCH_MODE: String(name === "watcher"),
      SSL_CERT_PATH: join(dir, "tls.crt"),
      SSL_KEY_PATH: join(dir, "tls.key"),
      ...env,
    },
  });
  const [port = 0, metrics = 0] = await fleet.bring(name, 2, launchOn);
  fleet.addMetrics(name, metrics);
  return port;
}

async function registerWebhooks(fleet: Fleet, endpoint: Parameters<typeof pointAtEndpoint>[1]): Promise<void> {
  const webhooks = parseWebhooks(await generated("webhooks.yaml")).map(each => pointAtEndpoint(each, endpoint));
  await kubectl(fleet, ["apply", "--server-side", "-f", "-"], asYaml(webhooks));
}

async function joinMembers(fleet: Fleet, say: Say): Promise<void> {
  const { host: hostAccess, ...members } = fleet.state.clusters;
  const names = Object.keys(members);
  say(`operator: joining ${names.join(", ")}`);
  await Promise.all(
    Object.entries(members).map(([name, member]) => {
      const kubeconfigs = ["--kubeconfig", hostAccess?.kubeconfig ?? "", "--cluster-kubeconfig", member.kubeconfig];
      const argv = [process.execPath, join(ROOT, "cli/holdfast.js"), "join", name, ...kubeconfigs];
      return runStep({ label: `joining ${name}`, argv }, say);
    }),
  );
  await until(`every cluster of ${names.join(", ")} is Ready`, async () => {
    const clusters = itemsOf(await ask(admin(fleet), "GET", "/apis/cluster.karmada.io/v1alpha1/clusters"));
    return clusters.filter(isReady).length >= names.length;
  });
}

function itemsOf({ status, body }: Answer): unknown[] {
  if (status !== 200 || typeof body !== "object" || body === null || !("items" in body)) return [];
  return Array.isArray(body.items) ? body.items : [];
}

async function generated(name: string): Promise<string> {
  const file = join(FILES, name);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new Error(`${file} is missing. ${GENERATE}`, { cause: error });
  }
}

function kubectl(fleet: Fleet, args: readonly string[], input?: string): Promise<string> {
  const { binaries, dir } = fleet.state;
  const common = ["--kubeconfig", host(fleet).kubeconfig, "--cache-dir", join(dir, "operator", "cache")];
  return runStep({
    label: `kubectl ${args.slice(0, 2).join(" ")}`,
    argv: [binaries.kubectl, ...common, ...args],
    input,
  });
}

function host(fleet: Fleet): { kubeconfig: string; server: string } {
  const access = fleet.state.clusters["host"];
  if (!access) throw new Error("the operator needs a host");
  return access;
}

function admin(fleet: Fleet): { server: string; dir: string } {
  return { server: host(fleet).server, dir: join(fleet.state.dir, "host") };
}
