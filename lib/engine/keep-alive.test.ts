// Does a server that somebody else has made keep its idle connections?
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepIdleConnections } from "./keep-alive.js";

let server: Server;

beforeAll(async () => {
  keepIdleConnections();
  server = createServer((_request, response) => void response.end());
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => void server.close().closeAllConnections());

it("promises to keep a connection for longer than an API server does", async () => {
  const { port } = server.address() as AddressInfo;
  // What the first answer says was set before the request was looked at.
  await fetch(`http://127.0.0.1:${port}/`);

  const { headers } = await fetch(`http://127.0.0.1:${port}/`);

  expect(Number(/timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1])).toBeGreaterThan(90);
});
