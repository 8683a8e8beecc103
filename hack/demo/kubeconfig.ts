// How does one kubeconfig speak to all clusters of the demo?

interface Named {
  readonly name: string;
}

interface Kubeconfig {
  readonly clusters: readonly Named[];
  readonly users: readonly Named[];
  readonly contexts: readonly Named[];
}

/**
 * Joins the kubeconfigs of several clusters, as JSON.
 * @param files what stands in each file, by the name that its context gets; each has one cluster and one user.
 * @param current the context that commands without `--context` mean.
 */
export function mergeKubeconfigs(files: Readonly<Record<string, string>>, current: string): string {
  const parts = Object.entries(files).map(([name, text]) => renamed(JSON.parse(text) as Kubeconfig, name));
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: parts.flatMap(part => part.clusters),
    users: parts.flatMap(part => part.users),
    contexts: parts.flatMap(part => part.contexts),
    "current-context": current,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Users of different clusters have the same name; in one file they would be one user. */
function renamed({ clusters, users }: Kubeconfig, name: string): Kubeconfig {
  return {
    clusters: clusters.map(cluster => ({ ...cluster, name })),
    users: users.map(user => ({ ...user, name })),
    contexts: [{ name, context: { cluster: name, user: name } } as Named],
  };
}
