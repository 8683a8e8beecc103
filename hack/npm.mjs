// Are the npm packages of the lock file installed, and if not, how do they get here?
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { runQuietly } from "./quiet.mjs";

/** See npm.d.mts. */
export function needsInstall(wanted, installed) {
  if (!installed) return true;
  return Object.entries(wanted.packages).some(([path, entry]) => {
    if (path === "" || entry.link) return false;
    const found = installed.packages[path];
    // npm leaves out optional packages that are made for other systems.
    return found ? found.version !== entry.version : !entry.optional;
  });
}

/** See npm.d.mts. */
export function tooOld(version, range) {
  const numbers = text => (/\d+(\.\d+)*/.exec(text)?.[0] ?? "0").split(".").map(Number);
  const [have, least] = [numbers(version), numbers(range)];
  for (let index = 0; index < 3; index++) {
    const difference = (have[index] ?? 0) - (least[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** See npm.d.mts. */
export async function ensurePackages(root) {
  if (isInstalled(root)) return;
  const onWait = pid => process.stderr.write(`npm packages: process ${pid} is installing them, waiting for it\n`);
  await withLock(join(root, ".holdfast", "npm.lock"), () => install(root), onWait);
}

function isInstalled(root) {
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const hidden = join(root, "node_modules", ".package-lock.json");
  return !needsInstall(wanted, existsSync(hidden) ? JSON.parse(readFileSync(hidden, "utf8")) : undefined);
}

async function install(root) {
  // Whoever had the lock before may have done it.
  if (isInstalled(root)) return;
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  if (spawnSync(npm, ["--version"]).error)
    throw new Error("There is no npm on the PATH: install Node.js with npm (https://nodejs.org).");
  process.stderr.write("npm packages: installing what package-lock.json names\n");
  const argv = [npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const hint = "npm ci needs an npm registry that it can reach: see `npm config get registry`.";
  await runQuietly({ label: "npm packages: installing", argv, cwd: root, hint });
}
