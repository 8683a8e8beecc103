// With which flags and environment does each part of Argo CD run beside its cluster?

/** The namespace of Argo CD and of its Applications. */
export const ARGOCD_NAMESPACE = "argocd";

/** Where Argo CD keeps its files, and where its parts find each other: all on one address. */
export interface ArgoCdSite {
  readonly dir: string;
  readonly address: string;
  readonly redisPort: number;
  readonly repoServerPort: number;
}

/** A redis in memory; the second port answers HTTP once the first one is open. */
export function redisArgs(address: string, [port, health]: readonly number[]): string[] {
  return ["redis", `--address=${address}:${port}`, `--health-address=${address}:${health}`];
}

/** Clones and renders repositories; knows no cluster. */
export function repoServerArgs(
  { address, redisPort }: Omit<ArgoCdSite, "repoServerPort">,
  [port, metrics]: readonly number[],
): string[] {
  return [
    "argocd-repo-server",
    `--address=${address}`,
    `--port=${port}`,
    `--metrics-address=${address}`,
    `--metrics-port=${metrics}`,
    `--redis=${address}:${redisPort}`,
    "--disable-tls",
  ];
}

/** Judges and applies Applications. Its metrics, which are its health too, listen on every address: there is no flag for it. */
export function applicationControllerArgs(site: ArgoCdSite, metricsPort: number): string[] {
  return [
    "argocd-application-controller",
    ...clusterArgs(site),
    `--metrics-port=${metricsPort}`,
    // Each resource's health stands in the Application, beside its sync status.
    "--persist-resource-health",
  ];
}

/** The API behind Argo CD's own command line and pages. Without accounts: whoever reaches the port is its administrator. */
export function serverArgs(site: ArgoCdSite, [port, metrics]: readonly number[]): string[] {
  return [
    "argocd-server",
    ...clusterArgs(site),
    `--address=${site.address}`,
    `--port=${port}`,
    `--metrics-port=${metrics}`,
    "--insecure",
    "--disable-auth",
  ];
}

/** What all of them read from their environment; each keeps its temporary files in the directory of its clusters. */
export function argoCdEnv({ dir }: Pick<ArgoCdSite, "dir">, account?: string): Record<string, string> {
  return {
    // "In cluster" is then the cluster of KUBECONFIG: the parts run beside it, not in it.
    ...(account === undefined ? {} : { ARGOCD_FAKE_IN_CLUSTER: "true", KUBECONFIG: `${dir}/${account}.kubeconfig` }),
    ARGOCD_GPG_ENABLED: "false",
    ARGOCD_SSH_DATA_PATH: `${dir}/ssh`,
    ARGOCD_TLS_DATA_PATH: `${dir}/tls`,
    ARGOCD_PLUGINSOCKFILEPATH: `${dir}/plugins`,
    TMPDIR: `${dir}/tmp`,
  };
}

function clusterArgs({ address, redisPort, repoServerPort }: ArgoCdSite): string[] {
  return [
    `--namespace=${ARGOCD_NAMESPACE}`,
    `--redis=${address}:${redisPort}`,
    `--repo-server=${address}:${repoServerPort}`,
    "--repo-server-plaintext",
  ];
}
