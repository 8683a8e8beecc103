// How do a host and its members come up in one directory?
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { bringArgoCd } from "../argocd/argocd.js";
import { ensureArgoCd } from "../argocd/programs.js";
import { bringFlux } from "../flux/flux.js";
import { ensureFlux } from "../flux/programs.js";
import { ensureBinaries } from "./binaries.js";
import { bringMachine } from "../node/machine.js";
import { ensurePrograms } from "../node/programs.js";
import { etcdArgs, type Plane, type Site } from "./components.js";
import { Fleet } from "./fleet.js";
import { endAll, inTurn } from "./lifecycle.js";
import { bringOperator } from "./operator.js";
import { bringPlane, writePki } from "./plane.js";
import { envOf, readState, runningIn, type Env } from "./state.js";
import { sayToStderr, type Say } from "./step.js";

/** What to bring up. */
export interface UpOptions {
  readonly dir: string;
  /** How many member clusters, 1 to 100; they are named member1, member2, … */
  readonly members: number;
  /** `ordinary`: a host with workload controllers and a node, as most clusters are; `controlPlane` unless said otherwise. */
  readonly host?: "controlPlane" | "ordinary";
  /**
   * An ordinary host whose node has a real kubelet and real containers; everything then runs in namespaces of the kernel.
   * Needs root, and Debian's packages, which are installed. The operator comes with helm there, not by `operator`.
   */
  readonly realNode?: boolean;
  /** A scheduler and a node in each member; true unless said otherwise. */
  readonly nodes?: boolean;
  /** The operator too; false unless said otherwise. */
  readonly operator?: boolean;
  /** With the operator, every member joined; true unless said otherwise. */
  readonly join?: boolean;
  /** Settings for the operator's processes, beyond and above those they get anyway. */
  readonly operatorEnv?: Readonly<Record<string, string>>;
  /** The real Argo CD beside the host, as processes; false unless said otherwise. Not beside a real node. */
  readonly argocd?: boolean;
  /** The real kustomize-controller of Flux beside the host; false unless said otherwise. Not beside a real node. */
  readonly flux?: boolean;
  /** Aborting it ends what was started so far; `up` then throws. */
  readonly signal?: AbortSignal;
  readonly say?: Say;
}

/**
 * Brings up clusters in a directory and returns when all of it is ready. Nothing is left running when it fails.
 * @throws Error when clusters already run there, and when a process does not become ready (quoting its log).
 */
export async function up(options: UpOptions): Promise<Env> {
  const { signal, say = sayToStderr } = options;
  const dir = resolve(options.dir);
  demandPossible(options);
  if (options.realNode) await ensurePrograms(say);
  const binaries = await ensureBinaries(say);
  const bringGuests = await guestsOf(options, say);
  await mkdir(dir, { recursive: true });
  return inTurn(dir, async () => {
    demandUnused(dir);
    const fleet = new Fleet({ dir, binaries, clusters: {}, processes: {}, metrics: {} });
    try {
      await Promise.race([bringAll(fleet, options, bringGuests), aborted(signal)]);
      return envOf(fleet.state);
    } catch (error) {
      fleet.close();
      await endAll(fleet.state);
      throw error;
    }
  });
}

/** Builds the programs that run beside the host before anything starts, and answers what brings them up. */
async function guestsOf({ argocd, flux }: UpOptions, say: Say): Promise<BringGuests> {
  const argoCdPrograms = argocd ? await ensureArgoCd(say) : undefined;
  const fluxPrograms = flux ? await ensureFlux(say) : undefined;
  return async fleet => {
    if (argoCdPrograms) await bringArgoCd(fleet, argoCdPrograms, say);
    if (fluxPrograms) await bringFlux(fleet, fluxPrograms, say);
  };
}

type BringGuests = (fleet: Fleet) => Promise<void>;

function demandPossible({ members, realNode, operator, argocd, flux }: UpOptions): void {
  if (!Number.isInteger(members) || members < 1 || members > 100) {
    throw new Error(`members: Invalid value: ${members}: write a whole number from 1 to 100`);
  }
  const what = Object.entries({ operator, argocd, flux }).find(([, wanted]) => wanted)?.[0];
  if (!realNode || !what) return;
  throw new Error(`${what}: cannot run beside a real node, where it is installed into the cluster`);
}

async function bringAll(fleet: Fleet, options: UpOptions, bringGuests: BringGuests): Promise<void> {
  const { nodes = true, operator = false, join: joins = true, operatorEnv, realNode, say = sayToStderr } = options;
  const { dir } = fleet.state;
  const names = ["host", ...Array.from({ length: options.members }, (_, index) => `member${index + 1}`)];
  await Promise.all(
    ["etcd", "logs", "operator", "machine", ...names].map(name =>
      rm(join(dir, name), { recursive: true, force: true }),
    ),
  );
  say(`clusters: starting etcd, a host and ${options.members} member(s) in ${dir}`);
  if (realNode) await bringMachine(fleet);
  const sites = names.map((name, index) => siteOf(fleet, options, name, index));
  const [etcdPort] = await Promise.all([bringEtcd(fleet), ...sites.map(writePki)]);
  const planes = sites.map((site): Plane => ({ ...site, etcdPort }));
  const [host, ...others] = planes.map(plane =>
    bringPlane(fleet, plane, plane.role === "ordinary" || (nodes && plane.role === "member"), say),
  );
  const members = Promise.all(others);
  // Whoever fails first is heard below; that the others then fail too is no news.
  members.catch(() => undefined);
  // The operator needs its host only; the members join as soon as both are there.
  const joined = operator
    ? host?.then(() => bringOperator(fleet, { say, env: operatorEnv, members, join: joins }))
    : host;
  await Promise.all([joined, members]);
  // After the operator: each waits for every CRD of the host, and one that is just being made is no answer.
  await bringGuests(fleet);
}

function siteOf(fleet: Fleet, { host, realNode = false }: UpOptions, name: string, index: number): Site {
  const where = { name, dir: join(fleet.state.dir, name), index, address: fleet.address };
  if (index > 0) return { ...where, role: "member" };
  return { ...where, role: realNode ? "ordinary" : (host ?? "controlPlane"), realNode };
}

async function bringEtcd(fleet: Fleet): Promise<number> {
  const { dir, binaries } = fleet.state;
  const [client = 0] = await fleet.bring("etcd", 2, ([clientPort = 0, peerPort = 0]) => ({
    argv: [binaries.kubernetes, ...etcdArgs(join(dir, "etcd"), fleet.address, clientPort, peerPort)],
    probe: { url: `http://${fleet.address}:${clientPort}/health` },
  }));
  return client;
}

function demandUnused(dir: string): void {
  const state = readState(dir);
  const running = state ? runningIn(state) : [];
  if (running.length === 0) return;
  throw new Error(`${dir}: clusters already run here (${running.join(", ")}); npm run clusters -- down --dir ${dir}`);
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(new Error("interrupted"));
    signal?.addEventListener("abort", () => reject(new Error("interrupted")), { once: true });
  });
}
