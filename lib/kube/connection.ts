// How to reach one API server: address, trust and credentials, from a kubeconfig or from a joined Cluster.
import { KubeConfig } from "@kubernetes/client-node";

/** Everything a client needs to open connections to one API server. */
export interface Connection {
  /** Base URL; may carry a path when the API server stands behind a proxy. */
  readonly server: string;
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly serverName?: string;
  readonly insecure?: boolean;
  /** URL of an HTTP proxy on the way. */
  readonly proxyUrl?: string;
  /** Extra headers for the proxy. */
  readonly proxyHeaders?: Readonly<Record<string, string>>;
  /** Extra headers for the API server, such as those of impersonation. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Asked once a minute, since service account tokens are rotated on disk, and after a `401`: then `refused` is true,
   * and what was remembered must be read anew.
   */
  readonly authorization?: (refused?: boolean) => Promise<string | undefined>;
}

interface HttpsOptions {
  ca?: string | Buffer;
  cert?: string | Buffer;
  key?: string | Buffer;
  servername?: string;
  rejectUnauthorized?: boolean;
  headers?: Record<string, unknown>;
  auth?: string;
}

/**
 * The current context of a kubeconfig as a connection. Client certificates, tokens, token files, exec plugins and the
 * in-cluster service account all go through client-node, which knows their formats.
 * @throws when the kubeconfig names no cluster.
 */
export async function connectionOf(config: KubeConfig): Promise<Connection> {
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new Error("kubeconfig: the current context names no cluster; set current-context");
  const options: HttpsOptions = {};
  await config.applyToHTTPSOptions(options as never);
  let current = config;
  return {
    server: cluster.server,
    ca: options.ca,
    cert: options.cert,
    key: options.key,
    serverName: options.servername,
    insecure: cluster.skipTLSVerify,
    proxyUrl: cluster.proxyUrl,
    headers: impersonationOf(options),
    authorization: async refused => {
      // client-node remembers a token file for a minute and an exec plugin's answer until it expires.
      if (refused) current = unread(current);
      const fresh: HttpsOptions = {};
      await current.applyToHTTPSOptions(fresh as never);
      return authorizationOf(fresh);
    },
  };
}

function unread({ clusters, users, contexts, currentContext }: KubeConfig): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({ clusters, users, contexts, currentContext });
  return config;
}

function authorizationOf(options: HttpsOptions): string | undefined {
  const header = options.headers?.["Authorization"] ?? options.headers?.["authorization"];
  // A token file may end in a newline, which no header can carry.
  if (typeof header === "string") return header.trim();
  return options.auth ? `Basic ${Buffer.from(options.auth).toString("base64")}` : undefined;
}

function impersonationOf(options: HttpsOptions): Record<string, string> {
  const found = Object.entries(options.headers ?? {}).filter(([name]) => name.toLowerCase().startsWith("impersonate-"));
  return Object.fromEntries(found.map(([name, value]) => [name, String(value)]));
}
