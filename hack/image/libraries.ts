// Which files of this system does a dynamically linked program need to run where there is nothing else?
import { access, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runStep, type Say } from "../clusters/step.js";
import type { TarEntry } from "../../lib/domain/tar.js";

// glibc opens these by itself when it looks names up; from 2.34 on libc holds them and they are a few empty kB.
const NAME_SERVICE = ["libnss_dns.so.2", "libnss_files.so.2", "libresolv.so.2"];

/**
 * The shared libraries of a program and the loader, each at the path where the loader looks for it.
 * @throws Error when a library is missing, as they are for a glibc program on a system with another libc.
 */
export async function librariesOf(program: string, say: Say): Promise<TarEntry[]> {
  const hint = "The image's libraries are this system's: make it on a Linux with glibc 2.28 or newer and ldd.";
  const env = { LC_ALL: "C", LD_LIBRARY_PATH: undefined, LD_PRELOAD: undefined };
  const text = await runStep({ label: "looking at Node's libraries", argv: ["ldd", program], env, hint }, say);
  const paths = libraryPaths(text);
  const libc = paths.find(path => /\/libc\.so\.6$/.test(path));
  const besides = libc === undefined ? [] : NAME_SERVICE.map(name => join(dirname(libc), name));
  const all = new Set([...paths, ...(await those(besides))]);
  return Promise.all([...all].map(entryOf));
}

/**
 * The absolute paths in what `ldd` prints; the kernel's own (vdso) has none.
 * @throws Error that names what is not found.
 */
export function libraryPaths(text: string): string[] {
  const missing = /^\s*(\S+) => not found$/m.exec(text)?.[1];
  if (missing) throw new Error(`Node needs ${missing}, which this system does not have: install it and try again`);
  const lines = text.split("\n").map(line => /^\s*(?:\S+ => )?(\/\S+) \(0x/.exec(line)?.[1]);
  const paths = lines.filter(path => path !== undefined);
  if (!paths.some(path => /\/ld-linux/.test(path))) throw new Error("ldd names no loader: is this a glibc system?");
  return paths;
}

async function those(paths: readonly string[]): Promise<string[]> {
  const there = await Promise.all(
    paths.map(path =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => there[index]);
}

/** Links are followed: what the loader asks for by name is a file there. */
async function entryOf(path: string): Promise<TarEntry> {
  return { path: path.slice(1), mode: 0o755, owner: 0, content: await readFile(path) };
}
