// With which flags and environment does Flux's kustomize-controller run beside its cluster?

/** The namespace of Flux, as its own release has it. */
export const FLUX_NAMESPACE = "flux-system";

/** The name of the controller: of its process, its ServiceAccount and its field manager. */
export const CONTROLLER = "kustomize-controller";

/** Where the controller keeps its files, and where it listens. */
export interface FluxSite {
  readonly dir: string;
  readonly address: string;
}

/** It builds what Git holds, applies it, and judges it. The second port answers HTTP once it is up. */
export function controllerArgs({ address }: FluxSite, [metrics, health]: readonly number[]): string[] {
  return [
    `--metrics-addr=${address}:${metrics}`,
    `--health-addr=${address}:${health}`,
    "--watch-all-namespaces=true",
    "--log-level=info",
    "--log-encoding=json",
    // By default it looks again only after half a minute whether what it depends on is ready.
    "--requeue-dependency=2s",
    // Files are on this machine: they are there or they are not.
    "--http-retry=2",
    "--no-remote-bases=true",
  ];
}

/** Its way into the cluster, and a place of its own for what it unpacks. */
export function controllerEnv({ dir }: FluxSite): Record<string, string> {
  return {
    KUBECONFIG: `${dir}/${CONTROLLER}.kubeconfig`,
    RUNTIME_NAMESPACE: FLUX_NAMESPACE,
    TMPDIR: `${dir}/tmp`,
  };
}

/** What `flux install` makes beside its kinds and its pods: the namespace, and an account that may do everything. */
export function fluxObjects(): Readonly<Record<string, unknown>>[] {
  const subjects = [{ kind: "ServiceAccount", name: CONTROLLER, namespace: FLUX_NAMESPACE }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" };
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: FLUX_NAMESPACE } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: CONTROLLER, namespace: FLUX_NAMESPACE } },
    {
      ...{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding" },
      ...{ metadata: { name: `cluster-reconciler-${FLUX_NAMESPACE}` }, roleRef, subjects },
    },
  ];
}
