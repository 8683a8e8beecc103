// Do spans reach a collector as OTLP, and is one that does not take them no trouble?
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { silentLog } from "./log.js";
import { headersIn, spanExporter, type Span } from "./otlp.js";

interface Taken {
  readonly url?: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

async function collector(status = 200): Promise<{ readonly endpoint: string; readonly taken: Taken[] }> {
  const taken: Taken[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      taken.push({ url: request.url, headers: request.headers, body: JSON.parse(text) as unknown });
      response.writeHead(status).end("{}");
    });
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, taken };
}

const span = (more: Partial<Span> = {}): Span => ({
  ...{ traceId: "ab".repeat(16), name: "reconcile work", startMs: 1_700_000_000_000.25, endMs: 1_700_000_000_001 },
  ...{ attributes: { "holdfast.key": "shop/web" }, ...more },
});
const resource = { "service.name": "holdfast" };

describe("spanExporter", () => {
  it("sends what has gathered in one request, the rest when it stops", async () => {
    const { endpoint, taken } = await collector();
    const exporter = spanExporter(
      { endpoint: `${endpoint}/`, headers: "X-Key=a%20b", resource, everyMs: 20 },
      silentLog,
    );
    await exporter.start();
    exporter.add(span());
    exporter.add(span({ error: "refused" }));
    await vi.waitFor(() => expect(taken).toHaveLength(1));
    exporter.add(span());
    await exporter.stop();

    expect(taken).toHaveLength(2);
    expect(taken[0]).toMatchObject({
      url: "/v1/traces",
      headers: { "x-key": "a b", "content-type": "application/json" },
    });
    expect(taken[0]?.body).toMatchObject({
      resourceSpans: [
        {
          resource: { attributes: [{ key: "service.name", value: { stringValue: "holdfast" } }] },
          scopeSpans: [
            {
              spans: [
                {
                  traceId: "ab".repeat(16),
                  spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
                  startTimeUnixNano: "1700000000000250000",
                  endTimeUnixNano: "1700000000001000000",
                  attributes: [{ key: "holdfast.key", value: { stringValue: "shop/web" } }],
                  status: { code: 1 },
                },
                { status: { code: 2, message: "refused" } },
              ],
            },
          ],
        },
      ],
    });
  });

  it("says once that the collector takes nothing, and goes on", async () => {
    const { endpoint, taken } = await collector(503);
    const warn = vi.fn();
    const exporter = spanExporter({ endpoint, resource, everyMs: 10 }, { ...silentLog, warn });
    await exporter.start();
    for (const tries of [1, 2, 3]) {
      exporter.add(span());
      await vi.waitFor(() => expect(taken).toHaveLength(tries));
    }
    await exporter.stop();
    expect(warn).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledWith("spans not taken", { collector: endpoint, error: "HTTP 503", dropped: 1 });
  });

  it("holds no more than it may while nobody takes them", async () => {
    const { endpoint, taken } = await collector();
    const exporter = spanExporter({ endpoint, resource }, silentLog);
    for (let n = 0; n < 5_000; n++) exporter.add(span());
    await exporter.stop();
    expect(JSON.stringify(taken[0]?.body).match(/spanId/g)).toHaveLength(4_096);
  });
});

describe("credentials of a collector", () => {
  it("in the endpoint are sent as a header", async () => {
    const { endpoint, taken } = await collector();
    const exporter = spanExporter({ endpoint: endpoint.replace("//", "//me:p%40ss@"), resource }, silentLog);
    exporter.add(span());
    await exporter.stop();
    expect(taken[0]?.headers.authorization).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
  });

  it.each([
    { endpoint: "http://me:s3cret@127.0.0.1:1" },
    { endpoint: "http://127.0.0.1:1", headers: "authorization=Bearer s3cret" },
  ])("are in no line of the log", async options => {
    const warn = vi.fn();
    const exporter = spanExporter({ ...options, resource }, { ...silentLog, warn });
    exporter.add(span());
    await exporter.stop();
    expect(warn).toHaveBeenCalledOnce();
    expect(JSON.stringify(warn.mock.calls)).not.toContain("s3cret");
  });

  it.each([
    { endpoint: "s3cret" },
    { endpoint: "http://127.0.0.1:1", headers: "authorization=Basic s3cret%c" },
    { endpoint: "http://127.0.0.1:1", headers: "authorization=Bearer s3cret%0Amore" },
  ])("that cannot be used are refused without being told", options => {
    expect(() => spanExporter({ ...options, resource }, silentLog)).toThrow(/^OTEL_EXPORTER_OTLP_ENDPOINT is no URL/);
  });
});

describe("headersIn", () => {
  it.each([
    ["", {}],
    ["a=b", { a: "b" }],
    ["A=b=c , d=e%2Cf", { a: "b=c", d: "e,f" }],
  ])("reads %s", (text, headers) => {
    expect(headersIn(text)).toEqual(headers);
  });
});
