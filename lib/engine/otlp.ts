// How do spans get to a collector? OTLP over HTTP as JSON (opentelemetry.io/docs/specs/otlp), in batches, and never in the way.
//
// By hand and not by the OpenTelemetry SDK: of it one request would be used, and its modules would lie in the memory of everybody
// who traces nothing.
import { randomBytes } from "node:crypto";
import type { Logger } from "./log.js";
import type { Runnable } from "./runnable.js";

/** One piece of work. Ids are hex: 32 digits for the trace, 16 for the span; times in milliseconds since 1970. */
export interface Span {
  readonly traceId: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** What went wrong; absent where nothing did. */
  readonly error?: string;
}

/** Where spans go, and as whose. */
export interface OtlpOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT: the base, such as `http://collector:4318`. */
  readonly endpoint: string;
  /** OTEL_EXPORTER_OTLP_HEADERS: `key=value` with commas between; values may be percent-encoded. */
  readonly headers?: string;
  /** `service.name` and other facts about this process. */
  readonly resource: Readonly<Record<string, string>>;
  /** How often what has gathered is sent, milliseconds. */
  readonly everyMs?: number;
}

/** Takes spans; sends them in the background. */
export interface SpanExporter extends Runnable {
  add(span: Span): void;
}

const EVERY_MS = 5_000;
/** What a collector does not take in time is lost: traces are no reason to use memory up. */
const MOST = 4_096;
const PATIENCE_MS = 5_000;
const [STATUS_OK, STATUS_ERROR] = [1, 2];
const KIND_INTERNAL = 1;

/** @throws Error for an endpoint or headers that cannot be used; without their words, which may be credentials */
export function spanExporter(options: OtlpOptions, log: Logger): SpanExporter {
  const { url, headers } = destinationOf(options);
  let waiting: Span[] = [];
  let dropped = 0;
  let lastError = "";
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    const spans = waiting;
    waiting = [];
    try {
      const body = JSON.stringify(requestOf(spans, options.resource));
      const answer = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(PATIENCE_MS) });
      if (answer.ok) lastError = "";
      else fail(spans, `HTTP ${answer.status}`);
    } catch (error) {
      fail(spans, nameOf(error));
    }
  }

  function fail(spans: readonly Span[], error: string): void {
    dropped += spans.length;
    complain(error);
  }

  function complain(error: string): void {
    // Once, and not every few seconds.
    if (error !== lastError) log.warn("spans not taken", { collector: url.origin, error, dropped });
    lastError = error;
  }

  return {
    add(span) {
      if (waiting.length < MOST) waiting.push(span);
      else dropped++;
    },
    start() {
      timer = setInterval(() => void flush(), options.everyMs ?? EVERY_MS);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

function destinationOf({ endpoint, headers }: OtlpOptions): { readonly url: URL; readonly headers: Headers } {
  try {
    const url = new URL(`${endpoint.replace(/\/$/, "")}/v1/traces`);
    const all = new Headers({ ...headersIn(headers), "content-type": "application/json" });
    if (url.username || url.password) {
      const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
      if (!all.has("authorization")) all.set("authorization", `Basic ${Buffer.from(login).toString("base64")}`);
      [url.username, url.password] = ["", ""];
    }
    return { url, headers: all };
  } catch {
    throw new Error("OTEL_EXPORTER_OTLP_ENDPOINT is no URL, or OTEL_EXPORTER_OTLP_HEADERS no list of key=value");
  }
}

/** What kind of failure it was, as `ECONNREFUSED`: its message may quote a header. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const cause = error.cause;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}

/** Pure. @throws URIError for a value that is not percent-encoded well */
export function headersIn(text = ""): Record<string, string> {
  const pairs = text.split(",").map(pair => pair.split(/=(.*)/s));
  return Object.fromEntries(
    pairs.flatMap(([key = "", value = ""]) =>
      key.trim() ? [[key.trim().toLowerCase(), decodeURIComponent(value.trim())]] : [],
    ),
  ) as Record<string, string>;
}

/** An ExportTraceServiceRequest. */
function requestOf(spans: readonly Span[], resource: OtlpOptions["resource"]): object {
  const scopeSpans = [{ scope: { name: "holdfast" }, spans: spans.map(spanOf) }];
  return { resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] };
}

function spanOf({ traceId, name, startMs, endMs, attributes, error }: Span): object {
  return {
    ...{ traceId, name, kind: KIND_INTERNAL, spanId: randomBytes(8).toString("hex") },
    ...{ startTimeUnixNano: nanos(startMs), endTimeUnixNano: nanos(endMs) },
    attributes: attributesOf(attributes),
    status: error === undefined ? { code: STATUS_OK } : { code: STATUS_ERROR, message: error },
  };
}

function attributesOf(attributes: Readonly<Record<string, string>>): object[] {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
}

/** Whole numbers of this size only fit into text. */
function nanos(ms: number): string {
  return `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;
}
