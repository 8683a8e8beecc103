// How does the driver ask an API server, and how does it know which requests were its own?
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Dispatcher } from "undici";
import { keyOf, kindOfRequest, parseRequestTotal, type Counts } from "./request-counts.js";

/** What one request may set beside verb and path. */
export interface Ask {
  readonly body?: unknown;
  readonly type?: string;
  /** How the server counts it, where that is not the method: LIST. */
  readonly verb?: string;
  /** Codes that are no failure. */
  readonly fine?: readonly number[];
}

/** Everything that an API server has counted, and how much of it was ours. */
export interface Scrape {
  readonly all: Counts;
  readonly own: Counts;
}

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: Readonly<Record<string, string>> }];
  readonly users: readonly [{ readonly user: Readonly<Record<string, string>> }];
}

const CONNECTIONS = 24;
const TRIES_AT_429 = 20;

/** One API server, over kept-alive connections. It stands apart from the product's client: that one is measured. */
export class BenchApi {
  readonly server: string;
  readonly #agent: Agent;
  readonly #own = new Map<string, number>();

  /** @param kubeconfig a file as `hack/clusters` writes them. */
  constructor(
    readonly name: string,
    kubeconfig: string,
  ) {
    const config = JSON.parse(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
    const { cluster } = config.clusters[0];
    const { user } = config.users[0];
    this.server = cluster["server"] ?? "";
    const connect = {
      ca: decoded(cluster["certificate-authority-data"]),
      cert: decoded(user["client-certificate-data"]),
      key: decoded(user["client-key-data"]),
    };
    this.#agent = new Agent({ connections: CONNECTIONS, connect, bodyTimeout: 0 });
  }

  /** The parsed answer. @throws Error for what is neither 2xx nor fine. */
  async request<T>(method: Dispatcher.HttpMethod, path: string, ask: Ask = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#send(method, path, ask);
      const text = await answer.body.text();
      this.#count(keyOf(kindOfRequest(ask.verb ?? method, path, answer.statusCode)));
      if (answer.statusCode === 429 && attempt < TRIES_AT_429) {
        await sleep(1000 * Number(answer.headers["retry-after"] ?? 1));
        continue;
      }
      if (answer.statusCode < 300 || ask.fine?.includes(answer.statusCode)) return JSON.parse(text) as T;
      throw new Error(`${this.name}: ${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    }
  }

  /** A watch's answer, line by line, until it ends; a WATCH is not counted: it is told apart anyway. */
  async *lines(path: string, signal: AbortSignal): AsyncGenerator<string> {
    const answer = await this.#send("GET", path, {}, signal);
    if (answer.statusCode !== 200) throw new Error(`${this.name}: GET ${path}: ${answer.statusCode}`);
    let rest = "";
    answer.body.setEncoding("utf8");
    for await (const part of answer.body) {
      const lines = (rest + String(part)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  }

  /** What has been counted up to now. The server does not count /metrics itself. */
  async scrape(): Promise<Scrape> {
    const own = new Map(this.#own);
    const answer = await this.#send("GET", "/metrics", {});
    if (answer.statusCode !== 200) throw new Error(`${this.name}: GET /metrics: ${answer.statusCode}`);
    return { all: parseRequestTotal(await answer.body.text()), own };
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #send(method: Dispatcher.HttpMethod, path: string, { body, type }: Ask, signal?: AbortSignal) {
    const headers: Record<string, string> = { accept: path === "/metrics" ? "*/*" : "application/json" };
    if (body !== undefined) headers["content-type"] = type ?? "application/json";
    const text = body === undefined ? undefined : JSON.stringify(body);
    return this.#agent.request({ origin: this.server, path, method, headers, body: text, signal });
  }

  #count(key: string): void {
    this.#own.set(key, (this.#own.get(key) ?? 0) + 1);
  }
}

function decoded(base64: string | undefined): Buffer {
  return Buffer.from(base64 ?? "", "base64");
}
