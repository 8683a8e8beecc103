// Which files are in the operator's image?
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../clusters/bundle.js";
import { runStep, type Say } from "../clusters/step.js";
import { librariesOf } from "./libraries.js";
import { wholeModule } from "./module.js";
import type { NodeRuntime } from "./node-runtime.js";
import type { TarEntry } from "../../lib/domain/tar.js";

/** The user that the operator is, in the image and in the chart. */
export const USER = 65_532;
export const NODE = "usr/local/bin/node";
export const MODULE = "app/holdfast.cjs";

/** What changes seldom (Node and what it needs), and what changes with every commit. */
export interface RootFiles {
  readonly runtime: readonly TarEntry[];
  readonly app: readonly TarEntry[];
}

/** All files and directories, at their paths below `/`. @throws Error that says what is missing on this machine. */
export async function rootFiles(node: NodeRuntime, say: Say): Promise<RootFiles> {
  const [runtime, app] = await Promise.all([runtimeFiles(node, say), appFiles()]);
  return { runtime, app };
}

async function runtimeFiles({ dir }: NodeRuntime, say: Say): Promise<TarEntry[]> {
  const program = join(dir, "bin/node");
  const read = (name: string): Promise<Buffer> => readFile(join(dir, name));
  return [
    { path: NODE, mode: 0o755, owner: 0, content: await read("bin/node") },
    ...(await librariesOf(program, say)),
    file("usr/share/licenses/node/LICENSE", await read("LICENSE")),
    file("etc/passwd", `root:x:0:0:root:/:/none\nholdfast:x:${USER}:${USER}:holdfast:/app:/none\n`),
    file("etc/group", `root:x:0:\nholdfast:x:${USER}:\n`),
    file("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
    file("etc/ssl/certs/ca-certificates.crt", await authorities(program, say)),
    { path: "tmp", mode: 0o1777, owner: 0 },
  ];
}

/** Those that Node itself trusts (Mozilla's): the builder's own, a company's proxy among them, are nobody else's. */
async function authorities(program: string, say: Say): Promise<string> {
  const argv = [program, "-e", 'process.stdout.write(require("tls").rootCertificates.join("\\n") + "\\n")'];
  return runStep({ label: "asking Node for the certificates that it trusts", argv }, say);
}

async function appFiles(): Promise<TarEntry[]> {
  const { code, licences } = await wholeModule();
  const { name, version, description, license } = JSON.parse(
    await readFile(join(ROOT, "package.json"), "utf8"),
  ) as Readonly<Record<string, unknown>>;
  const own = `${JSON.stringify({ name, version, description, license }, null, 2)}\n`;
  return [
    { path: "app", mode: 0o755, owner: USER },
    ours(MODULE, code),
    ours("app/package.json", own),
    ours("app/LICENSE", await readFile(join(ROOT, "LICENSE"))),
    ours("app/LICENSES-OF-PACKAGES.txt", licences),
  ];
}

function ours(path: string, content: Uint8Array | string): TarEntry {
  return { ...file(path, content), owner: USER };
}

function file(path: string, content: Uint8Array | string): TarEntry {
  return { path, mode: 0o644, owner: 0, content: Buffer.from(content) };
}
