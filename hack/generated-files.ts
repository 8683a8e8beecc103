// Writes generated files, or says which of them are out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** One file that a generator makes; the path is relative to the repository. */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
}

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Writes the files that differ, or with `check` only names them.
 * @returns the paths that were (or would be) written.
 */
export function writeGenerated(files: readonly GeneratedFile[], check: boolean): string[] {
  const stale = files.filter(file => currentContent(file.path) !== file.content);
  if (!check) stale.forEach(write);
  return stale.map(file => file.path);
}

/** Whether the module with this URL is the program itself, and not imported by a test. */
export function isMain(moduleUrl: string): boolean {
  return process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(moduleUrl);
}

/** The command line of every generator: `--check` fails when something would change. */
export function runGenerator(name: string, files: readonly GeneratedFile[], args: readonly string[]): void {
  const check = args.includes("--check");
  const stale = writeGenerated(files, check);
  for (const path of stale) process.stdout.write(`${check ? "out of date" : "wrote"}: ${path}\n`);
  if (!check || stale.length === 0) return;
  process.stderr.write(`${name}: ${stale.length} generated file(s) are out of date; run \`npm run generate\`\n`);
  process.exitCode = 1;
}

function currentContent(path: string): string | undefined {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function write(file: GeneratedFile): void {
  const path = join(ROOT, file.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, file.content);
}
