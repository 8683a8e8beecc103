// Which files does the repository hold, for tests that look at all of them?
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { SourceFile } from "./rooms.js";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const NOT_OURS = new Set(["node_modules", "dist", "coverage"]);

/** The paths of all files, relative to the repository; neither packages, nor builds, nor hidden directories. */
export function allPaths(directory = ROOT): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const path = join(directory, entry.name);
    if (entry.isFile()) return [relative(ROOT, path).split(sep).join("/")];
    return entry.isDirectory() && !NOT_OURS.has(entry.name) && !entry.name.startsWith(".") ? allPaths(path) : [];
  });
}

/** The text of a file, by its path in the repository. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Every TypeScript file. */
export function sourceFiles(): SourceFile[] {
  const paths = allPaths().filter(path => path.endsWith(".ts"));
  return paths.map(path => ({ path, text: textOf(path) }));
}
