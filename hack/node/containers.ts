// What does containerd on a real node have, by its own word?
import { readState } from "../clusters/state.js";
import { runStep } from "../clusters/step.js";
import { inMachine, type Machine } from "./machine.js";
import { NODE_PATH } from "./programs.js";

/** A container, as containerd knows it, and the pod that it is of. */
export interface Container {
  readonly id: string;
  readonly image: string;
  readonly namespace: string;
  readonly pod: string;
  /** The container's name in the pod; empty for the pod's sandbox. */
  readonly name: string;
}

/** `ctr` in the namespace that kubelet's containers are in. @throws Error with its words. */
export function ctr(machine: Machine, ...args: readonly string[]): Promise<string> {
  const argv = [...inMachine(machine), "ctr", "--namespace", "k8s.io", ...args];
  return runStep({ label: `ctr ${args.slice(0, 2).join(" ")}`, argv, env: { PATH: NODE_PATH } });
}

/** The real node of a clusters directory. @throws Error that says what to do, where there is none */
export function machineOf(dir: string): Machine {
  const machine = readState(dir)?.machine;
  if (!machine) throw new Error(`${dir}: no real node here; npm run clusters -- up --dir ${dir} --real-node`);
  return machine;
}

/** Imports an image archive; the node then needs no registry for it. */
export async function importImage(machine: Machine, archive: string): Promise<void> {
  await ctr(machine, "images", "import", archive);
}

/** All containers that exist, running or not; one that goes while it is being asked about is none. */
export async function containers(machine: Machine): Promise<Container[]> {
  const ids = (await ctr(machine, "containers", "list", "--quiet")).split("\n").filter(Boolean);
  const found = await Promise.all(ids.map(id => container(machine, id)));
  return found.filter(one => one !== undefined);
}

async function container(machine: Machine, id: string): Promise<Container | undefined> {
  try {
    return parseContainer(await ctr(machine, "containers", "info", id));
  } catch (error) {
    if (error instanceof Error && error.message.includes(`"${id}"`) && /not found/.test(error.message))
      return undefined;
    throw error;
  }
}

/** The ids of the containers in which a process runs. */
export async function running(machine: Machine): Promise<string[]> {
  const [, ...lines] = (await ctr(machine, "tasks", "list")).trim().split("\n");
  return lines
    .map(line => line.trim().split(/\s+/))
    .flatMap(([id, , state]) => (id && state === "RUNNING" ? [id] : []));
}

/** What `ctr containers info` prints. @throws Error when it is not that. */
export function parseContainer(text: string): Container {
  const info = JSON.parse(text) as { ID?: string; Image?: string; Labels?: Readonly<Record<string, string>> };
  if (!info.ID) throw new Error(`not a container: ${text.slice(0, 200)}`);
  const label = (name: string): string => info.Labels?.[`io.kubernetes.${name}`] ?? "";
  return {
    id: info.ID,
    image: info.Image ?? "",
    namespace: label("pod.namespace"),
    pod: label("pod.name"),
    name: label("container.name"),
  };
}
