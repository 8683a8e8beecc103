// How do layers become an image archive that docker, podman and containerd load?
import { createHash } from "node:crypto";
import { tarOf, type TarEntry } from "../../lib/domain/tar.js";

/** How a container of the image starts. */
export interface ImageConfig {
  /** A name with a tag: `localhost/holdfast:0.1.0`. */
  readonly ref: string;
  /** As Go names it: `amd64`. */
  readonly architecture: string;
  readonly entrypoint: readonly string[];
  readonly user: string;
  readonly workingDir: string;
  readonly env: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** An image, and the digest by which a cluster names it. */
export interface ImageArchive {
  readonly content: Buffer;
  /** `sha256:…` of the manifest. */
  readonly digest: string;
}

interface Blob {
  readonly content: Buffer;
  readonly digest: string;
}

const OCI = "application/vnd.oci.image";
const EPOCH = "1970-01-01T00:00:00Z";

/**
 * One file in two layouts that share their blobs, as `docker save` writes it: OCI image layout (index.json, for `ctr images
 * import`, podman, skopeo) and docker's archive (manifest.json, for `docker load`). Same layers, same bytes.
 * @param layers uncompressed tar archives, the lowest first.
 * @throws Error when the reference has no tag.
 */
export function imageArchive(config: ImageConfig, layers: readonly Buffer[]): ImageArchive {
  demandTag(config.ref);
  const blobs = layers.map(blobOf);
  const settings = blobOf(json(configOf(config, blobs)));
  const manifest = blobOf(json(manifestOf(settings, blobs)));
  const files = [...new Map([...blobs, settings, manifest].map(blob => [pathOf(blob), blob.content]))];
  const docker = { Config: pathOf(settings), RepoTags: [config.ref], Layers: blobs.map(pathOf) };
  const content = tarOf([
    ...files.map(([path, bytes]) => file(path, bytes)),
    file("oci-layout", json({ imageLayoutVersion: "1.0.0" })),
    file("index.json", json(indexOf(manifest, config.ref))),
    file("manifest.json", json([docker])),
  ]);
  return { content, digest: manifest.digest };
}

function demandTag(ref: string): void {
  if (/^[a-z0-9][a-z0-9._:/-]*:[\w][\w.-]{0,127}$/.test(ref) && !ref.includes("@")) return;
  throw new Error(`--ref: Invalid value: "${ref}": write a name and a tag, such as registry.example/holdfast:0.1.0`);
}

function configOf(config: ImageConfig, layers: readonly Blob[]): object {
  const { architecture, entrypoint, user, workingDir, env, labels } = config;
  return {
    created: EPOCH,
    architecture,
    os: "linux",
    config: { User: user, Env: env, Entrypoint: entrypoint, WorkingDir: workingDir, Labels: labels },
    rootfs: { type: "layers", diff_ids: layers.map(({ digest }) => digest) },
    history: layers.map(() => ({ created: EPOCH, created_by: "npm run image" })),
  };
}

function manifestOf(config: Blob, layers: readonly Blob[]): object {
  return {
    schemaVersion: 2,
    mediaType: `${OCI}.manifest.v1+json`,
    config: descriptor(`${OCI}.config.v1+json`, config),
    layers: layers.map(layer => descriptor(`${OCI}.layer.v1.tar`, layer)),
  };
}

function indexOf(manifest: Blob, ref: string): object {
  // containerd takes the whole name from the first annotation; others take the tag from the second.
  const tag = ref.slice(ref.lastIndexOf(":") + 1);
  const annotations = { "io.containerd.image.name": ref, "org.opencontainers.image.ref.name": tag };
  const manifests = [{ ...descriptor(`${OCI}.manifest.v1+json`, manifest), annotations }];
  return { schemaVersion: 2, mediaType: `${OCI}.index.v1+json`, manifests };
}

function descriptor(mediaType: string, { content, digest }: Blob): object {
  return { mediaType, digest, size: content.length };
}

function blobOf(content: Buffer): Blob {
  return { content, digest: `sha256:${createHash("sha256").update(content).digest("hex")}` };
}

function pathOf({ digest }: Blob): string {
  return `blobs/${digest.replace(":", "/")}`;
}

function file(path: string, content: Buffer): TarEntry {
  return { path, mode: 0o644, owner: 0, content };
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
