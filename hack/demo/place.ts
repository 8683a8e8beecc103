// Where does the demo live, so that its commands work as they are shown?
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Env } from "../clusters/index.js";
import { mergeKubeconfigs } from "./kubeconfig.js";

/** What a shell needs to run the demo's commands. */
export interface Place {
  /** The commands' directory: `kubectl`, `holdfast` and `kubectl-holdfast`. */
  readonly bin: string;
  /** One kubeconfig with a context per cluster; the host is the current one. */
  readonly kubeconfig: string;
}

/** Puts commands and kubeconfig into the clusters' directory. `root` is the repository. */
export function preparePlace({ dir, kubectl, host, members }: Env, root: string): Place {
  const bin = join(dir, "bin");
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin);
  symlinkSync(kubectl, join(bin, "kubectl"));
  for (const name of ["holdfast", "kubectl-holdfast"]) symlinkSync(join(root, "cli", "holdfast.js"), join(bin, name));
  const kubeconfig = join(dir, "kubeconfig");
  const files = Object.entries({ host, ...members }).map(([name, access]) => [
    name,
    readFileSync(access.kubeconfig, "utf8"),
  ]);
  writeFileSync(kubeconfig, mergeKubeconfigs(Object.fromEntries(files), "host"), { mode: 0o600 });
  return { bin, kubeconfig };
}

/** The environment of a shell at this place. A person's kubectl settings and caches are left alone, and out. */
export function shellEnv({ bin, kubeconfig }: Place, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...env,
    PATH: `${bin}${delimiter}${env["PATH"] ?? "/usr/bin:/bin"}`,
    KUBECONFIG: kubeconfig,
    KUBECACHEDIR: join(bin, "..", "cache"),
    KUBERC: "off",
  };
}
