// Are the programs that clusters consist of here, and those that people use with them?
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { ensureBuilds, type GoBuild } from "./go-build.js";
import { sayToStderr, type Say } from "./step.js";

/** Absolute paths of what the clusters run. `kubectl` is a link to `kubernetes`, which looks at its own name. */
export interface Binaries {
  readonly kubernetes: string;
  readonly kubectl: string;
  readonly kwok: string;
}

const VERSION = "k8s.io/component-base/version";
// The modules are linked, not released: without these flags the API server says v0.0.0 and kubectl warns of skew.
const LDFLAGS = `-s -w -X ${VERSION}.gitVersion=v1.34.4 -X ${VERSION}.gitMajor=1 -X ${VERSION}.gitMinor=34`;

const CLUSTERS: readonly GoBuild[] = [
  {
    ...{ name: "kubernetes", module: "kubernetes", main: ".", ldflags: LDFLAGS, minutes: "3 to 5 minutes" },
    sources: ["go.mod", "go.sum", "main.go"],
  },
  {
    ...{ name: "kwok", module: "kwok", main: "sigs.k8s.io/kwok/cmd/kwok", ldflags: "-s -w", minutes: "1 to 2 minutes" },
    sources: ["go.mod", "go.sum"],
  },
];

const HELM_PACKAGES = "helm.sh/helm/v3/pkg";
// For which Kubernetes a chart is rendered when no cluster is asked; without them it is 1.20.
const HELM_LDFLAGS = ["chartutil.k8sVersion", "lint/rules.k8sVersion"]
  .map(variable => `-X ${HELM_PACKAGES}/${variable}Major=1 -X ${HELM_PACKAGES}/${variable}Minor=34`)
  .join(" ");

const HELM: GoBuild = {
  ...{ name: "helm", module: "helm", main: "helm.sh/helm/v3/cmd/helm", minutes: "1 to 2 minutes" },
  ldflags: `-s -w -X helm.sh/helm/v3/internal/version.version=v3.19.5 ${HELM_LDFLAGS}`,
  sources: ["go.mod", "go.sum"],
};

const HELM_UNITTEST: GoBuild = {
  ...{ name: "helm-unittest", module: "helm-unittest", ldflags: "-s -w", minutes: "1 to 2 minutes" },
  main: "github.com/helm-unittest/helm-unittest/cmd/helm-unittest",
  sources: ["go.mod", "go.sum"],
};

const PAUSE: GoBuild = {
  ...{ name: "pause", module: "pause", main: ".", ldflags: "-s -w", minutes: "some seconds" },
  sources: ["go.mod", "main.go"],
};

/** Where what the clusters run is; built first where it is missing. @throws Error that says what to install. */
export async function ensureBinaries(say: Say = sayToStderr): Promise<Binaries> {
  const dir = await ensureBuilds(CLUSTERS, say);
  const kubectl = join(dir, "kubectl");
  await symlink("kubernetes", kubectl).catch(unlessThere);
  return { kubernetes: join(dir, "kubernetes"), kubectl, kwok: join(dir, "kwok") };
}

/** Where helm is, which only some tests need; built first where it is missing. @throws Error that says what to install. */
export async function ensureHelm(say: Say = sayToStderr): Promise<string> {
  return join(await ensureBuilds([HELM], say), HELM.name);
}

/** Where the program of a pod's sandbox is; built first where it is missing. @throws Error that says what to install. */
export async function ensurePause(say: Say = sayToStderr): Promise<string> {
  return join(await ensureBuilds([PAUSE], say), PAUSE.name);
}

/** Where helm-unittest is, which tests a chart's templates; built first where it is missing. @throws Error as `ensureHelm`. */
export async function ensureHelmUnittest(say: Say = sayToStderr): Promise<string> {
  return join(await ensureBuilds([HELM_UNITTEST], say), HELM_UNITTEST.name);
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
