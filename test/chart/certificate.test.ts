// Is a certificate that helm makes kept, renewed in time, and trusted throughout?
import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { told } from "../integration/support/round-trip.js";
import { CHART, helm, UNANSWERED } from "./support/helm.js";
import { withoutWebhooks } from "./support/operator.js";

const NAMESPACE = "holdfast-system";
const RELEASE = ["holdfast", "--namespace", NAMESPACE];
const LATER = "holdfast.dev/not-after";

interface Found {
  readonly leaf: X509Certificate;
  readonly ca: X509Certificate;
  /** Whom the API server trusts. */
  readonly trusted: readonly X509Certificate[];
}

async function found(): Promise<Found> {
  const read = async (kind: string, name: string, path: string): Promise<Buffer> =>
    Buffer.from(await told("host", ["get", kind, name, "-n", NAMESPACE, "-o", `jsonpath=${path}`]), "base64");
  const [leaf, ca, bundle] = await Promise.all([
    read("secret", "holdfast-tls", "{.data.tls\\.crt}"),
    read("secret", "holdfast-ca", "{.data.tls\\.crt}"),
    read("validatingwebhookconfiguration", "holdfast", "{.webhooks[0].clientConfig.caBundle}"),
  ]);
  const trusted = bundle.toString().match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? [];
  return {
    leaf: new X509Certificate(leaf),
    ca: new X509Certificate(ca),
    trusted: trusted.map(pem => new X509Certificate(pem)),
  };
}

/** A certificate, as if it were about to end. */
const almostOver = (secret: string): Promise<string> => {
  const soon = Math.floor(Date.now() / 1000) + 86_400;
  return told("host", ["annotate", "--overwrite", "secret", secret, "-n", NAMESPACE, `${LATER}=${soon}`]);
};

const isTrusted = ({ leaf, trusted }: Found): boolean => trusted.some(ca => leaf.verify(ca.publicKey));
const upgrade = (): Promise<string> => helm("upgrade", ...RELEASE, CHART, ...UNANSWERED);

describe("a certificate made by helm", () => {
  beforeAll(async () => {
    await withoutWebhooks();
    await helm("install", ...RELEASE, CHART, "--take-ownership", ...UNANSWERED);
  });

  afterAll(() => helm("uninstall", ...RELEASE, "--no-hooks"));

  it("is for the Service, good for three years, and trusted", async () => {
    const now = await found();
    expect(now.leaf.checkHost(`holdfast-admission.${NAMESPACE}.svc`)).toBeDefined();
    expect((Date.parse(now.leaf.validTo) - Date.now()) / 86_400_000).toBeCloseTo(1095, 0);
    expect(isTrusted(now)).toBe(true);
  });

  it("is kept by an upgrade", async () => {
    const before = await found();
    await upgrade();
    expect((await found()).leaf.fingerprint256).toBe(before.leaf.fingerprint256);
  });

  it("is renewed by an upgrade near its end, by the same CA", async () => {
    const before = await found();
    await almostOver("holdfast-tls");
    await upgrade();

    const after = await found();
    expect(after.leaf.fingerprint256).not.toBe(before.leaf.fingerprint256);
    expect(after.ca.fingerprint256).toBe(before.ca.fingerprint256);
    expect(isTrusted(after)).toBe(true);
  });

  it("is trusted beside its successor when the CA is renewed too", async () => {
    const before = await found();
    await almostOver("holdfast-ca");
    await upgrade();

    const after = await found();
    expect(after.ca.fingerprint256).not.toBe(before.ca.fingerprint256);
    expect(after.trusted).toHaveLength(2);
    expect(isTrusted(after)).toBe(true);
    // Pods serve the old one until the kubelet has brought the new one.
    expect(isTrusted({ ...after, leaf: before.leaf })).toBe(true);
  });
});
