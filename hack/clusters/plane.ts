// How does one control plane come up?
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Administrator } from "./api.js";
import { bringRealNode } from "../node/real-node.js";
import { apiserverArgs, controllerManagerArgs, kwokArgs, schedulerArgs, type Plane, type Site } from "./components.js";
import type { Fleet } from "./fleet.js";
import { renderKubeconfig } from "./kubeconfig.js";
import { addNode, untilPodsAreAdmitted } from "./node.js";
import { base64File, controlPlaneCertificates, writeCertificates, writeServiceAccountKey } from "./pki.js";
import type { Say } from "./step.js";

type Args = (port: number) => readonly string[];

/** Keys and certificates of a plane; needs no process, so it can be made while etcd starts. */
export async function writePki(site: Site): Promise<void> {
  await writeCertificates(site.dir, `${site.name}-ca`, controlPlaneCertificates(site));
  await writeServiceAccountKey(join(site.dir, "sa.key"));
}

/** API server and controllers; with `nodes`, also a scheduler and a node on which pods turn Ready. */
export async function bringPlane(fleet: Fleet, plane: Plane, nodes: boolean, say: Say): Promise<void> {
  const admin = await bringApiserver(fleet, plane);
  const parts = [bringControllerManager(fleet, plane)];
  const node = (): Promise<void> =>
    plane.realNode ? bringRealNode(fleet, plane, admin, say) : bringNode(fleet, plane, admin);
  if (nodes) parts.push(bringScheduler(fleet, plane), node());
  await Promise.all(parts);
  await untilPodsAreAdmitted(admin, plane.name);
}

async function bringApiserver(fleet: Fleet, plane: Plane): Promise<Administrator> {
  const port = await bringServing(fleet, plane, "apiserver", port => apiserverArgs(plane, port));
  const users = controlPlaneCertificates(plane)
    .map(({ name }) => name)
    .filter(name => name !== "apiserver");
  const server = `https://${plane.address}:${port}`;
  await Promise.all(users.map(user => writeKubeconfig(plane, server, user)));
  fleet.addCluster(plane.name, { kubeconfig: join(plane.dir, "admin.kubeconfig"), server });
  return { server, dir: plane.dir };
}

async function bringControllerManager(fleet: Fleet, plane: Plane): Promise<void> {
  await bringServing(fleet, plane, "controller-manager", port => controllerManagerArgs(plane, port));
}

async function bringScheduler(fleet: Fleet, plane: Plane): Promise<void> {
  await bringServing(fleet, plane, "scheduler", port => schedulerArgs(plane, port));
}

/** A component that serves HTTPS with the plane's certificate: all but kwok. */
async function bringServing(fleet: Fleet, plane: Plane, component: string, args: Args): Promise<number> {
  const path = component === "apiserver" ? "readyz" : "healthz";
  const [port = 0] = await fleet.bring(`${plane.name}-${component}`, 1, ([port = 0]) => ({
    argv: [fleet.state.binaries.kubernetes, ...args(port)],
    probe: { url: `https://${plane.address}:${port}/${path}`, ca: join(plane.dir, "ca.crt") },
  }));
  return port;
}

async function bringNode(fleet: Fleet, plane: Plane, admin: Administrator): Promise<void> {
  await fleet.bring(`${plane.name}-kwok`, 1, ([port = 0]) => ({
    argv: [fleet.state.binaries.kwok, ...kwokArgs(plane, port)],
    probe: { url: `http://${plane.address}:${port}/healthz` },
  }));
  await addNode(admin, plane.name);
}

async function writeKubeconfig({ name, dir }: Plane, server: string, user: string): Promise<void> {
  const data = (file: string): Promise<string> => base64File(dir, file);
  const [caData, certData, keyData] = await Promise.all([data("ca.crt"), data(`${user}.crt`), data(`${user}.key`)]);
  const credentials = { kind: "certificate" as const, certData, keyData };
  const text = renderKubeconfig({ cluster: name, server, caData, user, credentials });
  await writeFile(join(dir, `${user}.kubeconfig`), text, { mode: 0o600 });
}
