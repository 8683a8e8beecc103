// Can one kubeconfig speak to all clusters, each as its own user?
import { describe, expect, it } from "vitest";
import { renderKubeconfig } from "../clusters/kubeconfig.js";
import { mergeKubeconfigs } from "./kubeconfig.js";

function kubeconfig(cluster: string, port: number): string {
  const server = `https://127.0.0.1:${port}`;
  const credentials = { kind: "token" as const, token: `token of ${cluster}` };
  return renderKubeconfig({ cluster, server, caData: "ca", user: "admin", credentials });
}

describe("mergeKubeconfigs", () => {
  const merged = JSON.parse(
    mergeKubeconfigs({ host: kubeconfig("host", 1), member1: kubeconfig("member1", 2) }, "host"),
  );

  it("has a context for every cluster and means the one it was told", () => {
    expect(merged.contexts).toEqual([
      { name: "host", context: { cluster: "host", user: "host" } },
      { name: "member1", context: { cluster: "member1", user: "member1" } },
    ]);
    expect(merged["current-context"]).toBe("host");
  });

  it("keeps users apart that had the same name", () => {
    expect(merged.users).toEqual([
      { name: "host", user: { token: "token of host" } },
      { name: "member1", user: { token: "token of member1" } },
    ]);
  });

  it("keeps where each cluster is and what its certificate is checked with", () => {
    expect(merged.clusters[1]).toEqual({
      name: "member1",
      cluster: { server: "https://127.0.0.1:2", "certificate-authority-data": "ca" },
    });
  });
});
