// Below which control groups do the pods of a real node live, and how do those go again?
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../clusters/ready.js";

const MOUNT = "/sys/fs/cgroup";
/** What kubelet wants to control; where groups are one tree (version 2), the root has to hand it down. */
const CONTROLLERS = ["cpu", "cpuset", "memory", "pids"];

/** Makes the group of this name in every hierarchy, as kubelet's `cgroupRoot` has to be there before it starts. */
export function makeCgroups(name: string): void {
  if (isOneTree()) {
    writeFileSync(join(MOUNT, "cgroup.subtree_control"), CONTROLLERS.map(each => `+${each}`).join(" "));
    mkdirSync(join(MOUNT, name), { recursive: true });
    return;
  }
  for (const hierarchy of hierarchies()) mkdirSync(join(hierarchy, name), { recursive: true });
  for (const file of ["cpuset.cpus", "cpuset.mems"]) {
    const value = readFileSync(join(MOUNT, "cpuset", file), "utf8");
    writeFileSync(join(MOUNT, "cpuset", name, file), value);
  }
}

/** Removes it everywhere, with all that is below. @throws Error when something still runs there after 20 s. */
export async function removeCgroups(name: string): Promise<void> {
  await until(`the control groups ${name} are empty`, async () => cgroupsOf(name).every(removeTree), 20_000);
}

/** The directories of the group that are there. */
export function cgroupsOf(name: string): string[] {
  return [MOUNT, ...hierarchies()].map(hierarchy => join(hierarchy, name)).filter(path => existsSync(path));
}

function removeTree(group: string): boolean {
  const below = readdirSync(group, { withFileTypes: true }).filter(entry => entry.isDirectory());
  if (!below.map(entry => removeTree(join(group, entry.name))).every(Boolean)) return false;
  try {
    rmdirSync(group);
    return true;
  } catch {
    // Its last process is not gone yet.
    return false;
  }
}

function hierarchies(): string[] {
  const directories = readdirSync(MOUNT, { withFileTypes: true }).filter(entry => entry.isDirectory());
  return isOneTree() ? [] : directories.map(entry => join(MOUNT, entry.name));
}

function isOneTree(): boolean {
  return existsSync(join(MOUNT, "cgroup.controllers"));
}
