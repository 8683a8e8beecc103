// How does the real Argo CD come up beside a host that runs already?
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Fleet } from "../clusters/fleet.js";
import { kubectlFor, writeAccountKubeconfig } from "../clusters/guest.js";
import { asYaml } from "../clusters/operator-objects.js";
import type { Say } from "../clusters/step.js";
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
  const guest = { tool: "Argo CD", dir, namespace: ARGOCD_NAMESPACE };
  const kubectl = (args: readonly string[], input?: string) => kubectlFor(guest, fleet, args, input);
  const apply = ["apply", "--server-side", "--namespace", ARGOCD_NAMESPACE];
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: ARGOCD_NAMESPACE } };
  await kubectl(["apply", "--server-side", "-f", "-"], asYaml([namespace]));
  for (const folder of FOLDERS) await kubectl([...apply, "-k", join(manifests, folder)]);
  await kubectl([...apply, ...SERVER_ROLES.flatMap(file => ["-f", join(manifests, file)])]);
  await kubectl([...apply, "-k", join(manifests, "cluster-rbac/server")]);
  await kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=30s"]);
  await Promise.all([CONTROLLER, SERVER].map(account => writeAccountKubeconfig(guest, fleet, account)));
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
