// Which image does every pod's sandbox run?
import { readFile, writeFile } from "node:fs/promises";
import { imageArchive } from "../image/archive.js";
import { tarOf } from "../../lib/domain/tar.js";
import { PAUSE_IMAGE } from "./settings.js";

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * Writes it as an archive, from the one program that is in it. Another name makes another image, by which containers that do
 * nothing can be told apart: the node knows images by what is in them.
 */
export async function writePauseImage(program: string, file: string, ref = PAUSE_IMAGE): Promise<void> {
  const layer = tarOf([{ path: "pause", mode: 0o755, owner: 0, content: await readFile(program) }]);
  const config = {
    ...{ ref, architecture: ARCHITECTURES[process.arch] ?? process.arch },
    ...{ entrypoint: ["/pause"], user: "65535:65535", workingDir: "/", env: ["PATH=/"], labels: { ref } },
  };
  await writeFile(file, imageArchive(config, [layer]).content);
}
