// What does the real node say of its containers, and how does a story use helm?
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { inject } from "vitest";
import { ensureHelm, readEnv } from "../../../hack/clusters/index.js";
import { readState } from "../../../hack/clusters/state.js";
import { containers, ctr, running, type Container } from "../../../hack/node/containers.js";
import { inMachine, type Machine } from "../../../hack/node/machine.js";
import { NODE_PATH } from "../../../hack/node/programs.js";

/** What was imported into the node, and is nowhere else. */
export const OPERATOR_IMAGE = "localhost/holdfast:e2e";
/** One program under several names, so that containers tell what they are of. */
export const IMAGES = { before: "localhost/before:1", web: "localhost/web:1" } as const;

const run = promisify(execFile);

function machine(): Machine {
  const found = readState(inject("clusters"))?.machine;
  if (!found) throw new Error("no real node here");
  return found;
}

/** The containers of a namespace that run at this moment, sandboxes left out, sorted by id. */
export async function runningIn(namespace: string): Promise<Container[]> {
  const [all, alive] = await Promise.all([containers(machine()), running(machine())]);
  const own = all.filter(each => each.namespace === namespace && each.name !== "" && alive.includes(each.id));
  return own.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** SIGKILL to the process of a running container. */
export async function killContainer({ id }: Container): Promise<void> {
  await ctr(machine(), "tasks", "kill", "--signal", "SIGKILL", id);
}

/** Everything that containerd has of a namespace, sandboxes and what has ended included. */
export async function everythingIn(namespace: string): Promise<Container[]> {
  return (await containers(machine())).filter(each => each.namespace === namespace);
}

/** Listens to containerd, and remembers every container that was made. */
export class Witness {
  readonly #process: ChildProcess;
  readonly #images: string[] = [];

  constructor() {
    const [command = "", ...args] = [...inMachine(machine()), "ctr", "--namespace", "k8s.io", "events"];
    this.#process = spawn(command, args, { env: { PATH: NODE_PATH }, stdio: ["ignore", "pipe", "ignore"] });
    const { stdout } = this.#process;
    if (stdout) createInterface({ input: stdout }).on("line", line => this.#see(line));
  }

  /** How many containers of this image were made since the witness came. */
  made(image: string): number {
    return this.#images.filter(each => each === image).length;
  }

  leave(): void {
    this.#process.kill();
  }

  #see(line: string): void {
    const image = / \/containers\/create \{.*"image":"([^"]+)"/.exec(line)?.[1];
    if (image) this.#images.push(image);
  }
}

/** A person's helm on the host. @returns what it printed. @throws Error with helm's words. */
export async function helm(...args: readonly string[]): Promise<string> {
  const { host } = readEnv(inject("clusters"));
  const { stdout } = await run(await ensureHelm(), ["--kubeconfig", host.kubeconfig, ...args]);
  return stdout;
}
