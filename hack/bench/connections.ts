// How many connections does the operator keep open, and does it open one for every request?
import { allSockets, socketsOf, type Socket } from "./processes.js";

/** What was seen since the last `start`. */
export interface ConnectionFigures {
  /** The most that the operator's processes had open to API servers; how many come in for webhooks is up to the host's. */
  readonly open: number;
  /** How many were made to the API servers, by whomever but the driver. */
  readonly made: number;
}

const EVERY_MS = 1_000;

/** Looks once a second: a connection that has ended is still listed for a minute, as TIME_WAIT. */
export class ConnectionWatch {
  readonly #servers: ReadonlySet<number>;
  readonly #known = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #open = 0;
  #made = 0;

  /** @param servers the API servers' addresses. @param pids the operator's processes. */
  constructor(
    servers: readonly string[],
    private readonly pids: readonly number[],
  ) {
    this.#servers = new Set(servers.map(server => Number(new URL(server).port)));
  }

  /** Counts from here on. */
  start(): void {
    this.#look();
    this.#open = 0;
    this.#made = 0;
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
  }

  /** What there was since then. */
  stop(): ConnectionFigures {
    clearInterval(this.#timer);
    this.#look();
    return { open: this.#open, made: this.#made };
  }

  #look(): void {
    const sockets = allSockets();
    const ours = this.pids.flatMap(pid => socketsOf(pid, sockets));
    const open = ours.filter(({ established, remotePort }) => established && this.#servers.has(remotePort)).length;
    this.#open = Math.max(this.#open, open);
    const own = new Set(connectionsTo(this.#servers, socketsOf(process.pid, sockets)));
    for (const connection of connectionsTo(this.#servers, sockets)) {
      if (this.#known.has(connection)) continue;
      this.#known.add(connection);
      if (!own.has(connection)) this.#made++;
    }
  }
}

/** The connections to some ports, each once: both of its ends are on this machine, and either may be listed longer. */
export function connectionsTo(servers: ReadonlySet<number>, sockets: readonly Socket[]): string[] {
  const found = sockets.flatMap(({ localPort, remotePort }) => {
    if (remotePort === 0) return [];
    if (servers.has(remotePort)) return [`${localPort}>${remotePort}`];
    return servers.has(localPort) ? [`${remotePort}>${localPort}`] : [];
  });
  return [...new Set(found)];
}
