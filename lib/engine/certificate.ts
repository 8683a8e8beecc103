// Which certificate do the webhooks serve, and for how much longer is it good?
import { X509Certificate, createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { messageOf } from "../kube/errors.js";
import type { Logger } from "./log.js";
import type { Runnable } from "./runnable.js";
import type { KeyPair, Serving } from "./serving.js";

/** Where certificate and key are. */
export interface CertificateFiles {
  readonly certPath: string;
  readonly keyPath: string;
}

/** A certificate that is followed from file to servers. */
export interface ServingCertificate extends Runnable {
  /** Until the certificate in use ends, in seconds; below zero afterwards, `undefined` while none could be read. */
  secondsLeft(): number | undefined;
}

/** A kubelet brings a changed Secret within a minute or so; a look costs two small reads. */
const LOOK_MS = 10_000;

/**
 * Looks at the files again and again, and gives a pair that is new and whole to the servers: nothing is restarted and no
 * connection ends. A pair that does not fit together (the files are being replaced) waits for the next look.
 */
export function servingCertificate(
  files: CertificateFiles,
  serving: Pick<Serving, "useCertificate">,
  log: Logger,
  everyMs = LOOK_MS,
): ServingCertificate {
  let current: KeyPair | undefined;
  let endsAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastError = "";

  async function look(): Promise<void> {
    try {
      take(await readPair(files));
      lastError = "";
    } catch (error) {
      const message = messageOf(error);
      // Once, and not every few seconds.
      if (message !== lastError) log.warn("serving certificate not read", { ...files, error: message });
      lastError = message;
    }
  }

  function take(pair: KeyPair): void {
    if (current?.cert.equals(pair.cert) && current.key.equals(pair.key)) return;
    const certificate = new X509Certificate(pair.cert);
    if (!certificate.checkPrivateKey(createPrivateKey(pair.key))) throw new Error("the key is not the certificate's");
    serving.useCertificate(pair);
    log.info(current ? "serving certificate renewed" : "serving certificate read", { until: certificate.validTo });
    current = pair;
    endsAt = Date.parse(certificate.validTo);
  }

  return {
    async start() {
      await look();
      timer = setInterval(() => void look(), everyMs);
      timer.unref();
    },
    stop: async () => clearInterval(timer),
    secondsLeft: () => (endsAt === undefined ? undefined : (endsAt - Date.now()) / 1000),
  };
}

async function readPair({ certPath, keyPath }: CertificateFiles): Promise<KeyPair> {
  const [cert, key] = await Promise.all([readFile(certPath), readFile(keyPath)]);
  return { cert, key };
}
