// How does the real Argo CD come up beside a host that runs already?
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fleet } from "../clusters/fleet.js";
import { renderKubeconfig } from "../clusters/kubeconfig.js";
import { asYaml } from "../clusters/operator-objects.js";
import { base64File } from "../clusters/pki.js";
import { runStep, type Say } from "../clusters/step.js";
import {
  applicationControllerArgs,
  argoCdEnv,
  ARGOCD_NAMESPACE,
  redisArgs,
  repoServerArgs,
  serverArgs,
  type ArgoCdSite,
} from "./components.js";
import type { ArgoCdPrograms } from "./programs.js";

const CONTROLLER = "argocd-application-controller";
const SERVER = "argocd-server";

// Argo CD's own words about its accounts, its settings and its kinds, without the pods, which are processes here.
const FOLDERS = ["crds", "base/config", "base/application-controller-roles", "cluster-rbac/application-controller"];
const SERVER_ROLES = ["role", "rolebinding", "sa"].map(name => `base/server/argocd-server-${name}.yaml`);

/**
 * Installs what `kubectl apply` of a release would, but for the pods, and starts its parts as processes: each with the
 * token of its own ServiceAccount.
 * @throws Error when a part does not become ready, with the end of its log.
 */
export async function bringArgoCd(fleet: Fleet, { argocd, manifests }: ArgoCdPrograms, say: Say): Promise<void> {
  const dir = join(fleet.state.dir, "argocd");
  await rm(dir, { recursive: true, force: true });
  await Promise.all(["tmp", "ssh", "tls", "plugins"].map(name => mkdir(join(dir, name), { recursive: true })));
  say("argocd: starting redis, repo server, application controller and server");
  const [redisPort] = await Promise.all([bringRedis(fleet, argocd), install(fleet, manifests, dir)]);
  const where = { dir, address: fleet.address, redisPort };
  const site = { ...where, repoServerPort: await bringRepoServer(fleet, argocd, where) };
  await bringServer(fleet, argocd, site);
  await bringController(fleet, argocd, site);
}

async function install(fleet: Fleet, manifests: string, dir: string): Promise<void> {
  const apply = ["apply", "--server-side", "--namespace", ARGOCD_NAMESPACE];
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: ARGOCD_NAMESPACE } };
  await kubectl(fleet, ["apply", "--server-side", "-f", "-"], asYaml([namespace]));
  for (const folder of FOLDERS) await kubectl(fleet, [...apply, "-k", join(manifests, folder)]);
  await kubectl(fleet, [...apply, ...SERVER_ROLES.flatMap(file => ["-f", join(manifests, file)])]);
  await kubectl(fleet, [...apply, "-k", join(manifests, "cluster-rbac/server")]);
  await kubectl(fleet, ["wait", "--for=condition=Established", "crd", "--all", "--timeout=30s"]);
  await Promise.all([CONTROLLER, SERVER].map(account => writeKubeconfig(fleet, dir, account)));
}

async function writeKubeconfig(fleet: Fleet, dir: string, account: string): Promise<void> {
  const ask = ["create", "token", account, "--namespace", ARGOCD_NAMESPACE, "--duration", "24h"];
  const token = (await kubectl(fleet, ask)).trim();
  const caData = await base64File(join(fleet.state.dir, "host"), "ca.crt");
  const credentials = { kind: "token" as const, token };
  const { server } = hostOf(fleet);
  const text = renderKubeconfig({ cluster: "host", server, caData, user: account, credentials });
  await writeFile(join(dir, `${account}.kubeconfig`), text, { mode: 0o600 });
}

async function bringRedis(fleet: Fleet, argocd: string): Promise<number> {
  const [port = 0] = await fleet.bring("argocd-redis", 2, ports => ({
    argv: [argocd, ...redisArgs(fleet.address, ports)],
    probe: { url: `http://${fleet.address}:${ports[1]}/` },
  }));
  return port;
}

async function bringRepoServer(fleet: Fleet, argocd: string, site: Omit<ArgoCdSite, "repoServerPort">) {
  const [port = 0] = await fleet.bring("argocd-repo-server", 2, ports => ({
    argv: [argocd, ...repoServerArgs(site, ports)],
    env: argoCdEnv(site),
    probe: { url: `http://${site.address}:${ports[1]}/healthz` },
  }));
  return port;
}

async function bringController(fleet: Fleet, argocd: string, site: ArgoCdSite): Promise<void> {
  await fleet.bring(CONTROLLER, 1, ([port = 0]) => ({
    argv: [argocd, ...applicationControllerArgs(site, port)],
    env: argoCdEnv(site, CONTROLLER),
    probe: { url: `http://${site.address}:${port}/healthz` },
  }));
}

async function bringServer(fleet: Fleet, argocd: string, site: ArgoCdSite): Promise<void> {
  const [port = 0] = await fleet.bring(SERVER, 2, ports => ({
    argv: [argocd, ...serverArgs(site, ports)],
    env: argoCdEnv(site, SERVER),
    probe: { url: `http://${site.address}:${ports[0]}/healthz` },
  }));
  fleet.addArgoCd(`http://${site.address}:${port}`);
}

function kubectl(fleet: Fleet, args: readonly string[], input?: string): Promise<string> {
  const { binaries, dir } = fleet.state;
  const common = ["--kubeconfig", hostOf(fleet).kubeconfig, "--cache-dir", join(dir, "argocd", "cache")];
  const label = `kubectl ${args.slice(0, 2).join(" ")} for Argo CD`;
  return runStep({ label, argv: [binaries.kubectl, ...common, ...args], input });
}

function hostOf(fleet: Fleet): { readonly kubeconfig: string; readonly server: string } {
  const host = fleet.state.clusters["host"];
  if (!host) throw new Error("Argo CD needs a host");
  return host;
}
