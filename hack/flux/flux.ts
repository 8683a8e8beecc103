// How does the real kustomize-controller of Flux come up beside a host that runs already?
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Fleet } from "../clusters/fleet.js";
import { kubectlFor, writeAccountKubeconfig, type Guest } from "../clusters/guest.js";
import { asYaml } from "../clusters/operator-objects.js";
import type { Say } from "../clusters/step.js";
import { CONTROLLER, controllerArgs, controllerEnv, fluxObjects, FLUX_NAMESPACE } from "./components.js";
import type { FluxPrograms } from "./programs.js";

/**
 * Installs Flux's kinds and the controller's account, and starts the controller as a process with that account's token.
 * Nothing here fetches from Git: whoever makes a GitRepository writes its artifact into its status.
 * @throws Error when the controller does not become ready, with the end of its log.
 */
export async function bringFlux(fleet: Fleet, { controller, crds }: FluxPrograms, say: Say): Promise<void> {
  const dir = join(fleet.state.dir, "flux");
  await rm(dir, { recursive: true, force: true });
  await mkdir(join(dir, "tmp"), { recursive: true });
  say("flux: starting kustomize-controller");
  await install({ tool: "Flux", dir, namespace: FLUX_NAMESPACE }, fleet, crds);
  const site = { dir, address: fleet.address };
  await fleet.bring(CONTROLLER, 2, ports => ({
    argv: [controller, ...controllerArgs(site, ports)],
    env: controllerEnv(site),
    probe: { url: `http://${site.address}:${ports[1]}/readyz` },
  }));
}

async function install(guest: Guest, fleet: Fleet, crds: readonly string[]): Promise<void> {
  const apply = ["apply", "--server-side", "-f"];
  for (const folder of crds) await kubectlFor(guest, fleet, [...apply, folder]);
  await kubectlFor(guest, fleet, [...apply, "-"], asYaml(fluxObjects()));
  await kubectlFor(guest, fleet, ["wait", "--for=condition=Established", "crd", "--all", "--timeout=30s"]);
  await writeAccountKubeconfig(guest, fleet, CONTROLLER);
}
