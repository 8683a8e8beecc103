// Are the ports free, different, and out of the way of outgoing connections?
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { freePorts } from "./ports.js";

describe("freePorts", () => {
  it("gives different ports on which a server can listen", async () => {
    const ports = await freePorts(5);
    expect(new Set(ports).size).toBe(5);
    const servers = await Promise.all(
      ports.map(
        port =>
          new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
            const server = createServer().on("error", reject);
            server.listen(port, "127.0.0.1", () => resolve(server));
          }),
      ),
    );
    for (const server of servers) server.close();
    expect(servers).toHaveLength(5);
  });
});
