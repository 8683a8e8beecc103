// Are the generated files what their generators write?
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";

const APART = new Set(["node_modules", ".git", "dist", ".holdfast", "coverage"]);

/** See generate.d.mts. */
export async function generate(root, runScript) {
  for (const script of generators(root)) {
    const code = await runScript(join(root, "hack", script), root);
    if (code !== 0) return code;
  }
  return 0;
}

/** See generate.d.mts. */
export async function checkGenerated(root, runScript) {
  const copy = mkdtempSync(join(tmpdir(), "holdfast-generate-"));
  try {
    cpSync(root, copy, { recursive: true, filter: path => !APART.has(relative(root, path).split(sep)[0]) });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    const before = contents(copy);
    const code = await generate(copy, runScript);
    if (code !== 0) return code;
    const stale = differences(before, contents(copy));
    for (const path of stale) process.stderr.write(`${path}: not what its generator writes; run npm run generate\n`);
    return stale.length === 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function generators(root) {
  const scripts = readdirSync(join(root, "hack")).filter(
    name => /^gen-.*\.ts$/.test(name) && !name.endsWith(".test.ts"),
  );
  return scripts.sort();
}

function contents(root) {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const paths = files.map(({ parentPath, path, name }) => join(parentPath ?? path, name));
  return new Map(paths.map(path => [relative(root, path), readFileSync(path, "latin1")]));
}

function differences(before, after) {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter(path => before.get(path) !== after.get(path)).sort();
}
