// Which connections carry the requests to one API server, and what is asked at the moment one of them is used.
import { Agent, DecoratorHandler, Pool, ProxyAgent, type Dispatcher } from "undici";
import type { Connection } from "./connection.js";
import { NotLeaderError } from "./errors.js";

/** How the connections behave; times in milliseconds, 0 is for ever. */
export interface DispatcherOptions {
  /** At most so many; without it, one per running request. */
  readonly connections?: number;
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  /** Asked when a write is put on the wire, which may be long after it was asked for. */
  readonly mayWrite?: () => boolean;
}

/** Kept-alive connections, through the proxy where the connection names one. */
export function dispatcherFor(connection: Connection, origin: string, options: DispatcherOptions): Dispatcher {
  const { connections, headersTimeout, bodyTimeout, mayWrite } = options;
  const tls = {
    ca: connection.ca,
    cert: connection.cert,
    key: connection.key,
    servername: connection.serverName,
    rejectUnauthorized: !connection.insecure,
  };
  const common = { headersTimeout, bodyTimeout, pipelining: 1, keepAliveTimeout: 60_000, keepAliveMaxTimeout: 300_000 };
  const plain = connection.proxyUrl ? throughProxy(connection.proxyUrl) : direct();
  return mayWrite ? plain.compose(guard(mayWrite)) : plain;

  function throughProxy(uri: string): Dispatcher {
    return new ProxyAgent({ ...common, uri, headers: connection.proxyHeaders, requestTls: tls, connections });
  }

  function direct(): Dispatcher {
    const connect = { ...tls, timeout: 5_000 };
    if (connections === undefined) return new Agent({ ...common, connect });
    return new Pool(origin, { ...common, connect, connections });
  }
}

/** A request can wait for a free connection longer than a Lease lasts: so the question is asked again at its turn. */
function guard(mayWrite: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return dispatch => (options, handler) => {
    if (options.method === "GET") return dispatch(options, handler);
    const guarded: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    const start = guarded.onRequestStart?.bind(guarded);
    guarded.onRequestStart = (controller, context) => {
      if (!mayWrite()) throw notLeader(options);
      start?.(controller, context);
    };
    return dispatch(options, guarded);
  };
}

/** What a write gets that must not be made any more. */
export function notLeader({ method, path }: { readonly method: string; readonly path: string }): NotLeaderError {
  return new NotLeaderError(`${method} ${path}: this process does not hold the Lease`);
}
