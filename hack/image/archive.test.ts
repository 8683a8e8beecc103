// Is the archive true to both of its layouts?
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { imageArchive, type ImageConfig } from "./archive.js";

const config: ImageConfig = {
  ...{ ref: "localhost:5000/team/holdfast:0.1.0", architecture: "amd64", user: "65532:65532", workingDir: "/app" },
  ...{ entrypoint: ["/node", "/app/x.cjs"], env: ["PATH=/bin"], labels: { a: "b" } },
};
const layers = [Buffer.from("lower"), Buffer.from("upper")];
const { content, digest } = imageArchive(config, layers);

interface Described {
  readonly digest: string;
  readonly size: number;
}

function member(name: string): Buffer {
  const { status, stdout } = spawnSync("tar", ["-xOf", "-", name], { input: content });
  expect(status).toBe(0);
  return stdout;
}

function parsed<T>(name: string): T {
  return JSON.parse(member(name).toString()) as T;
}

function blob({ digest: wanted, size }: Described): Buffer {
  const bytes = member(`blobs/${wanted.replace(":", "/")}`);
  expect(`sha256:${createHash("sha256").update(bytes).digest("hex")}`).toBe(wanted);
  expect(bytes.length).toBe(size);
  return bytes;
}

describe("imageArchive", () => {
  it("is an OCI layout in which every digest and size is true", () => {
    expect(parsed("oci-layout")).toEqual({ imageLayoutVersion: "1.0.0" });
    const [entry] = parsed<{ manifests: [Described & { annotations: object }] }>("index.json").manifests;
    expect(entry.digest).toBe(digest);
    expect(entry.annotations).toEqual({
      "io.containerd.image.name": config.ref,
      "org.opencontainers.image.ref.name": "0.1.0",
    });
    const manifest = JSON.parse(blob(entry).toString()) as { config: Described; layers: Described[] };
    expect(manifest.layers.map(layer => blob(layer).toString())).toEqual(["lower", "upper"]);
    const settings = JSON.parse(blob(manifest.config).toString()) as { config: object; rootfs: { diff_ids: string[] } };
    expect(settings.rootfs.diff_ids).toEqual(manifest.layers.map(layer => layer.digest));
    expect(settings.config).toMatchObject({ User: "65532:65532", Entrypoint: config.entrypoint, WorkingDir: "/app" });
  });

  it("is docker's archive as well, of the same blobs", () => {
    const [image] = parsed<[{ Config: string; RepoTags: string[]; Layers: string[] }]>("manifest.json");
    expect(image.RepoTags).toEqual([config.ref]);
    expect(image.Layers.map(path => member(path).toString())).toEqual(["lower", "upper"]);
    expect(parsed<{ architecture: string }>(image.Config).architecture).toBe("amd64");
  });

  it("is the same for the same layers, and another one for others", () => {
    expect(imageArchive(config, layers)).toEqual({ content, digest });
    expect(imageArchive(config, [...layers].reverse()).digest).not.toBe(digest);
  });

  it.each(["holdfast", "localhost:5000/holdfast", "Holdfast:1", "holdfast@sha256:00", "holdfast:"])(
    "refuses the name %s",
    ref => expect(() => imageArchive({ ...config, ref }, layers)).toThrow(/write a name and a tag/),
  );
});
