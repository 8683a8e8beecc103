// What is in an image archive, and how does its program run on this machine without a container engine?
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { ProcessSpec } from "../../../hack/clusters/processes.js";

/** As much of an image's configuration as decides how it starts. */
interface StartConfig {
  readonly User: string;
  readonly Entrypoint: readonly string[];
}

const FILES = ["KUBECONFIG", "SSL_CERT_PATH", "SSL_KEY_PATH"];
// A root that is bound read-only, in a mount namespace that ends with the program.
const READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec chroot "$@"';

/** Lays an archive's layers over one another in `root`. @returns how its program starts. */
export function unpackImage(archive: string, root: string): StartConfig {
  const member = (name: string): Buffer => execFileSync("tar", ["-xOf", archive, name], { maxBuffer: 1e9 });
  const [image] = JSON.parse(member("manifest.json").toString()) as [{ Config: string; Layers: string[] }];
  mkdirSync(root, { recursive: true });
  for (const layer of image.Layers) execFileSync("tar", ["-x", "-C", root], { input: member(layer) });
  const { config } = JSON.parse(member(image.Config).toString()) as { readonly config: StartConfig };
  return config;
}

/**
 * The same start with nothing but the image's files in reach: as its user in a read-only root where this process may do that
 * (root), else by the image's own loader and libraries.
 */
export function startIn(root: string, config: StartConfig, spec: ProcessSpec): ProcessSpec {
  return process.getuid?.() === 0 ? chrooted(root, config, spec) : loaded(root, config, spec);
}

function chrooted(root: string, { User, Entrypoint }: StartConfig, spec: ProcessSpec): ProcessSpec {
  const moved = Object.fromEntries(FILES.map(name => [name, moveIn(root, spec.env[name] ?? "")]));
  const shell = ["unshare", "--mount", "/bin/sh", "-c", READ_ONLY, "sh", root];
  return { ...spec, argv: [...shell, `--userspec=${User}`, root, ...Entrypoint], env: { ...spec.env, ...moved } };
}

/** A container gets such files as mounted Secrets. */
function moveIn(root: string, file: string): string {
  const inside = join("etc/holdfast", basename(file));
  mkdirSync(join(root, "etc/holdfast"), { recursive: true });
  copyFileSync(file, join(root, inside));
  chmodSync(join(root, inside), 0o644);
  return `/${inside}`;
}

function loaded(root: string, { Entrypoint }: StartConfig, spec: ProcessSpec): ProcessSpec {
  const below = (directory: string): string[] =>
    readdirSync(join(root, directory)).map(name => join(root, directory, name));
  const loader = [...below("lib64"), ...below("lib")].find(path => /\/ld-linux/.test(path)) ?? "";
  const inside = Entrypoint.map(word => (word.startsWith("/") ? join(root, word) : word));
  return { ...spec, argv: [loader, "--library-path", below("lib").join(":"), ...inside] };
}
