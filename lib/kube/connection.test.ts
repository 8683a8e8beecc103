// Does a kubeconfig become the connection it describes?
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectionOf } from "./connection.js";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function configOf(user: object, cluster: object = {}): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c", cluster: { server: "https://10.0.0.1:6443/k8s", ...cluster } }],
      users: [{ name: "u", user }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    }),
  );
  return config;
}

describe("connectionOf", () => {
  it("reads address, trust and client certificate", async () => {
    const user = { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY") };
    const cluster = { "certificate-authority-data": base64("CA"), "tls-server-name": "kube.example" };

    const connection = await connectionOf(configOf(user, cluster));

    expect(connection).toMatchObject({
      server: "https://10.0.0.1:6443/k8s",
      ca: Buffer.from("CA"),
      cert: Buffer.from("CERT"),
      key: Buffer.from("KEY"),
      serverName: "kube.example",
    });
    expect(await connection.authorization?.()).toBeUndefined();
  });

  it.each`
    what                        | user                                      | header
    ${"a token"}                | ${{ token: "abc" }}                       | ${"Bearer abc"}
    ${"a token with a newline"} | ${{ token: "abc\n" }}                     | ${"Bearer abc"}
    ${"a name and a password"}  | ${{ username: "me", password: "sécret" }} | ${`Basic ${base64("me:sécret")}`}
  `("sends $what as $header", async ({ user, header }: { user: object; header: string }) => {
    const connection = await connectionOf(configOf(user));

    expect(await connection.authorization?.()).toBe(header);
  });

  it("speaks for somebody else where the kubeconfig says so", async () => {
    const connection = await connectionOf(configOf({ token: "abc", as: "jane" }));

    expect(connection.headers).toEqual({ "Impersonate-User": "jane" });
  });

  it.each`
    field                         | cluster                                 | expected
    ${"insecure-skip-tls-verify"} | ${{ "insecure-skip-tls-verify": true }} | ${{ insecure: true }}
    ${"proxy-url"}                | ${{ "proxy-url": "http://proxy:3128" }} | ${{ proxyUrl: "http://proxy:3128" }}
  `("honours $field", async ({ cluster, expected }: { cluster: object; expected: object }) => {
    expect(await connectionOf(configOf({}, cluster))).toMatchObject(expected);
  });

  it("reads a token file again when its token was refused, and only then within the minute", async () => {
    const dir = mkdtempSync(join(tmpdir(), "token-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const tokenFile = join(dir, "token");
    writeFileSync(tokenFile, "first");
    const connection = await connectionOf(configOf({ "auth-provider": { name: "tokenFile", config: { tokenFile } } }));
    const first = await connection.authorization?.();
    writeFileSync(tokenFile, "second");

    expect([first, await connection.authorization?.(), await connection.authorization?.(true)]).toEqual([
      "Bearer first",
      "Bearer first",
      "Bearer second",
    ]);
  });

  it("says what to do when there is no current context", async () => {
    await expect(connectionOf(new KubeConfig())).rejects.toThrow("set current-context");
  });
});
