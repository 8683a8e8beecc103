// Where is the real Argo CD, as one program and the manifests that come with it?
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuilds, type GoBuild } from "../clusters/go-build.js";
import { moduleFolder } from "../clusters/guest.js";
import { runStep, type Say } from "../clusters/step.js";

/** Absolute paths. `argocd` takes the name of a component first; `manifests` is the folder of Argo CD's own repository. */
export interface ArgoCdPrograms {
  readonly argocd: string;
  readonly manifests: string;
}

const MODULE = "github.com/argoproj/argo-cd/v3";
const VERSION = "3.1.9";
const HERE = dirname(fileURLToPath(import.meta.url));

const ARGOCD: GoBuild = {
  ...{ name: "argocd", module: "argocd", main: ".", minutes: "4 to 10 minutes" },
  ldflags: `-s -w -X ${MODULE}/common.version=${VERSION}`,
  sources: ["go.mod", "go.sum", "main.go"],
};

/** Builds what is missing. @throws Error that says what to install when Go or git is missing. */
export async function ensureArgoCd(say: Say): Promise<ArgoCdPrograms> {
  const hint = "Install git and put it on the PATH: Argo CD's repo server reads repositories with it.";
  await runStep({ label: "asking for git", argv: ["git", "--version"], hint }, say);
  const dir = await ensureBuilds([ARGOCD], say);
  return { argocd: join(dir, ARGOCD.name), manifests: join(await moduleFolder(MODULE, HERE, say), "manifests") };
}
