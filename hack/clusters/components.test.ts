// Do the components get the flags on which the rest relies?
import { describe, expect, it } from "vitest";
import { apiserverArgs, controllerManagerArgs, etcdArgs, kwokArgs, schedulerArgs, type Plane } from "./components.js";

const plane: Plane = {
  name: "member1",
  dir: "/d/member1",
  index: 1,
  address: "127.0.0.1",
  etcdPort: 5000,
  role: "member",
};

describe("the flags of a control plane", () => {
  it.each([
    ["etcd", etcdArgs("/d/etcd", "127.0.0.1", 1, 2)],
    ["kube-apiserver", apiserverArgs(plane, 1)],
    ["kube-controller-manager", controllerManagerArgs(plane, 1)],
    ["kube-scheduler", schedulerArgs(plane, 1)],
  ])("start with the name of %s", (name, args) => {
    expect(args[0]).toBe(name);
  });

  it("name each flag once", () => {
    const all = [etcdArgs("/d/etcd", "127.0.0.1", 1, 2), apiserverArgs(plane, 1), controllerManagerArgs(plane, 1)];
    for (const args of [...all, schedulerArgs(plane, 1), kwokArgs(plane, 1)]) {
      const flags = args.map(arg => arg.split("=")[0]);
      expect(new Set(flags).size).toBe(flags.length);
    }
  });

  it("keep planes that share an etcd apart, and give each its own Service addresses", () => {
    const other = apiserverArgs({ ...plane, name: "member2", index: 2 }, 2);
    const own = (args: readonly string[]): string[] => args.filter(arg => /etcd-prefix|cluster-ip-range/.test(arg));
    expect(own(apiserverArgs(plane, 1))).toEqual([
      "--etcd-prefix=/member1",
      "--service-cluster-ip-range=10.101.0.0/16",
    ]);
    expect(own(other)).toEqual(["--etcd-prefix=/member2", "--service-cluster-ip-range=10.102.0.0/16"]);
  });

  it("listen on this machine only", () => {
    const served = [apiserverArgs(plane, 1), controllerManagerArgs(plane, 1), schedulerArgs(plane, 1)];
    for (const args of served) expect(args).toContain("--bind-address=127.0.0.1");
    expect(etcdArgs("/d", "127.0.0.1", 1, 2).filter(arg => /https?:\/\/(?!127\.0\.0\.1:)/.test(arg))).toEqual([]);
    expect(kwokArgs(plane, 7)).toContain("--server-address=127.0.0.1:7");
  });

  it("run no workload controller on a bare host, and all controllers on an ordinary one and in a member", () => {
    const controllers = (role: Plane["role"]): string | undefined =>
      controllerManagerArgs({ ...plane, role }, 1).find(arg => arg.startsWith("--controllers="));
    expect(controllers("member")).toBeUndefined();
    expect(controllers("ordinary")).toBeUndefined();
    expect(controllers("controlPlane")).toContain("namespace-controller");
    expect(controllers("controlPlane")).not.toMatch(
      /deployment|replicaset|statefulset|daemonset|job-controller|cronjob/,
    );
  });
});
