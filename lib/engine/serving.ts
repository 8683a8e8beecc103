// How do the servers of this process serve that somebody else has made: patient, to the last request, with today's certificate?
import { subscribe } from "node:diagnostics_channel";
import type { Server, ServerResponse } from "node:http";
import { pause } from "../kube/pause.js";

/**
 * Longer than an API server keeps idle connections to its webhooks (90 s, the default of Go's transport): the side that sends
 * must be the one that closes. Node's own 5 s end connections over which a request is on its way, and that request, a
 * person's `kubectl apply`, is then refused with "broken pipe".
 */
const IDLE_MS = 120_000;

/** As long as an API server waits for a webhook by default. */
const LAST_ANSWER_MS = 10_000;
const LOOK_MS = 50;

/** Certificate chain and key of a server, PEM. */
export interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** All HTTP servers of this process, those to come included. */
export interface Serving {
  /** New connections get this certificate; those that are open stay. */
  useCertificate(pair: KeyPair): void;
  /**
   * Goes on answering for `ms`, while whoever sends requests here learns that this process is ending; each answer asks the
   * client to come back over another connection. Settled when then nobody waits for an answer any more.
   */
  drain(ms: number): Promise<void>;
}

interface Started {
  readonly server: Server & { setSecureContext?(pair: KeyPair): void };
  readonly response: ServerResponse;
}

/**
 * Pepr makes the server of the webhooks itself and hands it to nobody; Node's own channel of requests tells which it is, from
 * its first request on. A probe is one.
 */
export function watchServers(): Serving {
  const servers = new Set<Started["server"]>();
  const unanswered = new Set<ServerResponse>();
  let pair: KeyPair | undefined;
  let isEnding = false;

  function onRequest(message: unknown): void {
    const { server, response } = message as Started;
    if (!servers.has(server)) meet(server);
    if (isEnding) response.setHeader("connection", "close");
    unanswered.add(response);
    response.once("close", () => unanswered.delete(response));
  }

  function meet(server: Started["server"]): void {
    servers.add(server);
    server.keepAliveTimeout = IDLE_MS;
    if (pair) server.setSecureContext?.(pair);
  }

  subscribe("http.server.request.start", onRequest);

  return {
    useCertificate(next) {
      pair = next;
      for (const server of servers) server.setSecureContext?.(next);
    },
    async drain(ms) {
      isEnding = true;
      const { signal } = new AbortController();
      await pause(ms, signal);
      const until = performance.now() + LAST_ANSWER_MS;
      while (unanswered.size > 0 && performance.now() < until) await pause(LOOK_MS, signal);
    },
  };
}
