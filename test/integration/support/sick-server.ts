// How does an API server look that answers every request, but says that it is not well?
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { accessTo } from "./engine.js";

/** An address in front of a cluster's API server; from `fallSick()` on its health check fails. Closed with the test. */
export async function sickServerBefore(cluster: string): Promise<{ readonly url: string; fallSick(): void }> {
  const target = new URL(accessTo(cluster).server);
  let sick = false;
  const server = createServer((asked, answer) => {
    if (sick && /^\/(readyz|healthz)/.test(asked.url ?? "")) return void answer.writeHead(500).end("etcd failed");
    forward(target, asked, answer);
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, fallSick: () => void (sick = true) };
}

function forward({ hostname, port }: URL, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, url: path, headers } = asked;
  const onward = request({ hostname, port, method, path, headers, rejectUnauthorized: false }, said => {
    answer.writeHead(said.statusCode ?? 502, said.headers);
    said.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  answer.on("close", () => onward.destroy());
  asked.pipe(onward);
}
