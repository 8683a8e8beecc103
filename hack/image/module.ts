// How does the operator become one file that needs nothing but Node?
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../clusters/bundle.js";

/** The operator with every package that it uses, and the licences of those. */
export interface WholeModule {
  readonly code: Uint8Array;
  readonly licences: string;
}

/**
 * Bundles everything, for CommonJS. Blanks and comments go, since V8 keeps a module's text in memory (8 MB less); names
 * stay: Pepr tells a kind by the name of its class, and stacks are for people.
 * @throws Error with esbuild's words when the sources do not bundle.
 */
export async function wholeModule(): Promise<WholeModule> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["pepr.ts"],
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    write: false,
    metafile: true,
    outfile: "dist/holdfast.cjs",
    logLevel: "silent",
  });
  const used = Object.values(metafile.outputs).flatMap(output => Object.keys(output.inputs));
  return { code: outputFiles[0]?.contents ?? new Uint8Array(), licences: await licencesOf(packagesIn(used)) };
}

/** The directories of the npm packages that own these files, sorted. */
export function packagesIn(files: readonly string[]): string[] {
  const found = files.map(file => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(found.filter(directory => directory !== undefined))].sort();
}

async function licencesOf(directories: readonly string[]): Promise<string> {
  const texts = await Promise.all(directories.map(licenceOf));
  return `What this program is made of, and under which terms.\n\n${texts.join("\n\n")}\n`;
}

async function licenceOf(directory: string): Promise<string> {
  const place = join(ROOT, directory);
  const names = (await readdir(place)).filter(name => /^(licen[cs]e|notice|copying)/i.test(name)).sort();
  const texts = await Promise.all(names.map(name => readFile(join(place, name), "utf8").catch(() => "")));
  const about = JSON.parse(await readFile(join(place, "package.json"), "utf8")) as Readonly<Record<string, unknown>>;
  return [`== ${about["name"]} ${about["version"]} (${about["license"]})`, ...texts.map(text => text.trim())].join(
    "\n",
  );
}
