// Do the parts of Argo CD find each other, and only where they are meant to?
import { describe, expect, it } from "vitest";
import { applicationControllerArgs, argoCdEnv, redisArgs, repoServerArgs, serverArgs } from "./components.js";

const site = { dir: "/d/argocd", address: "127.0.0.1", redisPort: 1, repoServerPort: 2 };

const ALL: readonly (readonly [string, readonly string[]])[] = [
  ["redis", redisArgs(site.address, [1, 9])],
  ["argocd-repo-server", repoServerArgs(site, [2, 3])],
  ["argocd-server", serverArgs(site, [4, 5])],
  ["argocd-application-controller", applicationControllerArgs(site, 6)],
];

describe("the flags of Argo CD's parts", () => {
  it.each(ALL)("start with the name of %s, and name each flag once", (name, args) => {
    expect(args[0]).toBe(name);
    const flags = args.map(arg => arg.split("=")[0]);
    expect(new Set(flags).size).toBe(flags.length);
  });

  it.each(ALL.slice(1))("lead %s to redis", (_name, args) => {
    expect(args).toContain("--redis=127.0.0.1:1");
  });

  it.each(ALL.slice(2))("lead %s to the repo server", (_name, args) => {
    expect(args).toContain("--repo-server=127.0.0.1:2");
  });
});

describe("the environment of Argo CD's parts", () => {
  it("gives each account its own way into the cluster, and the repo server none", () => {
    expect(argoCdEnv(site, "argocd-server")).toHaveProperty("KUBECONFIG", "/d/argocd/argocd-server.kubeconfig");
    expect(argoCdEnv(site)).not.toHaveProperty("KUBECONFIG");
  });

  it("keeps every file in the directory of the clusters", () => {
    const files = Object.values(argoCdEnv(site, "argocd-server")).filter(value => value.startsWith("/"));
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect(file.startsWith("/d/argocd/")).toBe(true);
  });
});
