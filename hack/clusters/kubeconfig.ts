// What stands in a kubeconfig?

/** A way into one cluster. Certificates and keys are base64, so the file stands alone wherever it is copied. */
export interface Access {
  readonly cluster: string;
  readonly server: string;
  readonly caData: string;
  readonly user: string;
  readonly credentials:
    | { readonly kind: "certificate"; readonly certData: string; readonly keyData: string }
    | { readonly kind: "token"; readonly token: string };
}

/** The kubeconfig for one access, as JSON, which every reader of kubeconfigs takes for YAML. */
export function renderKubeconfig({ cluster, server, caData, user, credentials }: Access): string {
  const identity =
    credentials.kind === "token"
      ? { token: credentials.token }
      : { "client-certificate-data": credentials.certData, "client-key-data": credentials.keyData };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: cluster, cluster: { server, "certificate-authority-data": caData } }],
    users: [{ name: user, user: identity }],
    contexts: [{ name: cluster, context: { cluster, user } }],
    "current-context": cluster,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
