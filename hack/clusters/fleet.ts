// Which processes has this run started, and how does one come up on ports that are free?
import { join } from "node:path";
import { inMachine, inNetwork, type Machine } from "../node/machine.js";
import { NODE_PATH } from "../node/programs.js";
import { launch, type ProcessSpec } from "./processes.js";
import { freePorts } from "./ports.js";
import { EndedEarly, untilReady, type Probe } from "./ready.js";
import { saveState, type ClusterAccess, type State } from "./state.js";

/** How a process runs once its ports are known. */
export interface Launch {
  readonly argv: readonly string[];
  readonly probe: Probe;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Where there is a machine: whether the process is in it, or only its connections are, as unless said otherwise. */
  readonly inside?: "network" | "machine";
}

/** How a process runs on certain ports; it may have to write them down first. */
export type LaunchOn = (ports: readonly number[]) => Launch | Promise<Launch>;

const ATTEMPTS = 5;

/** The state of one clusters directory while it is being brought up: every change is on disk before the next step. */
export class Fleet {
  #state: State;
  #closed = false;

  constructor(state: State) {
    this.#state = state;
    saveState(state);
  }

  get state(): State {
    return this.#state;
  }

  /** Where servers listen, and are found. */
  get address(): string {
    return this.#state.machine?.address ?? "127.0.0.1";
  }

  /** From now on nothing starts and nothing is written: whoever is still at work on this fleet fails at its next step. */
  close(): void {
    this.#closed = true;
  }

  /** Whatever starts from now on starts in this machine. */
  addMachine(machine: Machine): void {
    this.#save({ machine });
  }

  addCluster(name: string, access: ClusterAccess): void {
    this.#save({ clusters: { ...this.#state.clusters, [name]: access } });
  }

  addMetrics(name: string, port: number): void {
    this.#save({ metrics: { ...this.#state.metrics, [name]: port } });
  }

  addArgoCd(argocd: string): void {
    this.#save({ argocd });
  }

  /**
   * Starts a process on `count` free ports and waits until it is ready; if another process takes one of the ports
   * first, tries others, five times at most.
   * @returns the ports it has.
   */
  async bring(name: string, count: number, launchOn: LaunchOn): Promise<number[]> {
    for (let attempt = 1; ; attempt++) {
      const ports = await freePorts(count);
      try {
        await this.#launch(name, await launchOn(ports));
        return ports;
      } catch (error) {
        if (!(error instanceof EndedEarly && error.clash) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #launch(name: string, { argv: command, probe, env, cwd, inside }: Launch): Promise<void> {
    this.#demandOpen();
    const { dir, processes, machine } = this.#state;
    const argv = [...enter(machine, inside), ...command];
    const log = join(dir, "logs", `${name}.log`);
    const spec: ProcessSpec = { argv, env: { ...baseEnv(dir, machine), ...env }, cwd: cwd ?? dir, log };
    const id = launch(spec);
    this.#save({ processes: { ...processes, [name]: { ...spec, probe, ...id } } });
    await untilReady({ name, id, probe, log });
  }

  #demandOpen(): void {
    if (this.#closed) throw new Error("the clusters are going down");
  }

  #save(change: Partial<State>): void {
    this.#demandOpen();
    this.#state = { ...this.#state, ...change };
    saveState(this.#state);
  }
}

/** HOME is the clusters' own directory: a person's ~/.kube or ~/.kwok changes nothing here. */
function baseEnv(dir: string, machine: Machine | undefined): Record<string, string> {
  return { PATH: machine ? NODE_PATH : (process.env["PATH"] ?? "/usr/bin:/bin"), HOME: dir };
}

function enter(machine: Machine | undefined, inside: Launch["inside"]): string[] {
  if (!machine) return [];
  return inside === "machine" ? inMachine(machine) : inNetwork(machine);
}
