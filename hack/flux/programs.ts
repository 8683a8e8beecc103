// Where is the real kustomize-controller of Flux, and where are the kinds of Flux?
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuilds, type GoBuild } from "../clusters/go-build.js";
import { moduleFolder } from "../clusters/guest.js";
import { runStep, type Say } from "../clusters/step.js";

/** Absolute paths: the controller, and the folders that hold the CRDs that it needs. */
export interface FluxPrograms {
  readonly controller: string;
  readonly crds: readonly string[];
}

const MODULE = "github.com/fluxcd/kustomize-controller";
// Only its CRDs are used, so go.mod does not name it: the modules that it needs would change the controller's.
const SOURCES = "github.com/fluxcd/source-controller@v1.9.6";
const HERE = dirname(fileURLToPath(import.meta.url));

const CONTROLLER: GoBuild = {
  ...{ name: "kustomize-controller", module: "flux", main: MODULE, ldflags: "-s -w", minutes: "4 to 10 minutes" },
  sources: ["go.mod", "go.sum"],
};

/** Builds what is missing. @throws Error that says what to install when Go or git is missing. */
export async function ensureFlux(say: Say): Promise<FluxPrograms> {
  const hint = "Install git and put it on the PATH: what Flux applies comes out of repositories.";
  await runStep({ label: "asking for git", argv: ["git", "--version"], hint }, say);
  const dir = await ensureBuilds([CONTROLLER], say);
  const folders = await Promise.all([MODULE, SOURCES].map(module => moduleFolder(module, HERE, say)));
  return { controller: join(dir, CONTROLLER.name), crds: folders.map(folder => join(folder, "config/crd/bases")) };
}
