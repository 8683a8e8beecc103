// Which keys and certificates does one control plane have?
import { generateKeyPairSync } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { apiServiceAddress, type Site } from "./components.js";
import { nodeName } from "./node.js";
import { runStep } from "./step.js";

/** A certificate to sign: file name without ending, RFC 4514 parts as openssl writes them, and names it serves. */
export interface CertificateRequest {
  readonly name: string;
  readonly subject: string;
  readonly serves?: string;
}

const LOOPBACK = "IP:127.0.0.1,DNS:localhost";

/** Who talks in a control plane. The names in the subjects are what Kubernetes' own RBAC rules bind to. */
export function controlPlaneCertificates({ name, index, address, realNode }: Site): CertificateRequest[] {
  const addresses = [...new Set([address, apiServiceAddress(index)])].map(each => `IP:${each}`);
  const serves = [LOOPBACK, ...addresses, "DNS:kubernetes.default.svc"].join(",");
  const node = [
    { name: "kubelet", subject: `/O=system:nodes/CN=system:node:${nodeName(name)}` },
    { name: "kube-proxy", subject: "/CN=system:kube-proxy" },
  ];
  return [
    { name: "apiserver", subject: "/CN=kube-apiserver", serves },
    { name: "admin", subject: "/O=system:masters/CN=admin" },
    { name: "controller-manager", subject: "/CN=system:kube-controller-manager" },
    { name: "scheduler", subject: "/CN=system:kube-scheduler" },
    ...(realNode ? node : []),
  ];
}

/** What Pepr's two processes serve their webhooks with. */
export const WEBHOOK_CERTIFICATES: readonly CertificateRequest[] = [
  { name: "tls", subject: "/CN=holdfast", serves: LOOPBACK },
];

const HINT = "Install OpenSSL 3 (the openssl command) and put it on the PATH: it signs the clusters' certificates.";
const DAYS = "3650";

/**
 * Writes `ca.crt`, `ca.key` and a `.crt` and `.key` for each request into `dir`; EC keys, so it takes milliseconds.
 * @throws Error that says what to install when openssl is missing or too old to sign in one step.
 */
export async function writeCertificates(
  dir: string,
  ca: string,
  requests: readonly CertificateRequest[],
): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await openssl(dir, ["-keyout", "ca.key", "-out", "ca.crt", "-subj", `/CN=${ca}`]);
  await Promise.all(requests.map(request => openssl(dir, requestArgs(request))));
}

/** One EC key, written in PEM, that serves both to sign and to check ServiceAccount tokens. */
export async function writeServiceAccountKey(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await writeFile(file, privateKey.export({ type: "sec1", format: "pem" }), { mode: 0o600 });
}

/** The file's content as the `…-data` fields of a kubeconfig and a caBundle hold it. */
export async function base64File(dir: string, name: string): Promise<string> {
  return (await readFile(join(dir, name))).toString("base64");
}

function requestArgs({ name, subject, serves }: CertificateRequest): string[] {
  const extensions = ["basicConstraints=CA:FALSE", "extendedKeyUsage=serverAuth,clientAuth"];
  if (serves) extensions.push(`subjectAltName=${serves}`);
  const files = ["-CA", "ca.crt", "-CAkey", "ca.key", "-keyout", `${name}.key`, "-out", `${name}.crt`];
  return [...files, "-subj", subject, ...extensions.flatMap(extension => ["-addext", extension])];
}

async function openssl(cwd: string, args: readonly string[]): Promise<void> {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const argv = ["openssl", "req", "-x509", ...key, "-days", DAYS, ...args];
  await runStep({ label: "making certificates", argv, cwd, hint: HINT });
}
