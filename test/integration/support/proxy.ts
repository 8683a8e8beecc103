// What does a bad network do to a connection? A TCP proxy on 127.0.0.1 that misbehaves on demand.
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** What the proxy does with new connections: let them through, break them at once, or accept them and pass nothing. */
export type Mode = "pass" | "refuse" | "freeze";

interface Pair {
  readonly client: Socket;
  readonly server: Socket | undefined;
}

/** Stands before one server. `close()` it at the end. */
export class TcpProxy {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #pairs = new Set<Pair>();
  readonly #server: Server;
  #mode: Mode = "pass";
  #delayMs = 0;
  /** Connections that were ever accepted, refused ones too. */
  accepted = 0;
  /** The most connections that were open at the same time. */
  peak = 0;

  private constructor(target: URL) {
    this.#target = { host: target.hostname, port: Number(target.port) };
    this.#server = createServer({ allowHalfOpen: false }, socket => this.#accept(socket));
  }

  /** Starts a proxy before a server such as `https://127.0.0.1:6443`. */
  static async before(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(target));
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    return proxy;
  }

  /** The address to use instead of the target's. */
  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#pairs.size;
  }

  /** Breaks all open connections with a reset; new ones are let through. */
  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy();
      server?.destroy();
    }
    this.#pairs.clear();
  }

  /** Breaks all open connections, and every new one as it comes, until `pass()`. */
  refuse(): void {
    this.#mode = "refuse";
    this.cut();
  }

  /**
   * Half-open: open connections stay, what comes in is acknowledged and dropped, nothing comes back. With `newOnes`, new
   * connections freeze as well.
   */
  freeze({ newOnes }: { readonly newOnes: boolean }): void {
    this.#mode = newOnes ? "freeze" : "pass";
    for (const pair of this.#pairs) freezePair(pair);
  }

  /** New connections are let through again; frozen ones stay frozen. */
  pass(): void {
    this.#mode = "pass";
  }

  /** Holds every piece of data back for so long, in both directions. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>(resolve => this.#server.close(() => resolve()));
  }

  #accept(client: Socket): void {
    this.accepted++;
    client.on("error", () => client.destroy());
    if (this.#mode === "refuse") {
      client.resetAndDestroy();
      return;
    }
    const server = this.#mode === "freeze" ? undefined : connect(this.#target);
    const pair: Pair = { client, server };
    this.#pairs.add(pair);
    this.peak = Math.max(this.peak, this.#pairs.size);
    client.on("close", () => this.#drop(pair));
    if (!server) {
      client.resume();
      return;
    }
    server.on("error", () => server.destroy());
    server.on("close", () => this.#drop(pair));
    client.on("data", data => this.#forward(data, server));
    server.on("data", data => this.#forward(data, client));
  }

  #forward(data: Buffer, to: Socket): void {
    if (this.#delayMs === 0) to.write(data);
    else setTimeout(() => to.writable && to.write(data), this.#delayMs);
  }

  #drop(pair: Pair): void {
    this.#pairs.delete(pair);
    pair.client.destroy();
    pair.server?.destroy();
  }
}

function freezePair({ client, server }: Pair): void {
  // Whatever the server does from now on, the client does not learn of it.
  server?.removeAllListeners("close");
  for (const socket of [client, server]) socket?.removeAllListeners("data").resume();
}
