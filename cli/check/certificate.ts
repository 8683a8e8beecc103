// How long is the certificate good that admission serves?
import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import type { KubeObject } from "../../crds/object.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { SECRETS } from "../../lib/kube/kinds.js";
import { ResourceClient } from "../../lib/kube/resource.js";
import { broken, doubtful, fine, unseen, type Finding } from "./finding.js";

const CHECK = "certificate";
const DAY_MS = 24 * 3600_000;
/** As the alert HoldfastCertificateEnds. */
const SOON_DAYS = 14;
const FIX = "helm upgrade renews a certificate that helm made; with cert-manager see certificate holdfast-webhook";

/** Where the API server finds admission. */
interface ClientConfig {
  readonly url?: string;
  readonly service?: { readonly name: string; readonly namespace: string };
}

/** What the host has of admission: its configuration, and its Deployment where it has one. */
export interface AdmissionObjects {
  readonly webhooks: KubeObject | undefined;
  readonly deployment: KubeObject | undefined;
}

/** Reads the public half of the certificate: from the Secret that admission's pods mount, or over the wire. */
export async function certificateFinding(client: KubeClient, admission: AdmissionObjects): Promise<Finding> {
  try {
    const certificate = await certificateOf(client, admission);
    if (certificate) return judge(certificate.validTo, Date.now());
    const fix = "metric webhook_cert_expiry_seconds of admission tells";
    return doubtful(CHECK, "nothing here says which one admission serves", fix);
  } catch (error) {
    return unseen(CHECK, error instanceof Error ? error.message : String(error));
  }
}

async function certificateOf(client: KubeClient, { webhooks, deployment }: AdmissionObjects) {
  const { url } = clientConfigIn(webhooks) ?? {};
  if (url) return served(new URL(url));
  const name = secretIn(deployment);
  const namespace = deployment?.metadata.namespace;
  if (!name) return undefined;
  const secret = await new ResourceClient(client, SECRETS).find({ namespace, name });
  const data = secret?.["data"] as Readonly<Record<string, string>> | undefined;
  if (!data?.["tls.crt"]) throw new Error(`Secret ${namespace}/${name} has no tls.crt`);
  return new X509Certificate(Buffer.from(data["tls.crt"], "base64"));
}

function clientConfigIn(webhooks: KubeObject | undefined): ClientConfig | undefined {
  const list = webhooks?.["webhooks"] as readonly { readonly clientConfig: ClientConfig }[] | undefined;
  return list?.[0]?.clientConfig;
}

interface PodTemplate {
  readonly template?: {
    readonly spec?: {
      readonly volumes?: readonly { readonly name: string; readonly secret?: { secretName?: string } }[];
    };
  };
}

function secretIn(deployment: KubeObject | undefined): string | undefined {
  const volumes = (deployment?.["spec"] as PodTemplate | undefined)?.template?.spec?.volumes;
  return volumes?.find(({ name }) => name === "tls")?.secret?.secretName;
}

/** Whatever it is, and whoever signed it: only its end is asked for. */
function served({ hostname, port }: URL): Promise<X509Certificate | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 443), rejectUnauthorized: false, timeout: 5_000 });
    socket.once("secureConnect", () => {
      resolve(socket.getPeerX509Certificate());
      socket.destroy();
    });
    socket.once("timeout", () => socket.destroy(new Error(`${hostname}:${port} does not answer`)));
    socket.once("error", reject);
  });
}

/** Pure. `validTo` as OpenSSL writes it. */
export function judge(validTo: string, now: number): Finding {
  const days = Math.floor((Date.parse(validTo) - now) / DAY_MS);
  if (days < 0) return broken(CHECK, `ended on ${validTo}: every change of a policy is refused`, FIX);
  const message = `good for ${days} days, until ${validTo}`;
  return days < SOON_DAYS ? broken(CHECK, message, FIX) : fine(CHECK, message);
}
