// What an HTTP answer of an API server says: a body, or a refusal in the words of its Status object.
import type { Dispatcher } from "undici";
import { KubeError } from "./errors.js";

/** The body as JSON, or as text where it is none (`/readyz` says `ok`). @throws KubeError when it is cut off. */
export function parseBody<T>(text: string, what: string): T {
  if (!text.startsWith("{") && !text.startsWith("[")) return text as T;
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new KubeError(0, "", `${what}: the answer is not JSON: ${reasonOf(error)}`, { cause: error });
  }
}

/** Each line as JSON; what is left without its newline was cut off and is dropped. */
export async function* linesOf<T>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<T> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = rest.indexOf("\n", from); end >= 0; end = rest.indexOf("\n", from)) {
      yield JSON.parse(rest.slice(from, end)) as T;
      from = end + 1;
    }
    rest = rest.slice(from);
  }
}

/** A non-2xx answer as an error; `what` is the request, for answers that say nothing themselves. */
export function refusalOf(answer: Pick<Dispatcher.ResponseData, "statusCode" | "headers">, text: string, what: string) {
  const { reason = "", message } = statusOf(text);
  const words = message ?? (text.slice(0, 300) || `${what}: HTTP ${answer.statusCode}`);
  return new KubeError(answer.statusCode, reason, words, { retryAfterMs: retryAfterOf(answer.headers["retry-after"]) });
}

/** No answer, as an error that names the request. */
export function silenceOf(error: unknown, what: string): KubeError {
  return new KubeError(0, "", `${what}: ${reasonOf(error)}`, { cause: error });
}

function statusOf(text: string): { reason?: string; message?: string } {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** RFC 9110 10.2.3: seconds, or a date (which gateways send). */
function retryAfterOf(header: string | readonly string[] | undefined): number | undefined {
  if (typeof header !== "string") return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return code && !error.message.includes(code) ? `${error.message} (${code})` : error.message;
}
