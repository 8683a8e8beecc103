// Where do the binaries live that were built from one state of their sources?
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";

/** One input of a build: its name inside the repository and what it holds. */
export interface Source {
  readonly name: string;
  readonly content: string;
}

/**
 * A name for everything a build depends on, as 16 hex digits. The order of the sources does not count; their names do.
 */
export function hashOf(sources: readonly Source[]): string {
  const hash = createHash("sha256");
  const sorted = [...sources].sort((a, b) => (a.name < b.name ? -1 : 1));
  // Lengths keep ("ab", "c") and ("a", "bc") apart.
  for (const { name, content } of sorted) hash.update(`${name.length} ${name} ${content.length} ${content}`);
  return hash.digest("hex").slice(0, 16);
}

/**
 * The directory for binaries with this hash: below `XDG_CACHE_HOME` when that is an absolute path (as the XDG base
 * directory specification asks), else below `~/.cache`.
 */
export function cacheDir(hash: string, env: Readonly<Record<string, string | undefined>>): string {
  const xdg = env["XDG_CACHE_HOME"];
  const base = xdg?.startsWith("/") ? xdg : join(env["HOME"] || homedir(), ".cache");
  return join(base, "holdfast", hash);
}
