// Are the programs here that a real node consists of, and how do they get here?
import { readFileSync } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { runStep, type Say } from "../clusters/step.js";

/** A program and the Debian package that holds it. */
const PACKAGES: Readonly<Record<string, string>> = {
  containerd: "containerd",
  ctr: "containerd",
  runc: "runc",
  iptables: "iptables",
  conntrack: "conntrack",
  ip: "iproute2",
  nsenter: "util-linux",
  setpriv: "util-linux",
};

/** Where Debian puts the plugins of the Container Network Interface. */
export const CNI_BIN = "/usr/lib/cni";
const CNI_PACKAGE = "containernetworking-plugins";

/** A person's PATH often lacks the administrator's programs. */
export const NODE_PATH = [process.env["PATH"], "/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin"].join(":");

/**
 * Returns when all of them are here. What is missing is installed with apt-get, and said: this is the only place that
 * changes the machine, and it does so as root and on Debian and its relatives only.
 * @throws Error that says what to install otherwise.
 */
export async function ensurePrograms(say: Say): Promise<void> {
  demandRoot();
  const missing = await missingPackages();
  if (missing.length === 0) return;
  demandDebian(missing);
  say(
    `a real node needs ${missing.join(", ")}: installing them with apt-get (they stay; apt-get remove takes them off)`,
  );
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const hint = `Install ${missing.join(" ")} by hand and try again.`;
  await runStep({ label: "apt-get update", argv: ["apt-get", "update", "-qq"], env, hint }, say);
  const install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", ...missing];
  await runStep({ label: "apt-get install", argv: install, env, hint }, say);
}

/** @throws Error for anybody but root. */
export function demandRoot(): void {
  if (process.getuid?.() === 0) return;
  throw new Error("a real node needs root: it makes network namespaces, mounts and control groups; try sudo");
}

async function missingPackages(): Promise<string[]> {
  const found = await Promise.all(Object.keys(PACKAGES).map(program => isOnPath(program)));
  const missing = Object.values(PACKAGES).filter((_, index) => !found[index]);
  const plugins = await exists(join(CNI_BIN, "bridge"));
  return [...new Set(plugins ? missing : [...missing, CNI_PACKAGE])];
}

function demandDebian(missing: readonly string[]): void {
  if (/^ID(_LIKE)?=.*debian/m.test(readFileSync("/etc/os-release", "utf8"))) return;
  throw new Error(`a real node needs ${missing.join(", ")}: install them (the names are Debian's) and try again`);
}

async function isOnPath(program: string): Promise<boolean> {
  const places = await Promise.all(NODE_PATH.split(":").map(directory => exists(join(directory, program))));
  return places.includes(true);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
