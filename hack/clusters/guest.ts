// How does a tool that runs beside the host (Argo CD, Flux) bring its objects, and get the token of its own account?
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fleet } from "./fleet.js";
import { renderKubeconfig } from "./kubeconfig.js";
import { base64File } from "./pki.js";
import { runStep, type Say } from "./step.js";

/** A tool beside the host. `tool` is its name for people, `dir` where it keeps its files, `namespace` where it lives. */
export interface Guest {
  readonly tool: string;
  readonly dir: string;
  readonly namespace: string;
}

/** Runs kubectl on the host as its administrator; answers what it prints. @throws Error with kubectl's last words. */
export function kubectlFor(guest: Guest, fleet: Fleet, args: readonly string[], input?: string): Promise<string> {
  const common = ["--kubeconfig", hostOf(guest, fleet).kubeconfig, "--cache-dir", join(guest.dir, "cache")];
  const label = `kubectl ${args.slice(0, 2).join(" ")} for ${guest.tool}`;
  return runStep({ label, argv: [fleet.state.binaries.kubectl, ...common, ...args], input });
}

/** Writes `DIR/ACCOUNT.kubeconfig`: the way into the host with a token of that ServiceAccount, for a day. */
export async function writeAccountKubeconfig(guest: Guest, fleet: Fleet, account: string): Promise<void> {
  const ask = ["create", "token", account, "--namespace", guest.namespace, "--duration", "24h"];
  const token = (await kubectlFor(guest, fleet, ask)).trim();
  const caData = await base64File(join(fleet.state.dir, "host"), "ca.crt");
  const credentials = { kind: "token" as const, token };
  const { server } = hostOf(guest, fleet);
  const text = renderKubeconfig({ cluster: "host", server, caData, user: account, credentials });
  await writeFile(join(guest.dir, `${account}.kubeconfig`), text, { mode: 0o600 });
}

/**
 * Where Go keeps the files of a module, which are those of the release that is built: CRDs, roles.
 * @param module its path, with `@version` unless the go.mod in `cwd` says which
 * @throws Error when Go names no folder.
 */
export async function moduleFolder(module: string, cwd: string, say: Say): Promise<string> {
  const argv = ["go", "mod", "download", "-json", module];
  const env = { GOWORK: "off", GOFLAGS: "-mod=readonly" };
  const said = await runStep({ label: `finding the files of ${module}`, argv, cwd, env }, say);
  const { Dir: folder } = JSON.parse(said) as { readonly Dir?: string };
  if (!folder) throw new Error(`go mod download names no folder for ${module}: ${said}`);
  return folder;
}

function hostOf({ tool }: Guest, fleet: Fleet): { readonly kubeconfig: string; readonly server: string } {
  const host = fleet.state.clusters["host"];
  if (!host) throw new Error(`${tool} needs a host`);
  return host;
}
