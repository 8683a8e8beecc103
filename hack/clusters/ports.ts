// Which TCP ports on 127.0.0.1 are free, and stay free while a process is down?
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";

const LOWEST = 12_000;
const TRIES = 200;

/**
 * `count` different free ports. They lie below the range from which the system gives ports to outgoing connections:
 * a process that is killed and started again on its old port must not find a client's socket on it.
 * Another process may still take one before it is used, so the caller tries again when that happens.
 * @throws Error when 200 tries in a row found every port taken.
 */
export async function freePorts(count: number): Promise<number[]> {
  const held: Server[] = [];
  try {
    for (let tries = 0; held.length < count; tries++) {
      if (tries >= TRIES) throw new Error(`no ${count} free TCP ports on 127.0.0.1`);
      const server = await listen(candidate(lowestOutgoingPort()));
      if (server) held.push(server);
    }
    return held.map(portOf);
  } finally {
    await Promise.all(held.map(server => new Promise(done => server.close(done))));
  }
}

/** A port to try; 0 (the system chooses) where outgoing connections leave no room below them. */
function candidate(lowestOutgoing: number): number {
  return lowestOutgoing > LOWEST ? randomInt(LOWEST, lowestOutgoing) : 0;
}

function lowestOutgoingPort(): number {
  try {
    return Number(readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s/)[0]);
  } catch {
    return 0;
  }
}

function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise(resolve => {
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server without a port");
  return address.port;
}
