// Is a certificate followed from its files to the servers, and half of one never?
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { keyPairFor } from "./key-pair-for-tests.js";
import { servingCertificate } from "./certificate.js";
import { silentLog } from "./log.js";
import type { KeyPair } from "./serving.js";

const DAY = 86_400;

async function followed(first?: KeyPair) {
  const dir = mkdtempSync(join(tmpdir(), "holdfast-certificate-"));
  const files = { certPath: join(dir, "tls.crt"), keyPath: join(dir, "tls.key") };
  const write = ({ cert, key }: KeyPair): void => {
    writeFileSync(files.certPath, cert);
    writeFileSync(files.keyPath, key);
  };
  if (first) write(first);
  const served: KeyPair[] = [];
  const certificate = servingCertificate(files, { useCertificate: pair => void served.push(pair) }, silentLog, 10);
  await certificate.start();
  onTestFinished(async () => {
    await certificate.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  return { certificate, served, write };
}

describe("servingCertificate", () => {
  it("gives each new pair to the servers, once", async () => {
    const [first, second] = [keyPairFor("a", 2), keyPairFor("b", 5)];
    const { certificate, served, write } = await followed(first);
    expect(Math.round((certificate.secondsLeft() ?? 0) / DAY)).toBe(2);

    write(second);
    await expect.poll(() => served.length).toBe(2);
    await new Promise(resolve => setTimeout(resolve, 50));

    expect(served).toEqual([first, second]);
    expect(Math.round((certificate.secondsLeft() ?? 0) / DAY)).toBe(5);
  });

  it("keeps what it has while certificate and key are not of one pair", async () => {
    const [first, second] = [keyPairFor("a", 2), keyPairFor("b", 5)];
    const { served, write } = await followed(first);

    write({ cert: second.cert, key: first.key });
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(served).toEqual([first]);

    write(second);
    await expect.poll(() => served.at(-1)).toEqual(second);
  });

  it("knows no end while there is no certificate", async () => {
    const { certificate, served } = await followed();
    expect({ served, left: certificate.secondsLeft() }).toEqual({ served: [], left: undefined });
  });
});
