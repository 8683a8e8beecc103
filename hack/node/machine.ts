// What is the machine on which a real node runs, when it must leave nothing behind on this one?
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Fleet } from "../clusters/fleet.js";
import { isRunning, type ProcessId } from "../clusters/processes.js";
import { until } from "../clusters/ready.js";
import { runStep } from "../clusters/step.js";
import { startTimeOf } from "../lock.mjs";
import { makeCgroups, removeCgroups } from "./cgroups.js";
import { NODE_PATH } from "./programs.js";

/**
 * Namespaces of the kernel for network, mounts and processes, held by one process (`pid`). When that ends, however it ends, the
 * kernel ends every process in there, and mounts, bridges, routes and packet filters go with it.
 */
export interface Machine extends ProcessId {
  /** The name of its cable on this machine. */
  readonly link: string;
  /** Its IPv4 address, which this machine reaches, and on which its servers listen. */
  readonly address: string;
}

/** The process that holds the machine, in a state's list of processes. */
export const MACHINE = "machine";

const FIRST = 1;
const LAST = 250;
// Not one of the ranges that docker, podman, kind and clusters of tests take.
const network = (n: number) => ({ link: `holdfast${n}`, outside: `10.213.${n}.1`, inside: `10.213.${n}.2` });

// kubelet sets settings of the kernel, which are this machine's too: there it finds files that already say what it wants.
const KERNEL = {
  "vm/overcommit_memory": "1",
  "vm/panic_on_oom": "0",
  "kernel/panic": "10",
  "kernel/panic_on_oops": "1",
  "kernel/keys/root_maxkeys": "1000000",
  "kernel/keys/root_maxbytes": "25000000",
};

// Whatever is written where containerd, kubelet and plugins keep things by habit lands in the clusters directory.
// A network lives as long as its last connection, also one that nobody is left to close: such ones are given up soon.
// The loop is an init: it buries what containerd's shims leave.
const INIT = `set -e
mount --make-rshared /
for each in ${Object.keys(KERNEL).join(" ")}; do mount --bind "$1/sys/$each" "/proc/sys/$each"; done
mount -t tmpfs -o mode=755 tmpfs /run
for each in opt var/lib var/log; do
  over="$1/over/$each"; mkdir -p "$over/upper" "$over/work"
  mount -t overlay -o "lowerdir=/$each,upperdir=$over/upper,workdir=$over/work" overlay "/$each"
done
echo 1 > /proc/sys/net/ipv4/ip_forward
echo 1 > /proc/sys/net/ipv4/tcp_orphan_retries
echo 5 > /proc/sys/net/ipv4/tcp_fin_timeout
ip link set lo up
touch "$1/ready"
while :; do sleep 3600 & wait $!; done
`;

/** Starts the machine, with an address of its own, and the control groups for its pods. */
export async function bringMachine(fleet: Fleet): Promise<Machine> {
  const { dir } = fleet.state;
  const place = join(dir, MACHINE);
  for (const [name, value] of Object.entries(KERNEL)) await writeSetting(join(place, "sys", name), value);
  const spaces = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  await fleet.bring(MACHINE, 0, () => ({
    argv: ["unshare", ...spaces, "/bin/sh", "-c", INIT, "init", place],
    probe: { url: `file://${place}/ready` },
    env: { PATH: NODE_PATH },
  }));
  const pid = childOf(fleet.state.processes[MACHINE]?.pid ?? 0);
  makeCgroups(cgroupOf(dir));
  const machine = { pid, startTime: startTimeOf(pid) ?? "", ...(await connect(pid)) };
  fleet.addMachine(machine);
  return machine;
}

/** What to put before a command so that it runs in the machine's network, as a process of this one. */
export function inNetwork({ pid }: Pick<Machine, "pid">): string[] {
  return ["nsenter", "--target", String(pid), "--net", "--"];
}

/** What to put before a command so that it sees nothing but the machine; it ends when the `nsenter` before it does. */
export function inMachine({ pid }: Pick<Machine, "pid">): string[] {
  const enter = ["nsenter", "--target", String(pid), "--net", "--mount", "--pid", "--"];
  return [...enter, "setpriv", "--pdeathsig", "KILL"];
}

/** The control groups of a clusters directory: what is left of a machine when its process has ended. */
export function cgroupOf(dir: string): string {
  return `holdfast-${createHash("sha256").update(dir).digest("hex").slice(0, 12)}`;
}

/** Waits until the kernel has ended what was in it, and takes away what the kernel does not. */
export async function forgetMachine(dir: string, machine: Machine | undefined): Promise<void> {
  if (machine) {
    await until("the machine has ended", async () => !isRunning(machine), 20_000);
    // It goes with the network, which the kernel takes down at its leisure: whoever looks now should find it gone.
    await succeeds(ip("link", "delete", machine.link));
  }
  await removeCgroups(cgroupOf(dir));
}

/** Two ends of a cable. Its name here is the reservation of the addresses: who comes second takes the next one. */
async function connect(pid: number): Promise<Pick<Machine, "link" | "address">> {
  for (let n = FIRST; n <= LAST; n++) {
    const { link, outside, inside } = network(n);
    const cable = ["link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", String(pid)];
    if (!(await succeeds(ip(...cable)))) continue;
    await ip("addr", "add", `${outside}/24`, "dev", link);
    await ip("link", "set", link, "up");
    const within = (...args: string[]) => run("ip", [...inNetwork({ pid }), "ip", ...args]);
    await within("addr", "add", `${inside}/24`, "dev", "eth0");
    await within("link", "set", "eth0", "up");
    // Nothing out there answers; but there is a way out, as components that look for their own address expect.
    await within("route", "add", "default", "via", outside);
    return { link, address: inside };
  }
  throw new Error(`no network is free: ${network(FIRST).link} to ${network(LAST).link} are taken (ip link)`);
}

async function writeSetting(file: string, value: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${value}\n`);
}

function ip(...args: string[]): Promise<string> {
  return run("ip", ["ip", ...args]);
}

function run(label: string, argv: readonly string[]): Promise<string> {
  return runStep({ label: `${label} ${argv.slice(-4).join(" ")}`, argv, env: { PATH: NODE_PATH } });
}

function succeeds(step: Promise<unknown>): Promise<boolean> {
  return step.then(
    () => true,
    () => false,
  );
}

/** `unshare` waits for the first process of the new namespace, which is its only child. */
function childOf(pid: number): number {
  const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
  if (!child) throw new Error(`process ${pid} has no child: the machine is not there`);
  return child;
}
