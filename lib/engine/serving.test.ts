// Do servers that somebody else has made keep idle connections, answer to the last, and change their certificate while they run?
import { createServer, request, type Server } from "node:http";
import { createServer as createSecureServer, Agent, get } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { keyPairFor } from "./key-pair-for-tests.js";
import { watchServers } from "./serving.js";

let server: Server;
const serving = watchServers();

/** Answers when told to, where the path says so. */
let answer: () => void = () => {};

beforeAll(async () => {
  server = createServer((asked, response) => {
    if (asked.url !== "/slow") return void response.end("now");
    answer = () => void response.end("late");
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => void server.close().closeAllConnections());

const urlOf = (path = "/"): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

describe("watchServers", () => {
  it("promises to keep a connection for longer than an API server does", async () => {
    // What the first answer says was set before the request was looked at.
    await fetch(urlOf());

    const { headers } = await fetch(urlOf());

    expect(Number(/timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1])).toBeGreaterThan(90);
  });

  it("gives a running server the new certificate, and leaves open connections alone", async () => {
    const [first, second] = [keyPairFor("first", 10), keyPairFor("second", 10)];
    const secure = createSecureServer(first, (_request, response) => void response.end());
    await new Promise<void>(resolve => secure.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void secure.close().closeAllConnections());
    const { port } = secure.address() as AddressInfo;
    const kept = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    onTestFinished(() => kept.destroy());
    const nameOver = (agent: Agent): Promise<string> =>
      new Promise((resolve, reject) => {
        get({ port, host: "127.0.0.1", agent }, response => {
          const { subject } = (response.socket as TLSSocket).getPeerCertificate();
          response.resume().on("end", () => resolve(String(subject.CN)));
        }).on("error", reject);
      });
    const before = await nameOver(kept);

    serving.useCertificate(second);

    const fresh = new Agent({ rejectUnauthorized: false, maxCachedSessions: 0 });
    expect([before, await nameOver(kept), await nameOver(fresh)]).toEqual(["first", "first", "second"]);
  });

  it("answers who still asks while it drains, and sends each of them to another connection", async () => {
    const slow = new Promise<string>((resolve, reject) => {
      const asked = request(urlOf("/slow"), response => {
        response.on("data", chunk => resolve(String(chunk)));
      });
      asked.on("error", reject).end();
    });
    await expect.poll(() => answer.toString()).toContain("late");
    let drained = false;

    const end = serving.drain(50).then(() => (drained = true));
    const { headers } = await fetch(urlOf());
    await new Promise(resolve => setTimeout(resolve, 200));

    expect({ connection: headers.get("connection"), drained }).toEqual({ connection: "close", drained: false });
    answer();
    expect(await slow).toBe("late");
    await end;
  });
});
