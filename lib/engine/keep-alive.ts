// How long does a server of this process keep a connection that nothing comes over?
import { subscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";

/**
 * Longer than an API server keeps idle connections to its webhooks (90 s, the default of Go's transport): the side that sends
 * must be the one that closes. Node's own 5 s end connections over which a request is on its way, and that request, a
 * person's `kubectl apply`, is then refused with "broken pipe".
 */
const IDLE_MS = 120_000;

/**
 * Makes every HTTP server of this process patient, from its first request on. Pepr makes the server of the webhooks itself and
 * hands it to nobody; Node's own channel of requests tells which it is.
 */
export function keepIdleConnections(): void {
  subscribe("http.server.request.start", message => {
    const { server } = message as { readonly server: Server };
    server.keepAliveTimeout = IDLE_MS;
  });
}
