// How does a Go module of ours become a binary, once per state of its sources?
import { access, mkdir, mkdtemp, readFile, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "../lock.mjs";
import { cacheDir, hashOf, type Source } from "./cache.js";
import { goProblem } from "./go.js";
import { runStep, type Say } from "./step.js";

/** One binary. `module` is its folder below hack, `main` the package; `minutes` says how long the first time takes. */
export interface GoBuild {
  readonly name: string;
  readonly module: string;
  readonly main: string;
  readonly ldflags: string;
  readonly minutes: string;
  /** What is in the module's folder and makes the binary what it is. */
  readonly sources: readonly string[];
}

const HACK = join(dirname(fileURLToPath(import.meta.url)), "..");
const DRAFT = "build-";
const HINT =
  "The build needs a Go toolchain and, the first time, a Go module proxy that `go` can reach: see `go env GOPROXY`.";

/**
 * Answers the directory where the binaries are, and builds first what is missing: below the user's cache, once per state
 * of the sources of all of them, under a lock, and never half (each is renamed into place when it is whole).
 * @throws Error that says what to install when Go is missing or too old.
 */
export async function ensureBuilds(builds: readonly GoBuild[], say: Say): Promise<string> {
  const dir = cacheDir(hashOf(await sourcesOf(builds)), process.env);
  if ((await missingIn(dir, builds)).length === 0) return dir;
  await mkdir(dir, { recursive: true });
  const waiting = (pid: number): void => say(`binaries: process ${pid} is building them, waiting for it`);
  await withLock(join(dir, "lock"), () => buildMissing(dir, builds, say), waiting);
  return dir;
}

async function buildMissing(dir: string, builds: readonly GoBuild[], say: Say): Promise<void> {
  const missing = await missingIn(dir, builds);
  if (missing.length > 0) await demandGo(builds, say);
  await dropDrafts(dir);
  for (const build of missing) await buildOne(dir, build, say);
}

async function buildOne(dir: string, build: GoBuild, say: Say): Promise<void> {
  say(`building ${build.name} from its Go modules into ${dir}: ${build.minutes} the first time, then seconds`);
  const draft = await mkdtemp(join(dir, DRAFT));
  try {
    const file = join(draft, build.name);
    const argv = ["go", "build", "-trimpath", "-buildvcs=false", "-ldflags", build.ldflags, "-o", file, build.main];
    const env = { CGO_ENABLED: "0", GOWORK: "off", GOFLAGS: "-mod=readonly" };
    await runStep({ label: `building ${build.name}`, argv, cwd: join(HACK, build.module), env, hint: HINT }, say);
    await rename(file, join(dir, build.name));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Who has the lock builds alone: a draft that is here was left by a builder that died. */
async function dropDrafts(dir: string): Promise<void> {
  const drafts = (await readdir(dir)).filter(name => name.startsWith(DRAFT));
  await Promise.all(drafts.map(name => rm(join(dir, name), { recursive: true, force: true })));
}

async function demandGo(builds: readonly GoBuild[], say: Say): Promise<void> {
  const mods = await Promise.all(builds.map(build => readFile(join(HACK, build.module, "go.mod"), "utf8")));
  const hint = "Install Go (https://go.dev/dl) and put it on the PATH: the clusters are built from its modules.";
  const ask = async (...argv: string[]): Promise<string> => runStep({ label: "asking for Go", argv, hint }, say);
  const problem = goProblem(await ask("go", "version"), await ask("go", "env", "GOTOOLCHAIN"), mods);
  if (problem) throw new Error(problem);
}

async function sourcesOf(builds: readonly GoBuild[]): Promise<Source[]> {
  const files = builds.flatMap(({ module, sources }) => sources.map(file => `${module}/${file}`));
  const read = files.map(async name => ({ name, content: await readFile(join(HACK, name), "utf8") }));
  const flags = builds.map(({ name, ldflags }) => ({ name: `${name} ldflags`, content: ldflags }));
  return [...(await Promise.all(read)), ...flags];
}

async function missingIn(dir: string, builds: readonly GoBuild[]): Promise<GoBuild[]> {
  const there = await Promise.all(builds.map(({ name }) => exists(join(dir, name))));
  return builds.filter((_, index) => !there[index]);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
