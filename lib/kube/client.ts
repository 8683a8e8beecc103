// Sends requests to one API server over a few kept-alive connections.
//
// Ours and not client-node's or KFC's: both open a TLS connection per request, which at a thousand objects costs a
// thousand sockets and loses writes. undici does the HTTP; this file adds what Kubernetes adds to it.
import type { Dispatcher } from "undici";
import { linesOf, parseBody, refusalOf, silenceOf } from "./answer.js";
import type { Connection } from "./connection.js";
import { deadline, orAborted } from "./deadline.js";
import { dispatcherFor, notLeader } from "./dispatcher.js";
import { NotLeaderError } from "./errors.js";

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
  /** Called when a watch has been let in, before its first event. */
  readonly onOpen?: () => void;
}

/** How a client behaves; all have defaults. */
export interface ClientOptions {
  /** Kept-alive connections for requests; watches have their own. */
  readonly connections?: number;
  /** How long an answer may take to begin, and may then be silent, milliseconds; waiting for a connection counts. */
  readonly timeoutMs?: number;
  /** Asked before every write, and again as it is sent: false once the Lease is not safely ours. */
  readonly mayWrite?: () => boolean;
  /** Told of every request: for metrics. Status 0 is no answer. */
  readonly onRequest?: (method: string, status: number, seconds: number) => void;
}

const AUTH_TTL_MS = 60_000;

type Answer = Dispatcher.ResponseData;

/** One API server. Owns its connections: call `close()` when the cluster leaves. */
export class KubeClient {
  readonly #requests: Dispatcher;
  readonly #watches: Dispatcher;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #options: Required<Pick<ClientOptions, "timeoutMs">> & ClientOptions;
  #auth: { readonly value: Promise<string | undefined>; readonly until: number } | undefined;

  constructor(
    readonly connection: Connection,
    options: ClientOptions = {},
  ) {
    const url = new URL(connection.server);
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/$/, "");
    this.#options = { ...options, timeoutMs: options.timeoutMs ?? 15_000 };
    const { timeoutMs, connections = 6, mayWrite } = this.#options;
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    this.#requests = dispatcherFor(connection, this.#origin, { ...timeouts, connections, mayWrite });
    // A watch is silent for as long as nothing happens; the reflector has its own clock for a dead one.
    this.#watches = dispatcherFor(connection, this.#origin, { headersTimeout: 30_000, bodyTimeout: 0 });
  }

  /** The parsed JSON answer. @throws KubeError for every answer that is not 2xx, and when none came. */
  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return (await this.send<T>(method, path, options)).body;
  }

  /** As `request`, with the status code: server-side apply tells by 201 or 200 whether the object is new. */
  async send<T>(method: string, path: string, options: RequestOptions = {}): Promise<{ status: number; body: T }> {
    if (method !== "GET" && this.#options.mayWrite?.() === false) throw notLeader({ method, path });
    const limit = deadline(this.#options.timeoutMs, options.signal);
    try {
      const answer = await this.#exchange(this.#requests, method, path, { ...options, signal: limit.signal });
      limit.met();
      return await read<T>(answer, `${method} ${path}`);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      limit.end();
    }
  }

  /** Opens a watch; yields each line as parsed JSON until the server ends it or the signal aborts. */
  async *stream<T>(path: string, options: RequestOptions): AsyncGenerator<T> {
    const limit = deadline(this.#options.timeoutMs, options.signal);
    try {
      const answer = await this.#exchange(this.#watches, "GET", path, { ...options, signal: limit.signal });
      if (answer.statusCode !== 200) await read(answer, `GET ${path}`);
      limit.met();
      options.onOpen?.();
      yield* linesOf<T>(answer.body as AsyncIterable<Uint8Array>);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      limit.end();
    }
  }

  /** Ends idle connections and breaks running ones. */
  async close(): Promise<void> {
    await Promise.all([this.#requests.destroy(), this.#watches.destroy()]);
  }

  async #exchange(via: Dispatcher, method: string, path: string, options: RequestOptions): Promise<Answer> {
    const answer = await this.#timed(via, method, path, options);
    if (answer.statusCode !== 401 || !this.connection.authorization) return answer;
    // The token may have been rotated a moment ago: ask once more with a fresh one.
    this.#auth = this.#ask(true);
    await answer.body.dump();
    return this.#timed(via, method, path, options);
  }

  async #timed(via: Dispatcher, method: string, path: string, options: RequestOptions): Promise<Answer> {
    const started = performance.now();
    let status = 0;
    try {
      const answer = await this.#dispatch(via, method, path, options);
      status = answer.statusCode;
      return answer;
    } catch (error) {
      throw error instanceof NotLeaderError ? error : silenceOf(error, `${method} ${path}`);
    } finally {
      this.#options.onRequest?.(method, status, (performance.now() - started) / 1000);
    }
  }

  async #dispatch(via: Dispatcher, method: string, path: string, options: RequestOptions): Promise<Answer> {
    const { accept = "application/json", body, patch, query, signal } = options;
    const headers: Record<string, string> = { ...this.connection.headers, accept, "user-agent": "holdfast" };
    const authorization = await this.#authorization();
    if (authorization) headers["authorization"] = authorization;
    if (body !== undefined) headers["content-type"] = patch ? PATCH_TYPES[patch] : "application/json";
    const answer = via.request({
      origin: this.#origin,
      path: this.#prefix + path + queryString(query),
      method: method as Dispatcher.HttpMethod,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      // undici ends the connection after a DELETE with a body (preconditions) unless it is told not to.
      reset: false,
      signal,
    });
    return orAborted(answer, signal);
  }

  /** Requests at the same time share one question: an exec plugin is a process each time. */
  #authorization(): Promise<string | undefined> | undefined {
    if (!this.connection.authorization) return undefined;
    if (!this.#auth || this.#auth.until < performance.now()) this.#auth = this.#ask(false);
    return this.#auth.value;
  }

  #ask(refused: boolean): { value: Promise<string | undefined>; until: number } {
    const { authorization } = this.connection;
    const value = Promise.resolve(authorization?.(refused));
    value.catch(() => (this.#auth = undefined));
    return { value, until: performance.now() + AUTH_TTL_MS };
  }
}

async function read<T>(answer: Answer, what: string): Promise<{ status: number; body: T }> {
  const text = await answer.body.text().catch((error: unknown) => {
    throw silenceOf(error, what);
  });
  if (answer.statusCode < 200 || answer.statusCode > 299) throw refusalOf(answer, text, what);
  return { status: answer.statusCode, body: parseBody<T>(text, what) };
}

function queryString(query: Query | undefined): string {
  if (!query) return "";
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) parts.set(key, String(value));
  const text = parts.toString();
  return text ? `?${text}` : "";
}
