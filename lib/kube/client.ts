// Sends requests to one API server over a few kept-alive connections.
//
// Ours and not client-node's or KFC's: both open a TLS connection per request, which at a thousand objects costs a
// thousand sockets and loses writes. undici does the HTTP; this file adds what Kubernetes adds to it.
import { Agent, Pool, ProxyAgent, type Dispatcher } from "undici";
import type { Connection } from "./connection.js";
import { KubeError, NotLeaderError } from "./errors.js";

/** The content types that a PATCH can have; `apply` is server-side apply. */
export type PatchType = "json" | "merge" | "apply";

const PATCH_TYPES: Readonly<Record<PatchType, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  apply: "application/apply-patch+yaml",
};

/** Query parameters; `undefined` ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** What one request may set beside method and path. */
export interface RequestOptions {
  readonly query?: Query;
  readonly body?: unknown;
  readonly patch?: PatchType;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/** How a client behaves; all have defaults. */
export interface ClientOptions {
  /** Kept-alive connections for requests; watches have their own. */
  readonly connections?: number;
  /** How long an answer may take, milliseconds. A frozen server is told from a slow one by this. */
  readonly timeoutMs?: number;
  /** Asked before every write: false once the Lease is not safely ours. */
  readonly mayWrite?: () => boolean;
  /** Told of every finished request: for metrics. */
  readonly onRequest?: (method: string, status: number, seconds: number) => void;
}

const AUTH_TTL_MS = 60_000;

/** One API server. Owns its connections: call `close()` when the cluster leaves. */
export class KubeClient {
  readonly #requests: Dispatcher;
  readonly #watches: Dispatcher;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #options: Required<Pick<ClientOptions, "timeoutMs">> & ClientOptions;
  #auth: { readonly value: string | undefined; readonly until: number } | undefined;

  constructor(
    readonly connection: Connection,
    options: ClientOptions = {},
  ) {
    const url = new URL(connection.server);
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/$/, "");
    this.#options = { timeoutMs: 15_000, ...options };
    const timeouts = { headersTimeout: this.#options.timeoutMs, bodyTimeout: this.#options.timeoutMs };
    this.#requests = dispatcherFor(connection, this.#origin, options.connections ?? 8, timeouts);
    // A watch is silent for as long as nothing happens; the reflector has its own clock for a dead one.
    this.#watches = dispatcherFor(connection, this.#origin, undefined, { headersTimeout: 30_000, bodyTimeout: 0 });
  }

  /** The parsed JSON answer. @throws KubeError for every answer that is not 2xx, and when none came. */
  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return (await this.send<T>(method, path, options)).body;
  }

  /** As `request`, with the status code: server-side apply tells by 201 or 200 whether the object is new. */
  async send<T>(method: string, path: string, options: RequestOptions = {}): Promise<{ status: number; body: T }> {
    if (method !== "GET" && this.#options.mayWrite?.() === false) {
      throw new NotLeaderError(`${method} ${path}: this process does not hold the Lease`);
    }
    const answer = await this.#exchange(this.#requests, method, path, options);
    const text = await answer.body.text().catch((error: unknown) => {
      throw new KubeError(0, "", `${method} ${path}: ${reasonOf(error)}`, undefined, { cause: error });
    });
    if (answer.statusCode >= 200 && answer.statusCode < 300) {
      return { status: answer.statusCode, body: parse<T>(text) };
    }
    throw refusal(answer, text, `${method} ${path}`);
  }

  /** Opens a watch; yields each line as parsed JSON until the server ends it or the signal aborts. */
  async *stream<T>(path: string, options: RequestOptions): AsyncGenerator<T> {
    const answer = await this.#exchange(this.#watches, "GET", path, options);
    if (answer.statusCode !== 200) throw refusal(answer, await answer.body.text(), `GET ${path}`);
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      rest += decoder.decode(chunk, { stream: true });
      let from = 0;
      for (let end = rest.indexOf("\n", from); end >= 0; end = rest.indexOf("\n", from)) {
        yield JSON.parse(rest.slice(from, end)) as T;
        from = end + 1;
      }
      rest = rest.slice(from);
    }
  }

  /** Ends idle connections and breaks running ones. */
  async close(): Promise<void> {
    await Promise.all([this.#requests.destroy(), this.#watches.destroy()]);
  }

  async #exchange(via: Dispatcher, method: string, path: string, options: RequestOptions) {
    const started = performance.now();
    const answer = await this.#dispatch(via, method, path, options);
    if (answer.statusCode === 401 && this.#auth?.value) {
      // The token may have been rotated a moment ago: ask once more with a fresh one.
      this.#auth = undefined;
      await answer.body.dump();
      return this.#dispatch(via, method, path, options);
    }
    this.#options.onRequest?.(method, answer.statusCode, (performance.now() - started) / 1000);
    return answer;
  }

  async #dispatch(via: Dispatcher, method: string, path: string, options: RequestOptions) {
    const headers: Record<string, string> = { accept: options.accept ?? "application/json", "user-agent": "holdfast" };
    const authorization = await this.#authorization();
    if (authorization) headers["authorization"] = authorization;
    let body: string | undefined;
    if (options.body !== undefined) {
      body = JSON.stringify(options.body);
      headers["content-type"] = options.patch ? PATCH_TYPES[options.patch] : "application/json";
    }
    try {
      return await via.request({
        origin: this.#origin,
        path: this.#prefix + path + queryString(options.query),
        method: method as Dispatcher.HttpMethod,
        headers,
        body,
        signal: options.signal,
      });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new KubeError(0, "", `${method} ${path}: ${reasonOf(error)}`, undefined, { cause: error });
    }
  }

  async #authorization(): Promise<string | undefined> {
    if (!this.connection.authorization) return undefined;
    if (!this.#auth || this.#auth.until < Date.now()) {
      this.#auth = { value: await this.connection.authorization(), until: Date.now() + AUTH_TTL_MS };
    }
    return this.#auth.value;
  }
}

function dispatcherFor(
  connection: Connection,
  origin: string,
  connections: number | undefined,
  timeouts: { headersTimeout: number; bodyTimeout: number },
): Dispatcher {
  const tls = {
    ca: connection.ca,
    cert: connection.cert,
    key: connection.key,
    servername: connection.serverName,
    rejectUnauthorized: !connection.insecure,
  };
  const common = { ...timeouts, pipelining: 1, keepAliveTimeout: 60_000, keepAliveMaxTimeout: 300_000 };
  if (connection.proxyUrl) {
    const { proxyUrl: uri, proxyHeaders: headers } = connection;
    return new ProxyAgent({ ...common, uri, headers, requestTls: tls, connections });
  }
  const connect = { ...tls, timeout: 5_000 };
  return connections === undefined
    ? new Agent({ ...common, connect })
    : new Pool(origin, { ...common, connect, connections });
}

function queryString(query: Query | undefined): string {
  if (!query) return "";
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) parts.set(key, String(value));
  const text = parts.toString();
  return text ? `?${text}` : "";
}

function parse<T>(text: string): T {
  return (text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text) as T;
}

function refusal(answer: Dispatcher.ResponseData, text: string, what: string): KubeError {
  const status = text.startsWith("{") ? (JSON.parse(text) as { reason?: string; message?: string }) : {};
  const seconds = Number(answer.headers["retry-after"]);
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
  const message = status.message ?? (text.slice(0, 300) || `HTTP ${answer.statusCode}`);
  return new KubeError(answer.statusCode, status.reason ?? "", message || what, retryAfterMs);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return code && !error.message.includes(code) ? `${error.message} (${code})` : error.message;
}
