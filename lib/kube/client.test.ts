// Do requests, of whatever kind, share the client's connections?
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KubeClient, type RequestOptions } from "./client.js";

describe("KubeClient", () => {
  let server: Server;
  let client: KubeClient;
  let connections = 0;

  beforeEach(async () => {
    connections = 0;
    server = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
    });
    server.on("connection", () => connections++);
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    client = new KubeClient({ server: `http://127.0.0.1:${port}` }, { connections: 1 });
  });

  afterEach(async () => {
    await client.close();
    await new Promise(resolve => server.close(resolve));
  });

  const preconditions: RequestOptions = { body: { kind: "DeleteOptions", preconditions: { uid: "a" } } };
  const patch: RequestOptions = { body: [], patch: "json" };

  it.each`
    request                          | method      | options
    ${"a read"}                      | ${"GET"}    | ${{}}
    ${"a create"}                    | ${"POST"}   | ${{ body: {} }}
    ${"a patch"}                     | ${"PATCH"}  | ${patch}
    ${"a delete"}                    | ${"DELETE"} | ${{}}
    ${"a delete with preconditions"} | ${"DELETE"} | ${preconditions}
  `("opens no new connection after $request", async ({ method, options }) => {
    for (let count = 0; count < 5; count++) await client.request(method, "/api/v1/pods/a", options);

    expect(connections).toBe(1);
  });
});
