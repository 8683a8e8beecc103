// Does Flux's controller listen and write only where it is meant to?
import { describe, expect, it } from "vitest";
import { CONTROLLER, controllerArgs, controllerEnv, fluxObjects, FLUX_NAMESPACE } from "./components.js";

const site = { dir: "/d/flux", address: "127.0.0.1" };

describe("controllerArgs", () => {
  it("names each flag once, and each port with the address", () => {
    const args = controllerArgs(site, [1, 2]);
    const flags = args.map(arg => arg.split("=")[0]);
    expect(new Set(flags).size).toBe(flags.length);
    expect(args).toEqual(expect.arrayContaining(["--metrics-addr=127.0.0.1:1", "--health-addr=127.0.0.1:2"]));
  });
});

describe("controllerEnv", () => {
  it("keeps every file in the directory of the clusters", () => {
    const files = Object.values(controllerEnv(site)).filter(value => value.startsWith("/"));
    expect(files).toHaveLength(2);
    for (const file of files) expect(file.startsWith("/d/flux/")).toBe(true);
  });
});

describe("fluxObjects", () => {
  it("gives the account that the controller uses the rights that Flux's own release gives it", () => {
    const subjects = [{ kind: "ServiceAccount", name: CONTROLLER, namespace: FLUX_NAMESPACE }];
    const roleRef = expect.objectContaining({ name: "cluster-admin" }) as unknown;
    expect(fluxObjects()).toContainEqual(expect.objectContaining({ kind: "ClusterRoleBinding", roleRef, subjects }));
  });
});
