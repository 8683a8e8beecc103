// Does the process start from its environment, and say what is wrong in it?
import { describe, expect, it } from "vitest";
import { newIdentity, readConfig } from "./config.js";

describe("readConfig", () => {
  it("has a default for everything", () => {
    expect(readConfig({})).toEqual({
      PEPR_WATCH_MODE: "false",
      PORT: 3000,
      HOLDFAST_METRICS_PORT: 9090,
      HOLDFAST_METRICS_HOST: "127.0.0.1",
      POD_NAMESPACE: "holdfast-system",
      LOG_LEVEL: "info",
      HOLDFAST_HOST_KIND: "auto",
      HOLDFAST_DRAIN_SECONDS: 0,
      HOLDFAST_TASK: "serve",
      HOLDFAST_TASK_SECONDS: 100,
      OTEL_SERVICE_NAME: "holdfast",
      SSL_CERT_PATH: "/etc/certs/tls.crt",
      SSL_KEY_PATH: "/etc/certs/tls.key",
    });
  });

  it("reads numbers, and ignores what is not its own", () => {
    const config = readConfig({ PORT: "8443", HOLDFAST_METRICS_PORT: "0", PEPR_WATCH_MODE: "true", HOME: "x" });
    expect(config).toMatchObject({ PORT: 8443, HOLDFAST_METRICS_PORT: 0, PEPR_WATCH_MODE: "true" });
    expect(config).not.toHaveProperty("HOME");
  });

  it("logs at info when the level is none of its own, since Pepr has levels that we do not", () => {
    expect(readConfig({ LOG_LEVEL: "trace" }).LOG_LEVEL).toBe("info");
  });

  it.each`
    variable                    | value
    ${"PORT"}                   | ${"https"}
    ${"PORT"}                   | ${"65536"}
    ${"PORT"}                   | ${"80.5"}
    ${"HOLDFAST_METRICS_PORT"}  | ${"-1"}
    ${"PEPR_WATCH_MODE"}        | ${"yes"}
    ${"HOLDFAST_HOST_KIND"}     | ${"cloud"}
    ${"HOLDFAST_DRAIN_SECONDS"} | ${"11"}
    ${"HOLDFAST_TASK"}          | ${"install"}
  `("refuses $variable=$value by name", ({ variable, value }: { variable: string; value: string }) => {
    expect(() => readConfig({ [variable]: value })).toThrow(`${variable}: `);
  });

  it("names every wrong variable at once", () => {
    expect(() => readConfig({ PORT: "x", HOLDFAST_HOST_KIND: "y" })).toThrow(/PORT: .*; HOLDFAST_HOST_KIND: /);
  });
});

describe("newIdentity", () => {
  it("is another at every start, and names the machine", () => {
    const [one, two] = [newIdentity(), newIdentity()];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^.+_[0-9a-f-]{36}$/);
  });
});
