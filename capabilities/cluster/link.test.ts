// Does what a Cluster and its Secret say become a connection, or a sentence that helps?
import { describe, expect, it } from "vitest";
import type { Cluster } from "../../crds/cluster.js";
import type { KubeObject } from "../../crds/object.js";
import { isLink, linkOf, type Link } from "./link.js";
import { clusterWith } from "./samples.js";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const secret = (data: Record<string, string>): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "m1", namespace: "karmada-cluster" },
  data,
});
const good = secret({ token: base64("abc\n"), caBundle: base64("PEM") });

function link(cluster: Cluster, from: KubeObject = good): Link {
  const answer = linkOf(cluster, from);
  if (!isLink(answer)) throw new Error(answer.message);
  return answer;
}

describe("linkOf", () => {
  it("takes address, trust and token", () => {
    const { connection, token } = link(clusterWith());

    expect({ server: connection.server, ca: connection.ca, token }).toEqual({
      server: "https://m1.example:6443",
      ca: "PEM",
      token: "abc",
    });
  });

  it("does not check certificates where the Cluster says so", () => {
    const { connection } = link(clusterWith({ insecureSkipTLSVerification: true }));

    expect(connection).toMatchObject({ insecure: true, ca: undefined });
  });

  it("keeps the connection when only the token is another one, and not when the trust is", () => {
    const before = link(clusterWith()).fingerprint;

    expect(link(clusterWith(), secret({ token: base64("new"), caBundle: base64("PEM") })).fingerprint).toBe(before);
    expect(link(clusterWith(), secret({ token: base64("abc"), caBundle: base64("CA2") })).fingerprint).not.toBe(before);
  });

  it.each`
    cluster                                      | from          | says                                      | sentence
    ${clusterWith()}                             | ${undefined}  | ${"Secret karmada-cluster/m1"}            | ${"names a Secret that is not there"}
    ${clusterWith()}                             | ${secret({})} | ${"has no key token"}                     | ${"names the key that a Secret lacks"}
    ${clusterWith({ apiEndpoint: undefined })}   | ${good}       | ${"spec.apiEndpoint: Required value"}     | ${"asks for an address"}
    ${clusterWith({ apiEndpoint: "m1:6443" })}   | ${good}       | ${'spec.apiEndpoint: "m1:6443" is not'}   | ${"refuses an address that is no URL"}
    ${clusterWith({ secretRef: undefined })}     | ${good}       | ${"spec.secretRef: Required value"}       | ${"asks for a Secret"}
    ${clusterWith({ proxyURL: "socks5://p:1" })} | ${good}       | ${'spec.proxyURL: "socks5://p:1" is not'} | ${"refuses a proxy that it cannot use"}
  `("$sentence", ({ cluster, from, says }: { cluster: Cluster; from?: KubeObject; says: string }) => {
    const answer = linkOf(cluster, from);

    expect(isLink(answer) ? "a link" : answer.message).toContain(says);
  });
});
