// What runs in a clusters directory, and what do other programs learn of it?
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "../node/machine.js";
import type { Binaries } from "./binaries.js";
import { isRunning, type ProcessSpec } from "./processes.js";
import type { Probe } from "./ready.js";

/** One process: how it starts, when it is ready, and which one it is while it runs. */
export interface ProcessState extends ProcessSpec {
  readonly probe: Probe;
  readonly pid?: number;
  readonly startTime?: string;
}

/** A way into a cluster. */
export interface ClusterAccess {
  /** Absolute path of a kubeconfig with administrator rights; certificates are embedded. */
  readonly kubeconfig: string;
  /** `https://127.0.0.1:PORT`, or the address of the machine. */
  readonly server: string;
}

/** Everything about one set of clusters; lives in `DIR/state.json`. */
export interface State {
  readonly dir: string;
  readonly binaries: Binaries;
  readonly clusters: Readonly<Record<string, ClusterAccess>>;
  readonly processes: Readonly<Record<string, ProcessState>>;
  /** Where all of it runs, when the host has a real node. */
  readonly machine?: Machine;
  /** Ports of the operator's own /metrics, by process name; empty without the operator. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Where the API of Argo CD answers, when it runs: `http://127.0.0.1:PORT`. */
  readonly argocd?: string;
}

/** What `DIR/env.json` holds, for tests, demo, bench and people. All paths are absolute. */
export interface Env {
  readonly dir: string;
  readonly host: ClusterAccess;
  readonly members: Readonly<Record<string, ClusterAccess>>;
  /** Only what runs: a process that was stopped or killed is not in it until it is started again. */
  readonly pids: Readonly<Record<string, number>>;
  readonly kubectl: string;
  readonly logs: string;
  readonly metrics: Readonly<Record<string, number>>;
  /** Where the API of Argo CD answers, when it runs: `http://127.0.0.1:PORT`. */
  readonly argocd?: string;
}

/** The outside view of a state. @throws Error when there is no host in it. */
export function envOf(state: State): Env {
  const { host, ...members } = state.clusters;
  if (!host) throw new Error(`${state.dir}: there is no host cluster`);
  const pids: Record<string, number> = {};
  for (const [name, { pid }] of Object.entries(state.processes)) if (pid !== undefined) pids[name] = pid;
  const { dir, binaries, metrics, argocd } = state;
  return { dir, host, members, pids, kubectl: binaries.kubectl, logs: join(dir, "logs"), metrics, argocd };
}

/** Reads `DIR/state.json`; undefined when nothing was ever started there. @throws SyntaxError when it is not JSON. */
export function readState(dir: string): State | undefined {
  return readJson<State>(join(dir, "state.json"));
}

/** Reads `DIR/env.json`. @throws Error that says which command makes it. */
export function readEnv(dir: string): Env {
  const env = readJson<Env>(join(dir, "env.json"));
  if (!env) throw new Error(`${dir}: no clusters here; npm run clusters -- up --dir ${dir} --members 2 makes some`);
  return env;
}

/** Writes state.json, and env.json once there is a host: whole or not at all. */
export function saveState(state: State): void {
  writeWhole(join(state.dir, "state.json"), state);
  if (state.clusters["host"]) writeWhole(join(state.dir, "env.json"), envOf(state));
}

/** Forgets that anything ran in `dir`. */
export function dropState(dir: string): void {
  for (const name of ["env.json", "state.json"]) rmSync(join(dir, name), { force: true });
}

/** The names of the processes of a state that run at this moment. */
export function runningIn(state: State): string[] {
  return Object.entries(state.processes)
    .filter(([, { pid, startTime }]) => pid !== undefined && startTime !== undefined && isRunning({ pid, startTime }))
    .map(([name]) => name);
}

function writeWhole(file: string, content: unknown): void {
  // It may hold the operator's environment: nobody else needs to read it.
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readJson<T>(file: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  return JSON.parse(text) as T;
}
