// How long may a request wait for the first byte of its answer, its place in the queue included?
import { setMaxListeners } from "node:events";

/** A signal that aborts when the caller's does, or when the time is up before `met()`. Call `end()` when all is read. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The answer has begun: from here on only the caller's signal counts. */
  met(): void;
  /** Lets go of the caller's signal, which may live much longer than the request. */
  end(): void;
}

/**
 * Starts the clock. Not `AbortSignal.any`: on a signal that lives as long as the process it leaves something behind for
 * every request.
 */
export function deadline(ms: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${ms} ms`)), ms);
  const follow = (): void => controller.abort(caller?.reason);
  if (caller?.aborted) follow();
  else if (caller) {
    // One signal may stop any number of requests; Node takes the eleventh for a leak.
    setMaxListeners(0, caller);
    caller.addEventListener("abort", follow, { once: true });
  }
  return {
    signal: controller.signal,
    met: () => clearTimeout(timer),
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", follow);
    },
  };
}

/**
 * The promise's outcome, or the signal's reason as soon as it aborts. undici looks at a signal only once the request has
 * a connection, which can be long after.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
