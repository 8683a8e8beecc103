// A certificate and its key, for tests of what serves them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeyPair } from "./serving.js";

const OPENSSL = "openssl";

/** Signed by itself, by the openssl command. @throws Error with openssl's words */
export function keyPairFor(name: string, days: number): KeyPair {
  const dir = mkdtempSync(join(tmpdir(), "holdfast-pair-"));
  try {
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", join(dir, "key")];
    const args = ["req", "-x509", ...key, "-days", String(days), "-subj", `/CN=${name}`, "-out", join(dir, "cert")];
    execFileSync(OPENSSL, args, { stdio: "pipe" });
    return { cert: readFileSync(join(dir, "cert")), key: readFileSync(join(dir, "key")) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
