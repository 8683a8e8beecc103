// Are the Kubernetes binaries here, and if not, how are they made?
import { access, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "../lock.mjs";
import { cacheDir, hashOf, type Source } from "./cache.js";
import { goProblem } from "./go.js";
import { runStep, sayToStderr, type Say } from "./step.js";

/** Absolute paths of what the clusters run. `kubectl` is a link to `kubernetes`, which looks at its own name. */
export interface Binaries {
  readonly kubernetes: string;
  readonly kubectl: string;
  readonly kwok: string;
}

const HACK = join(dirname(fileURLToPath(import.meta.url)), "..");
const VERSION = "k8s.io/component-base/version";
// The modules are linked, not released: without these flags the API server says v0.0.0 and kubectl warns of skew.
const LDFLAGS = `-s -w -X ${VERSION}.gitVersion=v1.34.4 -X ${VERSION}.gitMajor=1 -X ${VERSION}.gitMinor=34`;

const BUILDS = [
  { name: "kubernetes", module: "kubernetes", main: ".", ldflags: LDFLAGS, minutes: "3 to 5 minutes" },
  { name: "kwok", module: "kwok", main: "sigs.k8s.io/kwok/cmd/kwok", ldflags: "-s -w", minutes: "1 to 2 minutes" },
] as const;

const SOURCES = ["kubernetes/go.mod", "kubernetes/go.sum", "kubernetes/main.go", "kwok/go.mod", "kwok/go.sum"];

const DRAFT = "build-";

const HINT =
  "The build needs a Go toolchain and, the first time, a Go module proxy that `go` can reach: see `go env GOPROXY`.";

/**
 * Answers where the binaries are, and builds first what is missing: below the user's cache, once per state of the
 * sources, under a lock, and never half (each binary is renamed into place when it is whole).
 * @throws Error that says what to install when Go is missing or too old.
 */
export async function ensureBinaries(say: Say = sayToStderr): Promise<Binaries> {
  const dir = cacheDir(hashOf(await sources()), process.env);
  const binaries = { kubernetes: join(dir, "kubernetes"), kubectl: join(dir, "kubectl"), kwok: join(dir, "kwok") };
  if (await allExist(Object.values(binaries))) return binaries;

  await mkdir(dir, { recursive: true });
  const waiting = (pid: number): void => say(`binaries: process ${pid} is building them, waiting for it`);
  await withLock(join(dir, "lock"), () => buildMissing(dir, say), waiting);
  return binaries;
}

async function buildMissing(dir: string, say: Say): Promise<void> {
  const missing: (typeof BUILDS)[number][] = [];
  for (const build of BUILDS) if (!(await allExist([join(dir, build.name)]))) missing.push(build);
  if (missing.length > 0) await demandGo(say);
  await dropDrafts(dir);
  for (const build of missing) await buildOne(dir, build, say);
  if (!(await allExist([join(dir, "kubectl")]))) await symlink("kubernetes", join(dir, "kubectl"));
}

async function buildOne(dir: string, build: (typeof BUILDS)[number], say: Say): Promise<void> {
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

async function demandGo(say: Say): Promise<void> {
  const mods = await Promise.all(BUILDS.map(build => readFile(join(HACK, build.module, "go.mod"), "utf8")));
  const hint = "Install Go (https://go.dev/dl) and put it on the PATH: the clusters are built from its modules.";
  const ask = async (...argv: string[]): Promise<string> => runStep({ label: "asking for Go", argv, hint }, say);
  const problem = goProblem(await ask("go", "version"), await ask("go", "env", "GOTOOLCHAIN"), mods);
  if (problem) throw new Error(problem);
}

async function sources(): Promise<Source[]> {
  const files = SOURCES.map(async name => ({ name, content: await readFile(join(HACK, name), "utf8") }));
  const flags = BUILDS.map(({ name, ldflags }) => ({ name: `${name} ldflags`, content: ldflags }));
  return [...(await Promise.all(files)), ...flags];
}

async function allExist(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    paths.map(path =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}
