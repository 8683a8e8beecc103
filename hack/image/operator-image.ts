// How does the operator's image come about, as one file or as a directory?
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SMALL_HEAP } from "../clusters/operator.js";
import { ROOT } from "../clusters/bundle.js";
import type { Say } from "../clusters/step.js";
import { imageArchive, type ImageConfig } from "./archive.js";
import { ensureNode } from "./node-runtime.js";
import { MODULE, NODE, rootFiles, USER } from "./root.js";
import { tarOf } from "../../lib/domain/tar.js";

/** What was made. */
export interface MadeImage {
  readonly ref: string;
  /** `sha256:…` of the manifest: the same for the same sources, Node and libraries. */
  readonly digest: string;
  readonly bytes: number;
}

/** The program and the flags that a container starts with; the Dockerfile says the same. */
export const ENTRYPOINT: readonly string[] = [`/${NODE}`, ...SMALL_HEAP, `/${MODULE}`];

/** What a container's environment is before the chart adds to it. */
export const ENVIRONMENT: readonly string[] = ["PATH=/usr/local/bin", "NODE_ENV=production"];

/** The name that the image has unless another one is given. */
export async function defaultRef(): Promise<string> {
  return `localhost/holdfast:${await version()}`;
}

/**
 * Writes the image as an archive for `docker load`, `podman load` and `ctr images import`; no container engine is needed.
 * @throws Error that names what is missing on this machine, or what is wrong with the reference.
 */
export async function writeImage(out: string, ref: string, say: Say): Promise<MadeImage> {
  const node = await ensureNode(say);
  const { runtime, app } = await rootFiles(node, say);
  const config: ImageConfig = {
    ref,
    architecture: node.architecture,
    entrypoint: ENTRYPOINT,
    user: `${USER}:${USER}`,
    workingDir: "/app",
    env: ENVIRONMENT,
    labels: {
      "org.opencontainers.image.title": "holdfast",
      "org.opencontainers.image.version": await version(),
      "org.opencontainers.image.licenses": "Apache-2.0",
    },
  };
  const { content, digest } = imageArchive(config, [tarOf(runtime), tarOf(app)]);
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, content);
  return { ref, digest, bytes: content.length };
}

/**
 * Writes the image's root file system into a directory, as `runtime.tar` and `app.tar`, which the Dockerfile adds: an archive
 * keeps owners and modes whoever unpacks it.
 */
export async function writeLayers(dir: string, say: Say): Promise<void> {
  const { runtime, app } = await rootFiles(await ensureNode(say), say);
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "runtime.tar"), tarOf(runtime));
  await writeFile(join(dir, "app.tar"), tarOf(app));
}

async function version(): Promise<string> {
  const { version: own } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    readonly version: string;
  };
  return own;
}
