// What happened in the API servers and in the operator while a phase ran?
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchApi, Scrape } from "./api.js";
import { ConnectionWatch } from "./connections.js";
import type { Figures, Outcome } from "./figures.js";
import type { PhaseName } from "./options.js";
import { cpuSeconds, peakMemory, resetPeakMemory } from "./processes.js";
import { minus, summarize, trailingWrites, type Counts, type Requests } from "./request-counts.js";

/** What a meter looks at. */
export interface Measured {
  readonly host: BenchApi;
  readonly members: readonly BenchApi[];
  /** The operator's processes. */
  readonly pids: readonly number[];
  readonly signal: AbortSignal;
}

/** One phase to measure. */
export interface Phase {
  readonly phase: PhaseName;
  readonly objects: number;
  /** Whether to wait until the host is quiet; true unless said otherwise. */
  readonly settle?: boolean;
  readonly act: () => Promise<Outcome>;
}

const WINDOW_MS = 3_000;
const QUIET_WRITES = 2;
const PATIENCE_MS = 300_000;

/** Measures phases, one at a time. */
export class Meter {
  readonly #connections: ConnectionWatch;

  constructor(private readonly measured: Measured) {
    const servers = [measured.host, ...measured.members].map(({ server }) => server);
    this.#connections = new ConnectionWatch(servers, measured.pids);
  }

  /** Runs a phase, and waits for what it leaves to be done. */
  async measure({ phase, objects, settle = true, act }: Phase): Promise<Figures> {
    const { host, members, pids } = this.measured;
    const membersBefore = await Promise.all(members.map(member => member.scrape()));
    pids.forEach(resetPeakMemory);
    this.#connections.start();
    const cpuBefore = this.#cpu();
    const before = await host.scrape();
    const outcome = await act();
    const { after, seconds, cpu } = await this.#end(settle);
    const { open, made } = this.#connections.stop();
    const membersAfter = await Promise.all(members.map(member => member.scrape()));
    const asked = members.map(({ name }, index) => [name, between(membersBefore[index], membersAfter[index])]);
    return {
      phase,
      objects,
      ...outcome,
      settleSeconds: seconds,
      host: between(before, after),
      members: Object.fromEntries(asked),
      cpuSeconds: cpu - cpuBefore,
      peakMiB: pids.reduce((sum, pid) => sum + peakMemory(pid), 0),
      openConnections: open,
      newConnections: made,
    };
  }

  /** Waits until the host sees almost no writes. @returns how it was at the end of the first quiet window. */
  async settle(): Promise<{ after: Scrape; seconds: number; cpu: number }> {
    const { host, signal } = this.measured;
    const began = Date.now();
    let previous = await host.scrape();
    for (let from = began; ; from = Date.now()) {
      await sleep(WINDOW_MS, undefined, { signal });
      const after = await host.scrape();
      const written = trailingWrites(withoutOwn(previous, after));
      const seconds = (from - began) / 1000;
      if (written <= QUIET_WRITES || Date.now() - began > PATIENCE_MS) return { after, seconds, cpu: this.#cpu() };
      previous = after;
    }
  }

  async #end(settle: boolean) {
    return settle ? this.settle() : { after: await this.measured.host.scrape(), seconds: 0, cpu: this.#cpu() };
  }

  #cpu(): number {
    return this.measured.pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  }
}

function between(before: Scrape | undefined, after: Scrape | undefined): Requests {
  return summarize(before && after ? withoutOwn(before, after) : new Map());
}

function withoutOwn(before: Scrape, after: Scrape): Counts {
  return minus(minus(after.all, before.all), minus(after.own, before.own));
}
