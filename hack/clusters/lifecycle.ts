// How does one process of running clusters stop, crash and come back, and how do all of them end?
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { withLock } from "../lock.mjs";
import { forgetMachine, MACHINE } from "../node/machine.js";
import { destroy, end, isRunning, launch, type ProcessId } from "./processes.js";
import { untilReady } from "./ready.js";
import { dropState, envOf, readState, saveState, type Env, type ProcessState, type State } from "./state.js";

/** Everything that changes what runs in `dir` goes through here, one at a time. */
export function inTurn<T>(dir: string, job: () => Promise<T>): Promise<T> {
  return withLock(join(dir, "lock"), job);
}

const PATIENCE_MS = 3_000;

/** Asks one process to end (TERM; KILL after 3 s) and waits for that. Nothing happens if it does not run. */
export function stop(dir: string, name: string): Promise<Env> {
  return endOne(dir, name, id => end(id, PATIENCE_MS));
}

/** Ends one process as a crash would (KILL) and waits for that. Nothing happens if it does not run. */
export function kill(dir: string, name: string): Promise<Env> {
  return endOne(dir, name, destroy);
}

/**
 * Starts one process again, with the ports and flags it had, and returns when it is ready. Nothing happens if it runs.
 * @throws Error when there is no process of that name here, or it does not become ready.
 */
export function start(dir: string, name: string): Promise<Env> {
  return inTurn(resolve(dir), async () => {
    const { state, spec } = find(dir, name);
    if (idOf(spec)) return envOf(state);
    const id = launch(spec);
    const next = withProcess(state, name, { ...spec, ...id });
    saveState(next);
    await untilReady({ name, id, probe: spec.probe, log: spec.log });
    return envOf(next);
  });
}

/** Ends all processes of `dir`, and none else, and forgets them. The logs stay. Answers how many were still running. */
export async function down(dir: string): Promise<number> {
  const path = resolve(dir);
  if (!readState(path)) return 0;
  return inTurn(path, async () => {
    const state = readState(path);
    return state ? endAll(state) : 0;
  });
}

/** What `down` does, for who already has the turn. */
export async function endAll(state: State): Promise<number> {
  let ended = 0;
  for (const names of tiers(Object.keys(state.processes))) {
    const ids = names.map(name => idOf(state.processes[name])).filter(id => id !== undefined);
    // `unshare` waits for its child and hears no request; killed, it takes everything in the machine with it.
    const how = names.includes(MACHINE) ? destroy : (id: ProcessId) => end(id, PATIENCE_MS);
    await Promise.all(ids.map(how));
    ended += ids.length;
  }
  if (state.processes[MACHINE]) await forgetMachine(state.dir, state.machine);
  dropState(state.dir);
  await rm(join(state.dir, "etcd"), { recursive: true, force: true });
  return ended;
}

/**
 * Clients end before their servers: an API server that still has etcd ends in a moment, without it it lingers. The machine
 * ends last: its end is a crash for whatever is still in it.
 */
export function tiers(names: readonly string[]): string[][] {
  const last = ["etcd", MACHINE];
  const rank = (name: string): number => (last.includes(name) ? 2 + last.indexOf(name) : +name.endsWith("-apiserver"));
  return [0, 1, 2, 3].map(wanted => names.filter(name => rank(name) === wanted));
}

function endOne(dir: string, name: string, how: (id: ProcessId) => Promise<void>): Promise<Env> {
  return inTurn(resolve(dir), async () => {
    const { state, spec } = find(dir, name);
    const id = idOf(spec);
    if (id) await how(id);
    const next = withProcess(state, name, { ...spec, pid: undefined, startTime: undefined });
    saveState(next);
    return envOf(next);
  });
}

function find(dir: string, name: string): { state: State; spec: ProcessState } {
  const state = readState(resolve(dir));
  if (!state) throw new Error(`${dir}: no clusters here`);
  const spec = state.processes[name];
  if (!spec) throw new Error(`${name}: no such process; there are ${Object.keys(state.processes).sort().join(", ")}`);
  return { state, spec };
}

function withProcess(state: State, name: string, spec: ProcessState): State {
  return { ...state, processes: { ...state.processes, [name]: spec } };
}

function idOf(spec: ProcessState | undefined): ProcessId | undefined {
  if (spec?.pid === undefined || spec.startTime === undefined) return undefined;
  const id = { pid: spec.pid, startTime: spec.startTime };
  return isRunning(id) ? id : undefined;
}
