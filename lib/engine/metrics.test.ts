// Are metrics served where they are asked for, and nowhere else?
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Metrics } from "./metrics.js";

describe("serve", () => {
  it("opens no port for port 0", () => {
    expect(new Metrics("1.0.0").serve(0, "127.0.0.1", vi.fn())).toBeUndefined();
  });

  it("says why it cannot, and leaves the process alone, when the port is taken", async () => {
    const other = createServer();
    await new Promise<void>(resolve => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;

    const error = await new Promise<Error>(resolve => void new Metrics("1.0.0").serve(port, "127.0.0.1", resolve));

    expect(error.message).toContain("EADDRINUSE");
  });
});
