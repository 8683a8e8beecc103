// How does a person make the operator's image, without a container engine?
import { resolve } from "node:path";
import { Command } from "commander";
import { sayToStderr } from "./clusters/step.js";
import { defaultRef, writeImage, writeLayers } from "./image/operator-image.js";

interface Flags {
  readonly out?: string;
  readonly ref?: string;
  readonly layers?: string;
}

/** npm runs scripts in the repository; a relative path is meant from where the person stands. */
function placeOf(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? process.cwd(), path);
}

async function make({ out, ref, layers }: Flags): Promise<void> {
  if (out === undefined && layers === undefined) throw new Error("say what to write: --out FILE.tar, or --layers DIR");
  if (layers !== undefined) {
    await writeLayers(placeOf(layers), sayToStderr);
    process.stdout.write(`layers: ${placeOf(layers)}\n`);
  }
  if (out === undefined) return;
  const made = await writeImage(placeOf(out), ref ?? (await defaultRef()), sayToStderr);
  const lines = [`ref:    ${made.ref}`, `digest: ${made.digest}`, `size:   ${(made.bytes / 1e6).toFixed(1)} MB`];
  process.stdout.write(`${lines.join("\n")}\n`);
}

const program = new Command("image")
  .description("the operator's image, made without a container engine")
  .option("--out <file>", "write an archive for docker load, podman load, ctr images import")
  .option("--ref <ref>", "its name and tag; localhost/holdfast with this version unless said otherwise")
  .option("--layers <dir>", "write the root file system, as archives that the Dockerfile adds")
  .action(make);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
