// What can a real node leave behind on this machine?
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { runStep } from "../clusters/step.js";
import { startTimeOf } from "../lock.mjs";
import { NODE_PATH } from "./programs.js";

/** Where containerd, kubelet and their plugins keep things by habit. */
const HABITS = [
  "/opt",
  "/opt/containerd",
  "/run",
  "/run/containerd",
  "/run/netns",
  "/var/lib",
  "/var/lib/cni",
  "/var/log",
];
const SETTINGS = ["net/ipv4/ip_forward", "vm/overcommit_memory", "kernel/panic", "kernel/panic_on_oops"];
const CGROUPS = "/sys/fs/cgroup";

/**
 * Everything of that kind that there is, one line each: network links, packet filters, mounts, control groups, namespaces of
 * processes and networks, settings of the kernel, names in certain directories. Taken before and after, what is only in
 * the second list was left behind.
 */
export async function traces(): Promise<string[]> {
  const filters = await runStep({ label: "iptables-save", argv: ["iptables-save"], env: { PATH: NODE_PATH } });
  return [
    ...names("/sys/class/net").map(name => `link ${name}`),
    ...filters
      .split("\n")
      .filter(line => /^(\*|-A|:)/.test(line))
      .map(line => `filter ${line.replace(/\[.*/, "")}`),
    ...readFileSync("/proc/self/mounts", "utf8")
      .split("\n")
      .map(line => `mount ${line}`),
    ...[CGROUPS, ...names(CGROUPS).map(name => `${CGROUPS}/${name}`)].flatMap(groupsIn),
    ...namespaces(),
    ...SETTINGS.map(name => `setting ${name} ${readFileSync(`/proc/sys/${name}`, "utf8").trim()}`),
    ...HABITS.flatMap(directory => names(directory).map(name => `file ${directory}/${name}`)),
  ];
}

function groupsIn(directory: string): string[] {
  return names(directory).flatMap(name => (name.startsWith("holdfast-") ? [`control group ${directory}/${name}`] : []));
}

/** Those in which some process is. */
function namespaces(): string[] {
  // The unreaped rest of a process still names its namespaces, but keeps nothing alive.
  const pids = names("/proc").filter(name => /^\d+$/.test(name) && startTimeOf(Number(name)) !== undefined);
  const found = pids.flatMap(pid => ["net", "pid"].map(kind => linkOf(`/proc/${pid}/ns/${kind}`)));
  return [...new Set(found.flatMap(name => (name === undefined ? [] : [`namespace ${name}`])))];
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // The process ended in the meantime.
    return undefined;
  }
}

function names(directory: string): string[] {
  return existsSync(directory) ? safely(() => readdirSync(directory)) : [];
}

function safely(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
