// What an API server's refusal means for the caller: retry, give up, or already done.

/** What an API server's refusal may carry beside its words. */
export interface KubeErrorOptions extends ErrorOptions {
  /** What the server asked us to wait, from `Retry-After`. */
  readonly retryAfterMs?: number;
}

/** A non-2xx answer of an API server, with the words of its `Status` object. */
export class KubeError extends Error {
  override readonly name = "KubeError";
  /** What the server asked us to wait, from `Retry-After`; milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    /** HTTP status code; 0 when no answer came at all. */
    readonly status: number,
    /** `reason` of the Status object, such as `NotFound` or `Conflict`; empty when the server gave none. */
    readonly reason: string,
    message: string,
    options: KubeErrorOptions = {},
  ) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A process that has lost its Lease does not write: the next leader may already be at work. */
export class NotLeaderError extends Error {
  override readonly name = "NotLeaderError";
}

/** True when the object (or its namespace, or its kind) is not there. */
export const isNotFound = (error: unknown): boolean => error instanceof KubeError && error.status === 404;

/** True when a precondition (resourceVersion, uid) or a field manager's claim did not hold. */
export const isConflict = (error: unknown): boolean => error instanceof KubeError && error.status === 409;

/** True when the revision asked for has been compacted away. */
export const isExpired = (error: unknown): boolean => error instanceof KubeError && error.status === 410;

/** True when the answer will not change by asking again: the request itself is at fault. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof KubeError)) return false;
  if (error.status === 400 || error.status === 413 || error.status === 422) return true;
  // A server-side apply with a field that the member does not know is answered with 500 (design 6).
  return error.status === 500 && /field not declared in schema|failed to create typed patch object/.test(error.message);
}

/**
 * True when the server said no to this very request, and will say so again until somebody changes something: any 4xx but
 * those that are about the moment (408, 409, 425, 429) or about our credentials (401), and what `isFinal` knows beside them.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof KubeError)) return false;
  const isClientError = error.status >= 400 && error.status < 500;
  return isFinal(error) || (isClientError && !PASSING.has(error.status));
}

const PASSING = new Set([401, 408, 409, 425, 429]);

/** True when nobody answered: refused, reset, timed out. Says nothing about what exists over there. */
export const isUnreachable = (error: unknown): boolean => error instanceof KubeError && error.status === 0;

/** The API server's answer behind an error that was wrapped on its way, or the error itself. */
export function kubeErrorIn(error: unknown): KubeError | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 10 && current instanceof Error; depth++) {
    if (current instanceof KubeError) return current;
    current = current.cause;
  }
  return undefined;
}

/** One line for a log or a condition: the server's words, or the error's own. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return String(error);
}
