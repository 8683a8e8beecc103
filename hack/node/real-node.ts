// How does a node with a real kubelet and real containers come up?
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, type Administrator, type Answer } from "../clusters/api.js";
import { ensurePause } from "../clusters/binaries.js";
import type { Plane } from "../clusters/components.js";
import type { Fleet } from "../clusters/fleet.js";
import { isReady, nodeName } from "../clusters/node.js";
import { until } from "../clusters/ready.js";
import type { Say } from "../clusters/step.js";
import { importImage } from "./containers.js";
import { cgroupOf, type Machine } from "./machine.js";
import { writePauseImage } from "./pause-image.js";
import { cniConfig, containerdConfig, kubeletArgs, kubeletConfig, kubeProxyArgs, type NodePlace } from "./settings.js";

/** containerd, kubelet and kube-proxy of a control plane in the machine; returns when the node is Ready. */
export async function bringRealNode(fleet: Fleet, plane: Plane, admin: Administrator, say: Say): Promise<void> {
  const { machine, dir } = fleet.state;
  if (!machine) throw new Error("a real node needs a machine");
  const place: NodePlace = {
    ...{ name: nodeName(plane.name), dir: join(dir, "machine"), planeDir: plane.dir },
    ...{ address: machine.address, cgroup: cgroupOf(dir) },
  };
  say("node: starting containerd, kube-proxy and kubelet");
  await writeFiles(place);
  await bringContainers(fleet, place);
  await importPause(machine, place, say);
  await bringKubelet(fleet, place);
  const node = (): Promise<Answer> => ask(admin, "GET", `/api/v1/nodes/${place.name}`);
  // kube-proxy asks for its node once and then only seldom: it comes when there is one.
  await until(`${plane.name} has a node`, async () => (await node()).status === 200);
  await bringProxy(fleet, place);
  await until(`the node of ${plane.name} is Ready`, async () => isReady((await node()).body));
}

async function writeFiles(place: NodePlace): Promise<void> {
  for (const name of ["cni", "kubelet", "containerd", "plugins"])
    await mkdir(join(place.dir, name), { recursive: true });
  await writeFile(join(place.dir, "cni", "10-pods.conflist"), JSON.stringify(cniConfig(place)));
  // No name server: a pod that asked one would ask this machine's, and get answers that another machine does not give.
  await writeFile(join(place.dir, "resolv.conf"), "");
}

async function bringContainers(fleet: Fleet, place: NodePlace): Promise<void> {
  const file = join(place.dir, "containerd.toml");
  await fleet.bring("host-containerd", 1, async ([port = 0]) => {
    await writeFile(file, containerdConfig(place, port));
    const probe = { url: `http://${place.address}:${port}/v1/metrics` };
    return { argv: ["containerd", "--config", file], probe, inside: "machine" };
  });
}

async function importPause(machine: Machine, place: NodePlace, say: Say): Promise<void> {
  const file = join(place.dir, "pause.tar");
  await writePauseImage(await ensurePause(say), file);
  await importImage(machine, file);
}

async function bringKubelet(fleet: Fleet, place: NodePlace): Promise<void> {
  await fleet.bring("host-kubelet", 2, async ([port = 0, health = 0]) => {
    await writeFile(join(place.dir, "kubelet.json"), JSON.stringify(kubeletConfig(place, port, health)));
    const argv = [fleet.state.binaries.kubernetes, ...kubeletArgs(place)];
    return { argv, probe: { url: `http://${place.address}:${health}/healthz` }, inside: "machine" };
  });
}

async function bringProxy(fleet: Fleet, place: NodePlace): Promise<void> {
  await fleet.bring("host-kube-proxy", 2, ([health = 0, metrics = 0]) => ({
    argv: [fleet.state.binaries.kubernetes, ...kubeProxyArgs(place, health, metrics)],
    probe: { url: `http://${place.address}:${health}/healthz` },
    inside: "machine",
  }));
}
