// How does pepr.ts become one file that node can run?
import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The root of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/**
 * Bundles the operator; npm packages stay outside, as in Pepr's own build, so the file must lie below the repository.
 * @param nameOf the file's name in dist/, from a hash of its content: a running operator's file is never rewritten.
 * @returns its absolute path. @throws Error with esbuild's words when the sources do not bundle.
 */
export async function bundleOperator(nameOf: (hash: string) => string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["pepr.ts"],
    bundle: true,
    packages: "external",
    platform: "node",
    target: "node20",
    format: "cjs",
    write: false,
    outfile: "dist/pepr.cjs",
    logLevel: "silent",
  });
  const content = outputFiles[0]?.contents ?? new Uint8Array();
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
  const file = join(ROOT, "dist", nameOf(hash));
  await mkdir(dirname(file), { recursive: true });
  // Two sets of clusters may come up at the same time, in one process too.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, content);
  await rename(draft, file);
  return file;
}
