// How do many sources become one archive, bounded in size and time, whatever some of them answer?
import { gzipSync } from "node:zlib";
import { tarOf } from "../../lib/domain/tar.js";
import { messageOf } from "../../lib/kube/errors.js";
import { mapLimited } from "../access/limited.js";
import { withoutCredentials } from "./redact.js";
import type { Source } from "./sources.js";

/** How much may go in, bytes before compression, and how long it may take, milliseconds. */
export interface Bounds {
  readonly maxBytes: number;
  readonly withinMs: number;
}

/** One file of the bundle. */
export interface Piece {
  readonly path: string;
  readonly text: string;
}

/** What was read, and what was not, with the reason. */
export interface Collected {
  readonly pieces: readonly Piece[];
  readonly problems: readonly string[];
}

const ROOT = "holdfast-support";

/** Reads a few at the same time; one that fails, or comes too late, or is too large, becomes a line among the problems. */
export async function collect(sources: readonly Source[], { maxBytes, withinMs }: Bounds): Promise<Collected> {
  const signal = AbortSignal.timeout(withinMs);
  const pieces: Piece[] = [];
  const problems: string[] = [];
  let left = maxBytes;
  await mapLimited(sources, async ({ path, read }) => {
    try {
      signal.throwIfAborted();
      const text = withoutCredentials(await read(signal));
      const size = Buffer.byteLength(text);
      if (size > left) problems.push(`${path}: left out, the bundle would be larger than ${maxBytes} bytes`);
      else {
        left -= size;
        pieces.push({ path, text });
      }
    } catch (error) {
      const why = signal.aborted ? `not read within ${withinMs / 1000} s` : messageOf(error);
      problems.push(`${path}: ${withoutCredentials(why).replace(/\s+/g, " ").trim()}`);
    }
  });
  return { pieces, problems: problems.sort() };
}

/** The gzipped tar archive, with a list of what is missing in it. */
export function archiveOf({ pieces, problems }: Collected): Buffer {
  const missing = problems.length === 0 ? "everything was read\n" : `${problems.join("\n")}\n`;
  const all = [...pieces, { path: "problems.txt", text: missing }];
  const entries = all.map(({ path, text }) => ({
    ...{ path: `${ROOT}/${path}`, mode: 0o644, owner: 0 },
    content: Buffer.from(text),
  }));
  return gzipSync(tarOf(entries));
}
