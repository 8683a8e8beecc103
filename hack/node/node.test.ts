// Do the parts of a real node get the settings on which the rest relies?
import { describe, expect, it } from "vitest";
import { apiserverArgs, type Plane } from "../clusters/components.js";
import { controlPlaneCertificates } from "../clusters/pki.js";
import { machineOf, parseContainer } from "./containers.js";
import { cgroupOf, inMachine, inNetwork } from "./machine.js";
import { cniConfig, containerdConfig, kubeletArgs, kubeletConfig, kubeProxyArgs, type NodePlace } from "./settings.js";

const place: NodePlace = {
  ...{ name: "host-node", dir: "/d/machine", planeDir: "/d/host", address: "10.213.1.2" },
  cgroup: cgroupOf("/d"),
};
const plane: Plane = {
  ...{ name: "host", dir: "/d/host", index: 0, address: "10.213.1.2", etcdPort: 1, role: "ordinary", realNode: true },
};

describe("the settings of a real node", () => {
  it("keep every file in the clusters directory or in what the machine alone has", () => {
    const text = [containerdConfig(place, 1), JSON.stringify([cniConfig(place), kubeletConfig(place, 1, 2)])].join(
      "\n",
    );
    const paths = [...text.matchAll(/"(?:unix:\/\/)?(\/[^"]+)"/g)].map(([, path]) => path ?? "");
    const own = /^\/(d\/|run\/|var\/log\/|usr\/lib\/cni$|holdfast-[0-9a-f]{12}$)/;
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter(path => !own.test(path))).toEqual([]);
  });

  it("listen on the machine's address only", () => {
    const text = [
      containerdConfig(place, 1),
      JSON.stringify(kubeletConfig(place, 1, 2)),
      ...kubeProxyArgs(place, 1, 2),
    ];
    expect(text.join("\n")).not.toMatch(/127\.0\.0\.1|0\.0\.0\.0:/);
  });

  it("name each flag once", () => {
    for (const args of [kubeletArgs(place), kubeProxyArgs(place, 1, 2), apiserverArgs(plane, 1)]) {
      const flags = args.map(arg => arg.split("=")[0]);
      expect(new Set(flags).size).toBe(flags.length);
    }
  });
});

describe("the control plane of a real node", () => {
  it("lets kubelet be no more than its own node", () => {
    expect(apiserverArgs(plane, 1)).toEqual(
      expect.arrayContaining(["--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction"]),
    );
    const kubelet = controlPlaneCertificates(plane).find(({ name }) => name === "kubelet");
    expect(kubelet?.subject).toBe("/O=system:nodes/CN=system:node:host-node");
  });

  it("is known by the address of its Service, which is how pods call it", () => {
    const [apiserver] = controlPlaneCertificates(plane);
    expect(apiserver?.serves).toContain("IP:10.100.0.1");
    expect(apiserver?.serves).toContain("IP:10.213.1.2");
    expect(apiserverArgs(plane, 1)).not.toContain("--endpoint-reconciler-type=none");
  });
});

describe("the machine", () => {
  it("lends its network without its files, and all of it with a leash", () => {
    const machine = { pid: 7 };
    expect(inNetwork(machine).join(" ")).toBe("nsenter --target 7 --net --");
    expect(inMachine(machine).join(" ")).toBe("nsenter --target 7 --net --mount --pid -- setpriv --pdeathsig KILL");
  });

  it("has control groups of its own for each directory", () => {
    expect(cgroupOf("/d")).toMatch(/^holdfast-[0-9a-f]{12}$/);
    expect(cgroupOf("/d")).not.toBe(cgroupOf("/e"));
  });
});

describe("machineOf", () => {
  it("says how a real node comes about where there is none", () => {
    expect(() => machineOf("/nowhere")).toThrow(
      "/nowhere: no real node here; npm run clusters -- up --dir /nowhere --real-node",
    );
  });
});

describe("parseContainer", () => {
  it("says whose container it is", () => {
    const Labels = {
      "io.kubernetes.pod.namespace": "shop",
      "io.kubernetes.pod.name": "web-1",
      "io.kubernetes.container.name": "web",
    };
    expect(parseContainer(JSON.stringify({ ID: "a", Image: "localhost/web:1", Labels }))).toEqual({
      ...{ id: "a", image: "localhost/web:1", namespace: "shop", pod: "web-1", name: "web" },
    });
    expect(parseContainer('{"ID":"b"}')).toEqual({ id: "b", image: "", namespace: "", pod: "", name: "" });
    expect(() => parseContainer("{}")).toThrow("not a container");
  });
});
